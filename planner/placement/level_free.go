package placement

import "slices"

// levelFree evens out topics by the replicas that go anywhere at no cost: those of
// new partitions, and copies that are made in any case. Topic by topic each goes
// where its topic is thinnest, of the brokers of its rack that have not yet got as
// many as they had. It is a start for polish, far quicker than exchanges.
//
// The last of them may find nothing left where they may go, and stay; then routes
// bring the brokers back to what they had. Where that costs anything all is put
// back.
func (m replicas) levelFree(g *graph) {
	before, total := g.placed(), slices.Clone(g.total)
	cost := m.costDownToBytes(g.topics, g.scope, g.total, &g.overall)
	g.work = 0
	left := make([]int32, m.brokers) // how many each broker has still to get
	m.eachFree(g.topics, func(u int32) { left[m.unitAt[u]]++ })
	inRack := m.byRack(g.scope)
	m.eachFree(g.topics, func(u int32) {
		brokers := inRack[m.rackOf[m.unitAt[u]]]
		g.work += int64(len(brokers))
		to := m.thinnest(g, u, brokers, left)
		left[to]--
		if to != m.unitAt[u] {
			var c vec
			g.shift(step{u, m.unitAt[u], to}, &c)
		}
	})
	m.routeReplicas(g, m.listUnits(g.topics, true), -1, total, total)
	if now := m.costDownToBytes(g.topics, g.scope, g.total, &g.overall); cost.less(&now) {
		g.putBack(before)
	}
}

// eachFree calls f with every unit that goes anywhere at no cost.
func (m replicas) eachFree(topics []int32, f func(u int32)) {
	for _, t := range topics {
		for u, to := m.units(t); u < to; u++ {
			if m.unitHolds[u] == 0 {
				f(u)
			}
		}
	}
}

// costsNothing says whether u goes to b at no cost, evenness aside.
func (m replicas) costsNothing(u int32, b int16) bool {
	var c vec
	m.cost(u, b, &c)
	return c == vec{}
}

// thinnest is the broker with something left to get where u's topic is thinnest;
// where none is, u stays.
func (m replicas) thinnest(g *graph, u int32, brokers []int16, left []int32) int16 {
	a := m.unitAt[u]
	p := &m.parts[m.unitPart[u]]
	load := m.loads(p.topic)
	best, least, most := int16(-1), int64(0), int32(0)
	for _, b := range brokers {
		if left[b] <= 0 {
			continue
		}
		k := load[b]
		if b == a {
			k--
		}
		cost := g.topicCost(p.topic, b, k)
		if best >= 0 && (cost > least || cost == least && left[b] <= most) {
			continue
		}
		if b == a || m.topics[p.topic].eligible[b] && m.fits(u, b) && m.costsNothing(u, b) {
			best, least, most = b, cost, left[b]
		}
	}
	if best < 0 {
		return a
	}
	return best
}
