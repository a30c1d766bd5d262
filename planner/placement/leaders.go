package placement

// leaders moves leadership between the replicas of each partition, which stay
// where they are. Its units are the partitions whose leader is open.
type leaders struct {
	*model
	first []int32 // by topic: its first unit; one more at the end
	parts []int32 // by unit: its partition in model.parts
	on    []int16 // by unit: the leader
	load  []int32 // by topic and broker: leaders
	total []int32 // by broker
	// Which lists are only reordered is open while replicas move as well, and counts
	// for nothing while what comes before it, evenness over the cluster, does not.
	loose bool
}

// newLeaders takes the replicas as they are now. Where the preferred leader has
// no reason to change it is load; every other partition is a unit, led for now by
// its preferred leader, or else by the live one, or else where fewest leaders are.
func newLeaders(m *model) *leaders { return leadersFrom(m, nil) }

// leadersFrom is newLeaders, but that leaders are chosen already (by part), and
// every partition is a unit.
func leadersFrom(m *model, chosen []int16) *leaders {
	l := &leaders{model: m, load: make([]int32, len(m.load)), total: make([]int32, m.brokers)}
	for t := range m.topics {
		l.first = append(l.first, int32(len(l.parts)))
		l.addTopic(int32(t), chosen)
	}
	l.first = append(l.first, int32(len(l.parts)))
	for u := range l.on {
		if l.on[u] < 0 {
			l.on[u] = l.fewest(int32(u))
			l.add(l.topicOf(int32(u)), l.on[u])
		}
	}
	return l
}

// addTopic adds a topic's leaders, those that have to be found yet as -1.
func (l *leaders) addTopic(index int32, chosen []int16) {
	t := &l.topics[index]
	for i := range t.in.Partitions {
		if list, fixed := t.fixedList(&t.in.Partitions[i]); fixed {
			l.add(index, l.firstAlive(list))
		}
	}
	free := chosen != nil || t.in.LeaderBalance != Keep || t.ranked()
	for i := t.first; i < t.first+t.n; i++ {
		p := &l.model.parts[i]
		lead := l.presentLeader(p)
		if p.units == 0 {
			continue
		}
		if chosen != nil {
			lead = chosen[i]
		}
		l.add(index, lead)
		if free || lead < 0 {
			l.parts = append(l.parts, i)
			l.on = append(l.on, lead)
		}
	}
}

// presentLeader is the preferred leader of p where it stays, or else the live
// one, or else -1.
func (m *model) presentLeader(p *part) int16 {
	for _, b := range [2]int16{p.preferred, p.leader} {
		if b >= 0 && has(m.unitsOf(p), b) {
			return b
		}
	}
	return -1
}

// add counts a leader; -1 is none.
func (l *leaders) add(topic int32, b int16) {
	if b >= 0 {
		l.load[int(topic)*l.brokers+int(b)]++
		l.total[b]++
	}
}

// fewest is the replica of unit u's partition with the best rank, and of those
// the one with fewest leaders of its topic, then of all.
func (l *leaders) fewest(u int32) int16 {
	best, least := int16(-1), [4]int64{}
	topic := l.topicOf(u)
	t := &l.topics[topic]
	for _, b := range l.targets(u) {
		c := [4]int64{l.rank(t, b), int64(l.load[int(topic)*l.brokers+int(b)]), int64(l.total[b]), int64(b)}
		if best < 0 || lessCost(&c, &least) {
			best, least = b, c
		}
	}
	return best
}

// rank is b's rank in the topic's leader preference, 0 without one.
func (l *leaders) rank(t *topicModel, b int16) int64 {
	if !t.ranked() {
		return 0
	}
	return int64(t.in.LeaderRank[b])
}

func (l *leaders) units(topic int32) (from, to int32) { return l.first[topic], l.first[topic+1] }
func (l *leaders) eligible(topic int32) []int16       { return l.topics[topic].in.Eligible }
func (l *leaders) at(u int32) int16                   { return l.on[u] }
func (l *leaders) partition(u int32) int32            { return l.parts[u] }
func (l *leaders) topicOf(u int32) int32              { return l.model.parts[l.parts[u]].topic }
func (l *leaders) targets(u int32) []int16            { return l.unitsOf(&l.model.parts[l.parts[u]]) }
func (l *leaders) move(u int32, to int16)             { l.on[u] = to }
func (l *leaders) legal(u int32) bool                 { return true }

// relaxUnits relaxes the moves of leadership to the other replicas.
func (l *leaders) relaxUnits(g *graph, slot int) {
	var c vec
	base := int32(slot * l.brokers)
	from, to := l.units(g.slots[slot])
	for u := from; u < to; u++ {
		a := base + int32(l.on[u])
		targets := l.targets(u)
		g.work += int64(len(targets))
		for _, b := range targets {
			if b == l.on[u] {
				continue
			}
			l.cost(u, b, &c)
			c.plus(&g.dist[a])
			g.reachTopic(int32(slot), base+int32(b), &c, a, u)
		}
	}
}

// cost is what it costs that b leads instead of the present leader.
func (l *leaders) cost(u int32, to int16, c *vec) {
	l.costFirst(u, to, c)
	if p := &l.model.parts[l.parts[u]]; p.exists && !l.loose {
		c[leadReorders] = l.reorder(p, to) - l.reorder(p, l.on[u])
	}
}

// costFirst is cost without the last component.
func (l *leaders) costFirst(u int32, to int16, c *vec) {
	*c = vec{}
	p := &l.model.parts[l.parts[u]]
	t := &l.topics[p.topic]
	c[leadRank] = l.rank(t, to) - l.rank(t, l.on[u])
	if p.exists {
		c[leadChanges] = p.change(to) - p.change(l.on[u])
	}
}

// reorder is 1 where p's list changes in nothing but its order if b leads, else 0.
func (m *model) reorder(p *part, b int16) int64 {
	if p.exists && b != p.preferred && m.sameSet(p) {
		return 1
	}
	return 0
}

// change is what it costs that b leads: a change of the preferred leader, and
// where it is not the live one an election.
func (p *part) change(b int16) (c int64) {
	if b != p.preferred {
		c = worthLeader
	}
	if b != p.leader {
		c++
	}
	return c
}
