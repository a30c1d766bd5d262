package placement

import "slices"

// leadLevelling evens out leaders by direct moves, as a start for the search:
// from the broker that leads most to the one that leads fewest, of those that
// have a replica of a partition which it leads. Moves that cost a rank of the
// preference are left to the search.
type leadLevelling struct {
	*leaders
	g     *graph
	piles [][]leadEntry // by pair of brokers: units that may go, the cheapest last
	done  []bool        // by broker: nothing of it can go
	marks func(b int16) (more, less int64)
}

// leadEntry is a unit and what moving it costs.
type leadEntry struct {
	cost int64
	unit int32
}

// level evens out leaders over the cluster.
func (l *leaders) level(g *graph) {
	v := &leadLevelling{leaders: l, g: g, piles: make([][]leadEntry, l.brokers*l.brokers), done: make([]bool, l.brokers)}
	v.marks = func(b int16) (more, less int64) {
		return g.overall.marginal(b, g.total[b]), g.overall.marginal(b, g.total[b]-1)
	}
	for _, t := range g.topics {
		from, to := l.units(t)
		for u := from; u < to; u++ {
			v.list(u)
		}
	}
	v.run(g.scope)
	g.augmentMerged(l.listLeaders(g.topics))
}

// list puts a unit on the piles of the brokers where it may go.
func (v *leadLevelling) list(u int32) {
	a := v.on[u]
	for _, b := range v.targets(u) {
		var c vec
		if v.cost(u, b, &c); b != a && c[leadRank] <= 0 {
			pile := &v.piles[int(a)*v.brokers+int(b)]
			*pile = append(*pile, leadEntry{c[leadChanges], u})
		}
	}
}

// run makes direct moves as long as they level.
func (v *leadLevelling) run(scope []int16) {
	for i := range v.piles {
		slices.SortFunc(v.piles[i], func(a, b leadEntry) int {
			if a.cost != b.cost {
				return int(max(-1, min(1, b.cost-a.cost)))
			}
			return int(b.unit - a.unit)
		})
	}
	for {
		a := v.most(scope)
		if a < 0 {
			return
		}
		v.done[a] = !v.give(a, scope)
	}
}

// most is the broker that gains most by leading less, -1 where all are done.
func (v *leadLevelling) most(scope []int16) int16 {
	best, gain := int16(-1), int64(0)
	for _, b := range scope {
		if _, less := v.marks(b); !v.done[b] && v.g.total[b] > 0 && (best < 0 || less > gain) {
			best, gain = b, less
		}
	}
	return best
}

// give moves one leader off broker a, and says whether that levelled anything.
func (v *leadLevelling) give(a int16, scope []int16) bool {
	for {
		_, less := v.marks(a)
		to, least := int16(-1), less
		for _, b := range scope {
			if more, _ := v.marks(b); more < least && len(v.piles[int(a)*v.brokers+int(b)]) > 0 {
				to, least = b, more
			}
		}
		v.g.work += int64(len(scope))
		if to < 0 {
			return false
		}
		pile := &v.piles[int(a)*v.brokers+int(to)]
		u := (*pile)[len(*pile)-1].unit
		*pile = (*pile)[:len(*pile)-1]
		if v.on[u] != a {
			continue
		}
		var c vec
		v.g.shift(step{u, a, to}, &c)
		return true
	}
}

// levelTopic evens out the leaders of one topic.
func (l *leaders) levelTopic(g *graph, topic int32) {
	load := l.load[int(topic)*l.brokers:]
	from, to := l.units(topic)
	for limit := to - from; limit > 0; limit-- {
		best, gain := step{unit: -1}, vec{}
		for u := from; u < to; u++ {
			a := l.on[u]
			for _, b := range l.targets(u) {
				if b == a {
					continue
				}
				var c vec
				l.cost(u, b, &c)
				c[leadRule] = g.topicCost(topic, b, load[b]) - g.topicCost(topic, a, load[a]-1)
				if c[leadRank] <= 0 && c[leadRule] < 0 && c.less(&gain) {
					best, gain = step{u, a, b}, c
				}
			}
		}
		g.work += int64(to-from) * 3
		if best.unit < 0 {
			return
		}
		var c vec
		g.shift(best, &c)
	}
}
