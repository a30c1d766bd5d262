package placement

// levelApart evens out over the cluster the leaders of topics that are even by
// themselves: by moves that cost nothing else, between brokers whose loads differ
// by one in that topic, say. It is a start for the search.
func (l *leaders) levelApart(g *graph) {
	g.newRouter(&freeWays{leaderPairs{leaders: l}, g}, -1).routeToCommonLevel()
}

// freeWays are the moves of leadership that cost nothing but evenness over the
// cluster, and what comes after that.
type freeWays struct {
	leaderPairs
	g *graph
}

// free says whether u may go to b at no cost.
func (w *freeWays) free(u int32, b int16) bool {
	var c vec
	w.costFirst(u, b, &c)
	a, t := w.on[u], w.topicOf(u)
	load := w.load[int(t)*w.brokers:]
	w.g.addTopic(&c, t, w.g.topicCost(t, b, load[b])-w.g.topicCost(t, a, load[a]-1))
	if r := w.g.rackWithin(t); r != nil {
		c[leadRuleRack] += r.between(w.rackOf[a], b)
	}
	return c == vec{}
}

func (w *freeWays) refresh() { w.list(w.g.topics, w.free) }

func (w *freeWays) arcsFrom(a int16, row []arc) (work int) {
	for b := range row {
		if list := w.between(a, int16(b)); len(list) > 0 {
			row[b] = arc{unit: list[0]}
		}
	}
	return len(row)
}

func (w *freeWays) unit(a, b int16, _ int64, at *int32) (u int32, work int) {
	for list := w.between(a, b); int(*at) < len(list); *at++ {
		work++
		if u := list[*at]; w.on[u] == a && w.free(u, b) {
			return u, work
		}
	}
	return -1, work
}
