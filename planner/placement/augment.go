package placement

import "slices"

// unreached is more than any distance in the first component.
const unreached = 1 << 61

// path is a way by which one broker gets a unit more and another one less.
type path struct {
	end  int32
	cost vec
}

// augment evens out brokers along shortest paths, many in one search: from
// brokers that gain most by a unit less to those to which one more costs least.
// It works on a graph of brokers alone: of one topic, or with topics merged. The
// search for cycles, in which all flow passes the sink, finds one such path at a
// time; it comes afterwards and proves the result. Relax relaxes all moves of
// units, moved is told which units may have moved.
func (g *graph) augment(relax func(), moved func([]step)) {
	for {
		if g.work > g.budget || g.failed > maxFailed {
			g.exhausted = true
			return
		}
		g.roots()
		if g.relaxPaths(relax, moved) {
			continue
		}
		if g.work <= g.budget && !g.follow(moved) {
			return
		}
	}
}

// roots starts at every broker that has a unit to give.
func (g *graph) roots() {
	for n := range int32(g.brokers) {
		g.pred[n], g.via[n] = -1, -1
		g.dist[n] = vec{unreached}
	}
	for _, b := range g.scope {
		if less, _, ok := g.ends(b); ok {
			g.dist[b] = less
		}
	}
}

// ends is what one unit less and one more at a broker cost; ok says whether there
// may be one less.
func (g *graph) ends(b int16) (less, more vec, ok bool) {
	if g.alone {
		t := g.topics[0]
		k := g.load[int(t)*g.brokers+int(b)]
		g.addTopic(&less, t, -g.topicCost(t, b, k-1))
		g.addTopic(&more, t, g.topicCost(t, b, k))
		return less, more, k > 0
	}
	k := g.total[b]
	g.addCluster(&less, -g.overall.marginal(b, k-1))
	g.addCluster(&more, g.overall.marginal(b, k))
	return less, more, k > 0
}

// relaxPaths relaxes until no broker comes nearer, or the budget ends. It says
// whether it met cycles of negative cost; these are applied, and the distances
// void. Unless the budget has ended, no cycle is left otherwise.
func (g *graph) relaxPaths(relax func(), moved func([]step)) bool {
	for {
		g.fresh = g.fresh[:0]
		g.work += int64(g.brokers)
		relax()
		if len(g.fresh) == 0 || g.work > g.budget {
			return false
		}
		met := false
		for _, start := range g.cycles() {
			c := g.cycleAt(start)
			if !g.apply(c.steps) {
				g.failed++
			}
			moved(c.steps)
			met = true
		}
		if met {
			return true
		}
	}
}

// follow applies shortest paths that have no broker in common, those of least
// cost first, and says whether there was any.
func (g *graph) follow(moved func([]step)) bool {
	var paths []path
	for _, b := range g.scope {
		_, c, _ := g.ends(b)
		c.plus(&g.dist[b])
		if g.pred[b] >= 0 && c.negative() {
			paths = append(paths, path{int32(b), c})
		}
	}
	slices.SortFunc(paths, func(a, b path) int {
		if a.cost.less(&b.cost) {
			return -1
		}
		if b.cost.less(&a.cost) {
			return 1
		}
		return int(a.end - b.end)
	})
	g.mark++
	first, any := g.mark, false
	for _, p := range paths {
		steps := g.pathTo(p.end, first)
		if steps == nil {
			continue
		}
		any = g.apply(steps) || any
		moved(steps)
	}
	return any
}

// pathTo are the moves of the path to a node, nil where another path has used one
// of its nodes.
func (g *graph) pathTo(end, mark int32) []step {
	for n := end; n >= 0; n = g.pred[n] {
		if g.seen[n] == mark {
			return nil
		}
	}
	var steps []step
	for n := end; n >= 0; n = g.pred[n] {
		g.seen[n] = mark
		if p := g.pred[n]; p >= 0 {
			steps = append(steps, step{g.via[n], int16(p), int16(n)})
		}
	}
	slices.Reverse(steps)
	return steps
}
