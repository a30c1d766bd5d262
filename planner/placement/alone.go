package placement

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// aloneBudget is the counted work that one topic gets by itself.
const aloneBudget = 50_000_000

// eachAlone solves every topic of g by itself, the cluster left out. Topics share
// no state then, so they are solved in parallel, and the order does not matter.
func (s *solver) eachAlone(g *graph) {
	var next atomic.Int32
	var exhausted atomic.Bool
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(g.topics)) {
		wait.Go(func() {
			own := g.fork()
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
	if g.rules[topic] {
		g.levelTopic(g, topic)
	}
	g.budget = aloneBudget
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
