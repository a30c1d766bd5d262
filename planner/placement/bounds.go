package placement

// rackBounds are how many replicas of a partition each rack may hold, by rack.
// Brokers without a rack are one more, the last, which no rule bounds.
func (m *model) rackBounds(t *topicModel, p *Partition) []Bound {
	out := make([]Bound, m.racks)
	for r := range out {
		out[r] = Bound{0, p.RF}
	}
	switch {
	case p.Bounds != nil:
		copy(out[:m.racks-1], p.Bounds)
	case t.in.Spread == SpreadEven:
		evenBounds(out[:m.racks-1], t.eligibleIn, p.RF)
	case t.in.Spread == SpreadDistinct:
		for r := range out[:m.racks-1] {
			out[r].Hi = 1
		}
	case t.in.Spread == SpreadPerRack:
		for r := range out {
			out[r] = Bound{}
		}
		for r, n := range t.in.PerRack {
			out[r] = Bound{n, n}
		}
	}
	return out
}

// evenBounds are floor and ceil of rf over the racks with an eligible broker. A
// rack without one can hold dead replicas only, and nothing bounds these.
func evenBounds(out []Bound, eligibleIn []int16, rf int16) {
	racks := int16(0)
	for r := range out {
		if eligibleIn[r] > 0 {
			racks++
		}
	}
	if racks == 0 {
		return
	}
	for r := range out {
		if eligibleIn[r] > 0 {
			out[r] = Bound{rf / racks, (rf + racks - 1) / racks}
		}
	}
}

// extends says whether some legal set of p's replicas contains those counted in
// cnt (by rack): no rack holds too many, and the racks that still want some
// leave room. It is the independence test of a matroid, so taking replicas one
// by one while it holds yields a largest legal set.
func (m *model) extends(p *part, cnt []int8) bool {
	sum := int16(0)
	for r, b := range m.bounds[p.bounds] {
		c := int16(cnt[r])
		if c > b.Hi {
			return false
		}
		sum += max(c, b.Lo)
	}
	return sum <= p.rf
}

// extendsWith is extends with one replica more in rack r.
func (m *model) extendsWith(p *part, cnt []int8, r int16) bool {
	cnt[r]++
	ok := m.extends(p, cnt)
	cnt[r]--
	return ok
}
