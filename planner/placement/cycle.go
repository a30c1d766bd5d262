package placement

import "slices"

// step is one unit's move.
type step struct {
	unit     int32
	from, to int16
}

// cycle is a cycle of predecessors: its nodes, and the moves in their order.
type cycle struct {
	nodes []int32
	steps []step
}

// cancel applies the cycles of negative cost that the last pass has closed, and
// says whether there was any. What they passed is forgotten and relaxed again.
func (g *graph) cancel() bool {
	cycles := g.cyclesOf(g.cycles())
	for _, c := range cycles {
		if !g.apply(c.steps) {
			g.failed++
		}
		for _, n := range c.nodes {
			g.forget(n)
		}
		for _, s := range c.steps {
			g.forgetTopic(g.topicOf(s.unit))
		}
	}
	if len(cycles) == 0 {
		return false
	}
	for n := g.brokerNode(0); n <= g.sink(); n++ {
		g.forget(n)
	}
	return true
}

// forget takes a node's predecessor away.
func (g *graph) forget(n int32) { g.pred[n], g.via[n] = -1, -1 }

// forgetTopic takes the predecessors of a topic's nodes away and has all of it
// relaxed again.
func (g *graph) forgetTopic(t int32) {
	for slot := g.slotOf[t]; int(slot) < len(g.slots) && g.slots[slot] == t; slot++ {
		g.state[slot] = allDirty
		for n := slot * int32(g.brokers); n < (slot+1)*int32(g.brokers); n++ {
			g.forget(n)
		}
	}
}

// cycles are a node each of the cycles in the graph of predecessors that have a
// node that came nearer in the last pass. They have no node in common.
func (g *graph) cycles() []int32 {
	var out []int32
	first := g.mark + 1
	if g.mark > 1<<30 {
		clear(g.seen)
		g.mark, first = 0, 1
	}
	for _, start := range g.fresh {
		g.mark++
		n := start
		for n >= 0 && g.seen[n] < first {
			g.seen[n] = g.mark
			n = g.pred[n]
		}
		if n >= 0 && g.seen[n] == g.mark {
			out = append(out, n)
		}
	}
	return out
}

// cyclesOf are the cycles through these nodes.
func (g *graph) cyclesOf(nodes []int32) (out []cycle) {
	for _, n := range nodes {
		out = append(out, g.cycleAt(n))
	}
	return out
}

// cycleAt is the cycle of predecessors through n.
func (g *graph) cycleAt(n int32) (c cycle) {
	for m := n; ; {
		p := g.pred[m]
		if u := g.via[m]; u >= 0 {
			c.steps = append(c.steps, step{u, int16(int(p) % g.brokers), int16(int(m) % g.brokers)})
		}
		c.nodes = append(c.nodes, m)
		if m = p; m == n {
			break
		}
	}
	slices.Reverse(c.steps)
	return c
}

// maxCuts bounds how deep a cycle is cut, and at how many places each time.
const maxCuts, maxCutPlaces = 2, 8

// apply makes the moves of a cycle if, from where everything is by now, they
// lower the cost and keep the rules. A cycle that passes a partition twice is cut
// there where it does not: of the two parts one has a negative cost, and moves
// that partition once less.
func (g *graph) apply(steps []step) bool { return g.applyOrCut(steps, maxCuts) }

func (g *graph) applyOrCut(steps []step, cuts int) bool {
	for _, s := range steps {
		if g.at(s.unit) != s.from {
			return false
		}
	}
	g.tried++
	g.work += int64(len(steps)) * 8
	var c, back vec
	for _, s := range steps {
		g.shift(s, &c)
	}
	if c.negative() && g.allLegal(steps) {
		return true
	}
	g.undoing = true
	for i := len(steps) - 1; i >= 0; i-- {
		g.shift(steps[i].reverse(), &back)
	}
	g.undoing = false
	return cuts > 0 && g.applyCut(steps, cuts-1)
}

// applyCut cuts a cycle where it passes a partition for the second time.
func (g *graph) applyCut(steps []step, cuts int) bool {
	places := 0
	for i := range steps {
		for j := i + 1; j < len(steps); j++ {
			a, b := steps[i], steps[j]
			if g.partition(a.unit) != g.partition(b.unit) {
				continue
			}
			outer := append(append([]step{}, steps[j+1:]...), steps[:i]...)
			outer = append(outer, step{a.unit, a.from, b.to})
			inner := append(append([]step{}, steps[i+1:j]...), step{b.unit, b.from, a.to})
			if g.applyOrCut(outer, cuts) || g.applyOrCut(inner, cuts) {
				return true
			}
			if places++; places == maxCutPlaces {
				return false
			}
		}
	}
	return false
}

// allLegal says whether the partitions of these units are as the rules want them.
func (g *graph) allLegal(steps []step) bool {
	for _, s := range steps {
		if !g.legal(s.unit) {
			return false
		}
	}
	return true
}

// shift moves one unit and adds what that costs to c.
func (g *graph) shift(s step, c *vec) {
	var unit vec
	g.cost(s.unit, s.to, &unit)
	c.plus(&unit)
	g.move(s.unit, s.to)
	t := g.topicOf(s.unit)
	load := g.load[int(t)*g.brokers:]
	load[s.from]--
	g.addTopic(c, t, g.topicCost(t, s.to, load[s.to])-g.topicCost(t, s.from, load[s.from]))
	load[s.to]++
	if r := g.rackWithin(t); r != nil {
		c[leadRuleRack] += r.shift(s.from, s.to)
	}
	if g.alone {
		return
	}
	g.total[s.from]--
	g.addCluster(c, g.overall.marginal(s.to, g.total[s.to])-g.overall.marginal(s.from, g.total[s.from]))
	g.total[s.to]++
	if g.racks != nil {
		g.addRacks(c, g.racks.shift(s.from, s.to))
	}
}
