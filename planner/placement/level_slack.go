package placement

import "slices"

// levelSlack finds the fewest copies where racks leave replicas a choice, so that
// what leaves a rack and what stays in it decide each other, over the whole
// cluster.
//
// Evenness comes first. Prices at which a search has ended that looks at evenness
// alone say what every placement as even has in common: each partition is on a set
// of least price, and each broker has a load between which its unevenness grows by
// its price. So every partition starts on the set of least price that copies
// least, and then as many replicas go from brokers above to brokers below as there
// have to be, along the paths that copy least, to brokers of the same price.
func (m replicas) levelSlack(g *graph, price []vec) {
	low, high := g.levelsAt(func(b int16) int64 { return price[b][costRule] })
	level := make([]int64, m.brokers)
	for b := range level {
		level[b] = price[b][costRule]
	}
	(&anew{replicas: m, g: g, price: level, high: high}).start()
	lists := m.listReplicas(g.topics)
	lists.price = level
	m.routeReplicas(g, lists, costCopies, low, high)
}

// levelAnyhow evens out brokers at any number of copies, as far as routes between
// those above the common level and those below it go.
func (m replicas) levelAnyhow(g *graph) {
	ways := &replicaWays{replicaLists: m.listReplicas(g.topics), component: -1, arrived: make([][]int32, m.brokers)}
	g.newRouter(ways, -1).routeToCommonLevel()
}

// routeReplicas brings brokers to loads between low and high along the shortest
// routes, by that component of the cost.
func (m replicas) routeReplicas(g *graph, lists *replicaLists, component int, low, high []int32) {
	ways := &replicaWays{replicaLists: lists, component: component, arrived: make([][]int32, m.brokers)}
	g.newRouter(ways, component).routeBetween(low, high)
}

// replicaWays are the moves of replicas to brokers of the same price.
type replicaWays struct {
	*replicaLists
	component int       // see router
	arrived   [][]int32 // by broker: units that have come since the lists were made
}

func (w *replicaWays) refresh() {
	for _, b := range w.scope {
		list := w.on[b][:0]
		for _, e := range w.on[b] {
			if w.unitAt[e.unit] == b {
				list = append(list, e)
			}
		}
		known := len(list)
		for _, u := range w.arrived[b] {
			if w.unitAt[u] == b {
				list = append(list, w.pileEntry(u))
			}
		}
		if w.arrived[b] = w.arrived[b][:0]; len(list) > known {
			slices.SortFunc(list, comparePile)
		}
		w.on[b] = list
	}
}

func (w *replicaWays) came(u int32, b int16) { w.arrived[b] = append(w.arrived[b], u) }

func (w *replicaWays) unit(a, b int16, cost int64, at *int32) (u int32, work int) {
	for list := w.on[a]; int(*at) < len(list); *at++ {
		work++
		u := list[*at].unit
		p := &w.parts[w.unitPart[u]]
		if w.unitAt[u] != a || !w.goes(u, p, b) {
			continue
		}
		var c vec
		p.leave(w.unitHolds[u], &c)
		p.enter(w.holds(p, b), &c)
		if w.component < 0 || c[w.component] == cost {
			return u, work
		}
	}
	return -1, work
}
