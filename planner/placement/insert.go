package placement

// insert gives every missing replica a broker, topics in order: where it evens
// out the topic, then the cluster, among those that the rules admit. It is a
// start for the search and never fails.
func (m *model) insert(shares []evenness, total evenness) {
	for i := range m.parts {
		p := &m.parts[i]
		for u := p.unit; u < p.unit+int32(p.units); u++ {
			if m.unitAt[u] < 0 {
				m.put(int32(i), u, m.bestBroker(int32(i), &shares[p.topic], &total))
			}
		}
	}
}

// put places unit u of partition i, which is on no broker yet, on b.
func (m *model) put(i, u int32, b int16) {
	m.unitAt[u] = b
	if m.unitHolds[u] = m.holds(&m.parts[i], b); m.unitHolds[u] != 0 {
		m.parts[i].vacant--
	}
	m.counts(i)[m.rackOf[b]]++
	m.loads(m.parts[i].topic)[b]++
	m.total[b]++
}

// bestBroker is where partition i's next replica costs least.
func (m *model) bestBroker(i int32, s, total *evenness) int16 {
	p := &m.parts[i]
	t := &m.topics[p.topic]
	must := !m.ledBy(t, p)
	best, least := int16(-1), [4]int64{}
	load := m.loads(p.topic)
	for _, b := range t.in.Eligible {
		if has(m.unitsOf(p), b) || must && !t.within(b, p.aim) || !m.extendsWith(p, m.counts(i), m.rackOf[b]) {
			continue
		}
		cost := [4]int64{0, 0, s.marginal(b, load[b]), total.marginal(b, m.total[b])}
		switch {
		case t.in.Balance == BalanceTopic:
			cost[0] = cost[2]
		case t.in.Balance == BalanceCluster:
			cost[0] = cost[3]
		}
		if !has(m.homesOf(p), b) {
			cost[1] = 1
		}
		if best < 0 || lessCost(&cost, &least) {
			best, least = b, cost
		}
	}
	return best
}

// ledBy says whether one of p's units is where its leader is to be.
func (m *model) ledBy(t *topicModel, p *part) bool {
	for _, b := range m.unitsOf(p) {
		if b >= 0 && t.within(b, p.aim) {
			return true
		}
	}
	return false
}

// lessCost compares in lexicographic order.
func lessCost(a, b *[4]int64) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}
