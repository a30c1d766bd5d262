package placement

// cycles are the moves of every cycle in the graph of predecessors. These cycles
// have no node in common.
func (f *graph) cycles() [][]step {
	var out [][]step
	for i := range f.seen {
		f.seen[i] = 0
	}
	for start := range f.pred {
		mark, n := int32(start)+1, int32(start)
		for n >= 0 && f.seen[n] == 0 {
			f.seen[n] = mark
			n = f.pred[n]
		}
		if n >= 0 && f.seen[n] == mark {
			out = append(out, f.cycleAt(n))
		}
	}
	return out
}

// cycleAt are the moves of the cycle of predecessors through node n, in order.
func (f *graph) cycleAt(n int32) []step {
	var steps []step
	for m := n; ; {
		p := f.pred[m]
		if u := f.via[m]; u >= 0 {
			steps = append(steps, step{u, int16(int(p) % f.brokers), int16(int(m) % f.brokers)})
		}
		if m = p; m == n {
			break
		}
	}
	for i, j := 0, len(steps)-1; i < j; i, j = i+1, j-1 {
		steps[i], steps[j] = steps[j], steps[i]
	}
	return steps
}

// apply makes the moves of a cycle if, from where everything is by now, they
// lower the cost and keep the rules. A cycle that passes a partition twice is cut
// there where it does not: of the two parts one has a negative cost, and moves
// that partition once less.
func (f *graph) apply(steps []step) bool {
	var c vec
	for _, s := range steps {
		if f.at(s.unit) != s.from {
			return false
		}
	}
	for _, s := range steps {
		f.shift(s, &c)
	}
	if c.negative() && f.allLegal(steps) {
		return true
	}
	var back vec
	for i := len(steps) - 1; i >= 0; i-- {
		f.shift(step{steps[i].unit, steps[i].to, steps[i].from}, &back)
	}
	return f.applyCut(steps)
}

// applyCut cuts a cycle where it passes a partition for the second time.
func (f *graph) applyCut(steps []step) bool {
	for i := range steps {
		for j := i + 1; j < len(steps); j++ {
			a, b := steps[i], steps[j]
			if f.partition(a.unit) != f.partition(b.unit) {
				continue
			}
			outer := append(append([]step{}, steps[j+1:]...), steps[:i]...)
			outer = append(outer, step{a.unit, a.from, b.to})
			inner := append(append([]step{}, steps[i+1:j]...), step{b.unit, b.from, a.to})
			if f.apply(outer) || f.apply(inner) {
				return true
			}
		}
	}
	return false
}

// allLegal says whether the partitions of these units are as the rules want them.
func (f *graph) allLegal(steps []step) bool {
	for _, s := range steps {
		if !f.legal(s.unit) {
			return false
		}
	}
	return true
}

// shift moves one unit and adds what that costs to c.
func (f *graph) shift(s step, c *vec) {
	var unit vec
	f.cost(s.unit, s.to, &unit)
	c.plus(&unit)
	f.move(s.unit, s.to)
	t := f.topicOf(s.unit)
	load := f.load[int(t)*f.brokers:]
	for _, x := range []vec{
		f.topicCost(t, s.from, load[s.from]-1, -1), f.clusterCost(s.from, f.total[s.from]-1, -1),
	} {
		c.plus(&x)
	}
	load[s.from]--
	f.total[s.from]--
	for _, x := range []vec{
		f.topicCost(t, s.to, load[s.to], 1), f.clusterCost(s.to, f.total[s.to], 1),
	} {
		c.plus(&x)
	}
	load[s.to]++
	f.total[s.to]++
}
