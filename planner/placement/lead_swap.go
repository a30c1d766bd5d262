package placement

// swapLeaders uses ties among replica sets for leaders. Two partitions of one
// topic exchange replicas that may be anywhere at no cost, one of which leads and
// one of which does not: no broker holds more or less than before, and leadership
// goes from the one to the other. Leaders are chosen once more by whoever calls.
func (s *solver) swapLeaders(l *leaders, g *graph, budget int64) (any bool) {
	unitOf := make([]int32, len(s.parts)) // by part: its unit in l, -1 none
	for i := range unitOf {
		unitOf[i] = -1
	}
	for u, i := range l.parts {
		unitOf[i] = int32(u)
	}
	for t := range s.topics {
		if s.topics[t].ranked() || s.topics[t].in.ByBytes {
			continue
		}
		free := s.freeUnits(int32(t))
		for _, u := range free {
			lead := unitOf[s.unitPart[u]]
			if lead < 0 || l.on[lead] != s.unitAt[u] {
				continue
			}
			for _, v := range free {
				if budget--; budget < 0 {
					return any
				}
				if s.swapLeader(l, g, unitOf, lead, u, v) {
					any = true
					break
				}
			}
		}
	}
	return any
}

// freeUnits are a topic's units that may be anywhere at no cost.
func (s *solver) freeUnits(topic int32) (out []int32) {
	from, to := replicas{s.model}.units(topic)
	for u := from; u < to; u++ {
		if s.unitHolds[u] == 0 {
			out = append(out, u)
		}
	}
	return out
}

// swapLeader exchanges u, which leads, and v, which does not, if leaders become
// evener by it and nothing else changes.
func (s *solver) swapLeader(l *leaders, g *graph, unitOf []int32, lead, u, v int32) bool {
	a, b := s.unitAt[u], s.unitAt[v]
	if a == b || s.unitPart[u] == s.unitPart[v] {
		return false
	}
	other := unitOf[s.unitPart[v]]
	if other < 0 || l.on[other] == b {
		return false
	}
	topic := l.topicOf(lead)
	load := l.load[int(topic)*l.brokers:]
	var c vec
	g.addTopic(&c, topic, g.topicCost(topic, b, load[b])-g.topicCost(topic, a, load[a]-1))
	g.joint = s.topics[topic].in.LeaderBalance == BalanceCluster
	g.addCluster(&c, g.overall.marginal(b, l.total[b])-g.overall.marginal(a, l.total[a]-1))
	if !c.negative() || !s.swapReplicas(u, v) {
		return false
	}
	load[a]--
	l.total[a]--
	load[b]++
	l.total[b]++
	l.on[lead] = b
	return true
}

// swapReplicas exchanges two replicas of one topic if the rules admit it and it
// costs nothing.
func (s *solver) swapReplicas(u, v int32) bool {
	m := replicas{s.model}
	a, b := s.unitAt[u], s.unitAt[v]
	if has(s.unitsOf(&s.parts[s.unitPart[u]]), b) || has(s.unitsOf(&s.parts[s.unitPart[v]]), a) {
		return false
	}
	var x, y vec
	m.cost(u, b, &x)
	m.move(u, b)
	m.cost(v, a, &y)
	m.move(v, a)
	if x.plus(&y); x == (vec{}) && m.legal(u) && m.legal(v) {
		return true
	}
	m.move(u, a)
	m.move(v, b)
	return false
}
