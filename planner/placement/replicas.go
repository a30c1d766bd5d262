package placement

// replicas moves replicas between brokers.
type replicas struct{ *model }

func (m replicas) units(topic int32) (from, to int32) {
	t := &m.topics[topic]
	if t.n == 0 {
		return 0, 0
	}
	last := &m.parts[t.first+t.n-1]
	return m.parts[t.first].unit, last.unit + int32(last.units)
}

func (m replicas) eligible(topic int32) []int16 { return m.topics[topic].in.Eligible }

func (m replicas) at(u int32) int16        { return m.unitAt[u] }
func (m replicas) partition(u int32) int32 { return m.unitPart[u] }
func (m replicas) topicOf(u int32) int32   { return m.parts[m.unitPart[u]].topic }

// fits says whether unit u may go to a broker: its partition is not there, both
// racks stay within their bounds, and one replica stays where the leader must be.
func (m *model) fits(u int32, to int16) bool {
	i := m.unitPart[u]
	p := &m.parts[i]
	t := &m.topics[p.topic]
	return !has(m.unitsOf(p), to) && m.rackFits(i, p, m.rackOf[m.unitAt[u]], m.rackOf[to]) &&
		(!t.in.LeaderRequired || t.listed(to) || m.leadWithout(t, p, m.unitAt[u]))
}

// rackFits says whether a replica of partition i may go from a rack to another.
func (m *model) rackFits(i int32, p *part, from, to int16) bool {
	if from == to {
		return true
	}
	bounds, cnt := m.bounds[p.bounds], m.counts(i)
	return int16(cnt[from]) > bounds[from].Lo && int16(cnt[to]) < bounds[to].Hi
}

// leadWithout says whether p has a replica where its leader must be besides b.
func (m *model) leadWithout(t *topicModel, p *part, b int16) bool {
	for _, x := range m.unitsOf(p) {
		if x != b && t.listed(x) {
			return true
		}
	}
	return false
}

// What an existing partition has on a broker.
const (
	holdsReplica uint8 = 1 << iota
	holdsInSync
	holdsLeader
	holdsPreferred

	holdsLead = holdsLeader | holdsPreferred
)

// holds is what p has on b today, as the bits above.
func (m *model) holds(p *part, b int16) uint8 {
	for i, h := range m.homesOf(p) {
		if h == b {
			return m.homeHolds[int(p.home)+i]
		}
	}
	return 0
}

// holdsOf finds these bits for a replica that p has on b today.
func (p *part) holdsOf(b int16) uint8 {
	out := holdsReplica
	if !has(p.in.OutOfISR, b) {
		out |= holdsInSync
	}
	if b == p.in.Leader {
		out |= holdsLeader
	}
	if b == p.preferred {
		out |= holdsPreferred
	}
	return out
}

// worths are what replicas with these bits are worth, see the worths.
var worths = func() (out [16]int64) {
	for bits := range out {
		for i, w := range []int64{0, worthISR, worthLeader, worthPreferred} {
			if bits>>i&1 == 1 {
				out[bits] += w
			}
		}
	}
	return out
}()

// leave adds what it costs that p leaves a broker on which it has that today:
// what that was worth, or minus the copy that it would have been.
func (p *part) leave(holds uint8, c *vec) {
	switch {
	case holds != 0:
		c[costWorth] += worths[holds]
	case p.exists:
		c[costCopies]--
		c[costBytes] -= p.bytes
	}
}

// enter adds what it costs that p comes to such a broker.
func (p *part) enter(holds uint8, c *vec) {
	switch {
	case holds != 0:
		c[costWorth] -= worths[holds]
	case p.exists:
		c[costCopies]++
		c[costBytes] += p.bytes
	}
}

func (m replicas) cost(u int32, to int16, c *vec) {
	*c = vec{}
	p := &m.parts[m.unitPart[u]]
	from, into := m.unitHolds[u], m.holds(p, to)
	if t := &m.topics[p.topic]; t.ranked() {
		c[costWorth] += m.led(t, p, u, t.in.LeaderRank[to], into) - m.led(t, p, u, t.in.LeaderRank[m.unitAt[u]], from)
		from, into = from&^holdsLead, into&^holdsLead
	}
	p.leave(from, c)
	p.enter(into, c)
}

// led is what p's leader costs with unit u on a broker of that rank, where p has
// that today: the best place for a leader, and the leaders of today that are not
// in such a place. Those lose the lead in any case, so their replicas are worth no
// more than others.
func (m *model) led(t *topicModel, p *part, u int32, rank int16, holds uint8) int64 {
	best, kept := rank, holds
	for i, b := range m.unitsOf(p) {
		other := p.unit + int32(i)
		if r := t.in.LeaderRank[b]; other != u && r <= best {
			if r < best {
				best, kept = r, 0
			}
			kept |= m.unitHolds[other]
		}
	}
	return int64(best)*worthPlace + worths[holdsLead&^kept]
}

// ledOn is the same where p is on the brokers of two lists.
func (m *model) ledOn(p *part, some, others []int16) int64 {
	t := &m.topics[p.topic]
	best, kept := t.in.NumLeaderRanks, uint8(0)
	for _, list := range [2][]int16{some, others} {
		for _, b := range list {
			best = min(best, t.in.LeaderRank[b])
		}
	}
	for _, list := range [2][]int16{some, others} {
		for _, b := range list {
			if t.in.LeaderRank[b] <= best {
				kept |= m.holds(p, b)
			}
		}
	}
	return int64(best)*worthPlace + worths[holdsLead&^kept]
}

func (m replicas) move(u int32, to int16) {
	i := m.unitPart[u]
	cnt := m.counts(i)
	cnt[m.rackOf[m.unitAt[u]]]--
	cnt[m.rackOf[to]]++
	m.unitAt[u] = to
	p := &m.parts[i]
	if m.unitHolds[u] != 0 {
		p.vacant++
	}
	if m.unitHolds[u] = m.holds(p, to); m.unitHolds[u] != 0 {
		p.vacant--
	}
}

// legal says whether the partition of u is on different brokers, within the
// bounds of its racks, and with a replica where its leader must be.
func (m replicas) legal(u int32) bool {
	i := m.unitPart[u]
	p := &m.parts[i]
	units := m.unitsOf(p)
	for k, b := range units {
		if has(units[:k], b) {
			return false
		}
	}
	for r, b := range m.bounds[p.bounds] {
		if c := int16(m.counts(i)[r]); c < b.Lo || c > b.Hi {
			return false
		}
	}
	t := &m.topics[p.topic]
	return !t.in.LeaderRequired || m.leadWithout(t, p, -1)
}
