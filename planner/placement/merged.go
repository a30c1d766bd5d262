package placement

// merged is the graph of brokers with all topics in play merged: from broker to
// broker the cheapest move of a unit, evenness by topic left out. It levels the
// cluster; what merging hides is left to the search over all topics.
type merged struct {
	*graph
	lists lister
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

// augmentMerged levels the cluster on the merged graph.
func (g *graph) augmentMerged(lists lister) {
	g.reset()
	m := &merged{graph: g, lists: lists, arcs: make([]arc, g.brokers*g.brokers), stale: make([]bool, g.brokers)}
	for _, b := range g.scope {
		m.stale[b] = true
	}
	g.augment(m.relax, m.moved)
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
			for i, x := range row[b].cost {
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
