package placement

// level evens out leaders over the cluster, as a start for the search. First come
// the best ranks of the preference, then evenness at any number of changes, and
// then at that evenness the fewest changes, as levelSlack does for replicas.
func (l *leaders) level(g *graph) {
	l.toBestRank(g, nil)
	ways := &leaderWays{leaderPairs: leaderPairs{leaders: l}, topics: g.topics}
	g.newRouter(ways, -1).routeToCommonLevel()
	price := g.augmentMerged(l.listLeaders(g.topics), leadRule+1)
	before := g.placed()
	ways.price = make([]int64, l.brokers)
	for b := range price {
		ways.price[b] = price[b][leadRule]
	}
	l.toBestRank(g, ways.price)
	low, high := g.levelsAt(func(b int16) int64 { return ways.price[b] })
	if g.newRouter(ways, leadChanges).routeBetween(low, high); g.work > g.budget {
		g.putBack(before)
	}
	l.relevel(g)
}

// relevel evens out leaders that are even already, but for what has changed since.
func (l *leaders) relevel(g *graph) {
	lists := l.listLeaders(g.topics)
	g.augmentMerged(lists, costTopic)
	if g.racks != nil && !g.exhausted {
		g.cancelMerged(lists)
	}
}

// toBestRank makes every unit be led at the least rank of the preference, then at
// the least price, then with the least change.
func (l *leaders) toBestRank(g *graph, price []int64) {
	for _, t := range g.topics {
		topic := &l.topics[t]
		for u, to := l.units(t); u < to; u++ {
			best, least := int16(-1), [4]int64{}
			p := &l.model.parts[l.parts[u]]
			for _, b := range l.targets(u) {
				c := [4]int64{l.rank(topic, b)}
				if price != nil {
					c[1] = price[b]
				}
				if p.exists {
					c[2] = p.change(b)
				}
				if b != l.on[u] {
					c[3] = 1
				}
				if best < 0 || lessCost(&c, &least) {
					best, least = b, c
				}
			}
			if best != l.on[u] {
				var c vec
				g.shift(step{u, l.on[u], best}, &c)
			}
		}
	}
}

// leaderWays are the moves of leadership to replicas of the same rank and price.
type leaderWays struct {
	leaderPairs
	topics []int32
	price  []int64 // by broker; nil where it does not count
}

func (w *leaderWays) refresh() {
	w.list(w.topics, func(u int32, to int16) bool {
		topic, a := &w.model.topics[w.topicOf(u)], w.on[u]
		return w.rank(topic, a) == w.rank(topic, to) && (w.price == nil || w.price[a] == w.price[to])
	})
}

func (w *leaderWays) arcsFrom(a int16, row []arc) (work int) {
	for b := range row {
		list := w.between(a, int16(b))
		for _, u := range list {
			var c vec
			w.costFirst(u, int16(b), &c)
			if x := &row[b]; x.unit < 0 || c[leadChanges] < x.cost[leadChanges] {
				*x = arc{u, [costTopic]int64(c[:costTopic])}
			}
		}
		work += 1 + len(list)
	}
	return work
}

func (w *leaderWays) unit(a, b int16, cost int64, at *int32) (u int32, work int) {
	for list := w.between(a, b); int(*at) < len(list); *at++ {
		work++
		u := list[*at]
		if w.on[u] != a {
			continue
		}
		var c vec
		if w.costFirst(u, b, &c); w.price == nil || c[leadChanges] == cost {
			return u, work
		}
	}
	return -1, work
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
				l.costFirst(u, b, &c)
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
