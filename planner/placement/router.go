package placement

// ways are the moves of units between brokers, for a router.
type ways interface {
	// refresh brings what is known up to date with the units moved since.
	refresh()
	// arcsFrom finds the cheapest move to every broker; all are -1 before.
	arcsFrom(a int16, row []arc) (work int)
	// unit is a unit that may go from a to b at that cost, -1 where none is left.
	// It begins at the place in a list that at says, and leaves its place there.
	unit(a, b int16, cost int64, at *int32) (u int32, work int)
	// came notes that a unit has been moved to b.
	came(u int32, b int16)
}

// router moves units from brokers that have too many to brokers that have too few,
// along the shortest paths first, very many of the same length at once (primal-dual
// method, each length by blocking flows, see Dinic). It is quick where there are
// few lengths: where one component counts, and that in small numbers.
type router struct {
	*graph
	ways      ways
	component int // of the cost that counts; -1: none, all moves are the same
	from      func(b int16) bool
	to        func(b int16) bool

	arcs  []arc   // by pair of brokers
	away  []int64 // by broker: the length of the shortest path to it
	layer []int32 // by broker: the moves of the shortest path of that length; -1 none
	at    []int32 // by pair of brokers, see ways.unit
	next  []int32 // by broker: the place in scope of the first broker not tried
}

// farAway is longer than any path.
const farAway = 1 << 50

// newRouter makes a router for the topics in play.
func (g *graph) newRouter(w ways, component int) *router {
	n := g.brokers
	return &router{
		graph: g, ways: w, component: component, arcs: make([]arc, n*n), away: make([]int64, n),
		layer: make([]int32, n), at: make([]int32, n*n), next: make([]int32, n),
	}
}

// route moves units as long as there is a path from a broker where from holds to
// one where to holds.
func (r *router) route(from, to func(b int16) bool) {
	r.from, r.to = from, to
	for any := true; any && r.work <= r.budget && r.measure(); {
		any = false
		for _, b := range r.scope {
			for r.from(b) && r.push(b) {
				any = true
			}
		}
	}
}

// measure finds the shortest paths, and says whether one leads to where units may
// go. Only the nearest of these brokers are in a layer.
func (r *router) measure() bool {
	r.ways.refresh()
	for _, a := range r.scope {
		row := r.arcs[int(a)*r.brokers : (int(a)+1)*r.brokers]
		for b := range row {
			row[b].unit = -1
		}
		r.work += int64(r.ways.arcsFrom(a, row))
		r.away[a] = farAway
		if r.from(a) {
			r.away[a] = 0
		}
	}
	r.relaxLengths()
	nearest := int64(farAway)
	for _, b := range r.scope {
		if r.to(b) && !r.from(b) {
			nearest = min(nearest, r.away[b])
		}
	}
	if nearest == farAway {
		return false
	}
	r.layers(nearest)
	clear(r.at)
	clear(r.next)
	return true
}

// length is the length of the arc from a to b.
func (r *router) length(a, b int16) (cost int64, ok bool) {
	x := &r.arcs[int(a)*r.brokers+int(b)]
	if r.component >= 0 {
		cost = x.cost[r.component]
	}
	return cost, x.unit >= 0
}

// relaxLengths finds the lengths of the shortest paths.
func (r *router) relaxLengths() {
	for changed, rounds := true, 0; changed && rounds < r.brokers; rounds++ {
		changed = false
		for _, a := range r.scope {
			if r.away[a] == farAway {
				continue
			}
			for _, b := range r.scope {
				if cost, ok := r.length(a, b); ok && r.away[a]+cost < r.away[b] {
					r.away[b], changed = r.away[a]+cost, true
				}
			}
		}
		r.work += int64(len(r.scope)) * int64(len(r.scope)) / 2
	}
}

// tight says whether a shortest path leads from a to b directly.
func (r *router) tight(a, b int16) bool {
	cost, ok := r.length(a, b)
	return ok && r.away[a]+cost == r.away[b]
}

// layers counts the moves of shortest paths, from where units come.
func (r *router) layers(nearest int64) {
	var queue []int16
	for _, b := range r.scope {
		if r.layer[b] = -1; r.from(b) && r.away[b] == 0 {
			r.layer[b] = 0
			queue = append(queue, b)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		a := queue[0]
		for _, b := range r.scope {
			if r.layer[b] < 0 && r.away[b] <= nearest && r.tight(a, b) {
				r.layer[b] = r.layer[a] + 1
				queue = append(queue, b)
			}
		}
	}
}

// push moves a unit from a on along a shortest path, and says whether there was
// one left.
func (r *router) push(a int16) bool {
	for ; int(r.next[a]) < len(r.scope); r.next[a]++ {
		b := r.scope[r.next[a]]
		if r.layer[b] != r.layer[a]+1 || !r.tight(a, b) {
			continue
		}
		cost, _ := r.length(a, b)
		at := &r.at[int(a)*r.brokers+int(b)]
		for {
			u, work := r.ways.unit(a, b, cost, at)
			if r.work += int64(work); u < 0 || !r.to(b) && !r.push(b) {
				break
			}
			// The rest of the path may have moved a unit of the same partition.
			if again, _ := r.ways.unit(a, b, cost, at); again == u {
				var c vec
				r.shift(step{u, a, b}, &c)
				r.ways.came(u, b)
			}
			return true
		}
	}
	return false
}

// levelsAt are by broker the least and the greatest load that it has if what one
// unit more costs is level: between them it grows more uneven by that.
func (g *graph) levelsAt(level func(b int16) int64) (low, high []int32) {
	base := append([]int32(nil), g.total...)
	for _, t := range g.topics {
		for u, to := g.units(t); u < to; u++ {
			base[g.at(u)]--
		}
	}
	low, high = make([]int32, g.brokers), make([]int32, g.brokers)
	for _, b := range g.scope {
		low[b] = int32(g.overall.upTo(b, level(b)-1, base[b]))
		high[b] = int32(g.overall.upTo(b, level(b), base[b]))
	}
	return low, high
}

// routeToCommonLevel brings every load to the level that is common to all, as far
// as paths lead.
func (r *router) routeToCommonLevel() {
	common := r.commonLevel()
	r.routeBetween(r.levelsAt(func(int16) int64 { return common }))
}

// routeBetween brings every load between low and high, as far as paths lead.
func (r *router) routeBetween(low, high []int32) {
	total := r.total
	r.route(func(b int16) bool { return total[b] > high[b] }, func(b int16) bool { return total[b] < high[b] })
	r.route(func(b int16) bool { return total[b] > low[b] }, func(b int16) bool { return total[b] < low[b] })
}
