package placement

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// The counted work that topics get by themselves, for direct moves and for the
// search: all together, and each one at least and at most.
const (
	aloneDirect, leastDirect, mostDirect = 1_000_000_000, 10_000_000, 250_000_000
	aloneSearch, leastSearch, mostSearch = 400_000_000, 1_000_000, 50_000_000
)

// shareOf is what one of n topics gets of the work.
func shareOf(all, least, most int64, n int) int64 {
	return min(most, max(least, all/int64(n)))
}

// eachAlone solves every topic of g by itself, the cluster left out. Topics share
// no state then, so they are solved in parallel, and the order does not matter.
func (s *solver) eachAlone(g *graph) {
	if l, ok := g.mover.(*leaders); ok {
		l.loose = true
		defer func() { l.loose = false }()
	}
	var next atomic.Int32
	var exhausted atomic.Bool
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(g.topics)) {
		wait.Go(func() {
			own := g.fork()
			own.direct = shareOf(aloneDirect, leastDirect, mostDirect, len(g.topics))
			own.budget = shareOf(aloneSearch, leastSearch, mostSearch, len(g.topics))
			for {
				i := int(next.Add(1)) - 1
				if i >= len(g.topics) {
					return
				}
				if own.solveAlone(g.topics[i]); own.exhausted {
					exhausted.Store(true)
				}
			}
		})
	}
	wait.Wait()
	g.recount()
	g.exhausted = exhausted.Load()
}

// solveAlone levels one topic and cancels its cycles.
func (g *graph) solveAlone(topic int32) {
	g.topics, g.racks = append(g.topics[:0], topic), g.rackWithin(topic)
	switch {
	case g.rules[topic] && g.isLarge(topic):
		g.levelLarge(topic)
	case g.rules[topic]:
		g.levelTopic(g, topic)
	}
	g.reset()
	g.augment(func() { g.relaxUnits(g, 0) }, func([]step) {})
	g.run()
	if g.rules[topic] {
		price, byRack := g.prices(0)
		g.tell(g.topics, price, byRack)
	}
}

// recount adds the totals up again from the loads by topic.
func (g *graph) recount() {
	clear(g.total)
	for i, n := range g.load {
		g.total[i%g.brokers] += n
	}
	if g.racks != nil {
		g.racks.recount(g.total)
	}
}
