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

func (m replicas) at(u int32) int16        { return m.unitAt[u] }
func (m replicas) partition(u int32) int32 { return m.unitPart[u] }
func (m replicas) topicOf(u int32) int32   { return m.parts[m.unitPart[u]].topic }
func (m replicas) targets(u int32) []int16 { return m.topics[m.topicOf(u)].in.Eligible }

// fits says whether unit u may go to a broker: its partition is not there, both
// racks stay within their bounds, and one replica stays where the leader must be.
func (m replicas) fits(u int32, to int16) bool {
	i := m.unitPart[u]
	p := &m.parts[i]
	if has(m.unitsOf(p), to) {
		return false
	}
	from, r := m.rackOf[m.unitAt[u]], m.rackOf[to]
	if from != r {
		bounds, cnt := m.bounds[p.bounds], m.counts(i)
		if int16(cnt[from]) <= bounds[from].Lo || int16(cnt[r]) >= bounds[r].Hi {
			return false
		}
	}
	t := &m.topics[p.topic]
	return !t.in.LeaderRequired || t.listed(to) || m.leadWithout(t, p, m.unitAt[u])
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

// cost is what it costs that u goes to a broker. Leaving a broker that had the
// replica costs what that replica was worth; leaving one that did not takes back
// its copy.
func (m replicas) cost(u int32, to int16, c *vec) {
	*c = vec{}
	p := &m.parts[m.unitPart[u]]
	if p.exists {
		m.holding(p, m.unitAt[u], -1, c)
		m.holding(p, to, 1, c)
	}
	if t := &m.topics[p.topic]; t.ranked() {
		c[costPlace] = m.place(t, p, u, to) - m.place(t, p, u, m.unitAt[u])
	}
}

// holding adds sign times what it costs that an existing partition is on b.
func (m *model) holding(p *part, b int16, sign int64, c *vec) {
	if !has(m.homesOf(p), b) {
		c[costCopies] += sign
		c[costBytes] += sign * p.bytes
		return
	}
	if !has(p.in.OutOfISR, b) {
		c[costISR] -= sign
	}
	if b == p.leader {
		c[costLeader] -= sign * leaderWorth
	}
	if b == p.preferred {
		c[costLeader] -= sign
	}
}

// leaderWorth sets the live leader above the first of the list, where these are
// two: giving it up costs an election now, the other only when it comes back.
const leaderWorth = 1 << 20

// place is the best rank of p's replicas in the leader preference with unit u
// on broker to.
func (m *model) place(t *topicModel, p *part, u int32, to int16) int64 {
	best := int64(t.in.NumLeaderRanks)
	for i, b := range m.unitsOf(p) {
		if p.unit+int32(i) == u {
			b = to
		}
		best = min(best, int64(t.in.LeaderRank[b]))
	}
	return best
}

func (m replicas) move(u int32, to int16) {
	i := m.unitPart[u]
	cnt := m.counts(i)
	cnt[m.rackOf[m.unitAt[u]]]--
	cnt[m.rackOf[to]]++
	m.unitAt[u] = to
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
	return !t.in.LeaderRequired || m.ledBy(t, p)
}
