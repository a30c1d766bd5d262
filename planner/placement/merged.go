package placement

// merged is the graph of brokers with all topics in play merged: from broker to
// broker the cheapest move of a unit, evenness by topic left out. It levels the
// cluster; what merging hides is left to the search over all topics.
type merged struct {
	*graph
	lists lister
	upTo  int    // the first component of the moves that does not count
	arcs  []arc  // by pair of brokers
	stale []bool // by broker: its arcs have to be found again
}

// arc is the cheapest unit that may go from a broker to another; -1 is none.
type arc struct {
	unit int32
	cost [costTopic]int64 // all components but evenness by topic and cluster
}

// lister knows which units are on which broker.
type lister interface {
	arcsFrom(a int16, row []arc) (work int) // finds the arcs from a broker; all are -1 before
	moved(u int32, from int16)              // u was on from
	sides(u int32) []int16                  // the brokers whose arcs depend on u's partition
}

// newMerged has all nodes equally far.
func (g *graph) newMerged(lists lister, upTo int) *merged {
	before := g.work
	g.reset()
	g.work = before
	m := &merged{graph: g, lists: lists, upTo: upTo, arcs: make([]arc, g.brokers*g.brokers), stale: make([]bool, g.brokers)}
	for _, b := range g.scope {
		m.stale[b] = true
	}
	return m
}

// augmentMerged levels the cluster on the merged graph, racks left out. Of what
// moves cost it looks at the components before upTo. It gives the prices at which
// it has ended.
func (g *graph) augmentMerged(lists lister, upTo int) (price []vec) {
	m := g.newMerged(lists, upTo)
	g.augment(m.relax, m.moved)
	price = g.pricesFrom(0, &vec{})
	g.tell(g.topics, price, nil)
	return price
}

// cancelMerged cancels the cycles of negative cost that the merged graph has when
// racks count as well.
func (g *graph) cancelMerged(lists lister) {
	topics := g.topics
	defer func() { g.topics = topics }()
	g.topics = nil // brokers are the first nodes
	m := g.newMerged(lists, costTopic)
	for g.fresh = append(g.fresh[:0], 0); len(g.fresh) > 0; {
		if g.work > g.budget || g.failed > maxFailed {
			g.exhausted = true
			return
		}
		g.fresh = g.fresh[:0]
		m.relax()
		g.relaxSink()
		if cycles := g.cyclesOf(g.cycles()); len(cycles) > 0 {
			for _, c := range cycles {
				if !g.apply(c.steps) {
					g.failed++
				}
				m.moved(c.steps)
			}
			for n := range g.pred {
				g.forget(int32(n))
			}
		}
	}
	price, byRack := g.prices(0)
	g.tell(topics, price, byRack)
}

// relax relaxes every arc between brokers once.
func (m *merged) relax() {
	for _, a := range m.scope {
		row := m.arcs[int(a)*m.brokers : (int(a)+1)*m.brokers]
		if m.stale[a] {
			for b := range row {
				row[b].unit = -1
			}
			m.work += int64(m.lists.arcsFrom(a, row))
			m.stale[a] = false
		}
		for _, b := range m.scope {
			if row[b].unit < 0 {
				continue
			}
			d := m.dist[a]
			for i, x := range row[b].cost[:m.upTo] {
				d[i] += x
			}
			m.reach(int32(b), &d, int32(a), row[b].unit)
		}
	}
	m.work += int64(len(m.scope)) * int64(len(m.scope)) / 2
}

// moved brings the lists up to date.
func (m *merged) moved(steps []step) {
	for _, s := range steps {
		if m.at(s.unit) != s.from {
			m.lists.moved(s.unit, s.from)
		}
		m.stale[s.from], m.stale[s.to] = true, true
		for _, b := range m.lists.sides(s.unit) {
			m.stale[b] = true
		}
	}
}
