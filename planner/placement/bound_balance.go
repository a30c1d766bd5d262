package placement

import "slices"

// balanceBound is a number of copies that evenness alone asks for.
//
// Where balance is a rule, the loads in its scope have the least sum of squared
// deviations. With the sum of loads known, the least that any loads can have is
// found by filling up whoever is lowest, rules aside. Where the plan has a sum as
// low, so has every plan that meets the rule, and its loads are those of the
// filling, but for who of those equally near to their share gets one more. If
// broker b ends with f_b, and h_b existing partitions (and what is fixed) are on
// it today, f_b - h_b replicas must come to it. New partitions bring some, the
// rest is copies. Who gets one more is chosen so that the sum is least. Where all
// partitions have fixed numbers by rack, each rack is a scope of its own; where
// the plan's sum is higher, other rules forbid the filling, and nothing is said.
func (m *model) balanceBound(scope []int16, topics []int32, final []int32, even *evenness) int {
	count := scopeCount{have: make([]int32, m.brokers), fresh: make([]int32, m.racks)}
	locked := true
	for _, t := range topics {
		topic := &m.topics[t]
		for i := topic.first; i < topic.first+topic.n; i++ {
			p := &m.parts[i]
			locked = locked && p.locked
			m.countPart(&count, p)
		}
	}
	// What is not in play is on its brokers and stays there.
	for _, b := range scope {
		count.have[b] += final[b]
	}
	for _, t := range topics {
		from, to := replicas{m}.units(t)
		for u := from; u < to; u++ {
			count.have[m.unitAt[u]]--
		}
	}
	if !locked {
		return m.fillBound(scope, &count, sum32(count.fresh, allOf(m.racks)), final, even)
	}
	bound := 0
	for r := range m.racks {
		var in []int16
		for _, b := range scope {
			if int(m.rackOf[b]) == r {
				in = append(in, b)
			}
		}
		bound += m.fillBound(in, &count, int64(count.fresh[r]), final, even)
	}
	return bound
}

// scopeCount is what is there before anything is copied.
type scopeCount struct {
	have  []int32 // by broker
	fresh []int32 // replicas of new partitions, by rack
}

// countPart adds a partition: its homes, or where it is new its replicas.
func (m *model) countPart(count *scopeCount, p *part) {
	for _, b := range m.homesOf(p) {
		count.have[b]++
	}
	if !p.exists {
		for _, b := range m.unitsOf(p) {
			count.fresh[m.rackOf[b]]++
		}
	}
}

// fillBound is balanceBound for one scope.
func (m *model) fillBound(scope []int16, count *scopeCount, fresh int64, final []int32, even *evenness) int {
	if len(scope) == 0 {
		return 0
	}
	fill, level := even.fill(scope, sum32(final, scope))
	var planned, least, bound int64
	open, free := int64(0), int64(0)
	for _, b := range scope {
		planned += even.deviation(b, final[b])
		least += even.deviation(b, fill[b])
		if even.marginal(b, fill[b]-1) == level {
			// One of those that got the last ones: any other of the level may have it.
			fill[b]--
			open++
		}
		bound += int64(max(0, fill[b]-count.have[b]))
	}
	if planned != least {
		return 0
	}
	for _, b := range scope {
		if even.marginal(b, fill[b]) == level && count.have[b] > fill[b] {
			free++
		}
	}
	return int(max(0, bound+max(0, open-free)-fresh))
}

// fill gives n replicas to the brokers of a scope, each to the lowest, and the
// marginal of the last.
func (s *evenness) fill(scope []int16, n int64) (load []int32, level int64) {
	load = make([]int32, int(slices.Max(scope))+1)
	even := int32(n / int64(len(scope)))
	if s.offset == nil && even > 0 {
		// All alike: everybody gets the same, and what remains is given one by one.
		for _, b := range scope {
			load[b] = even
		}
		level = s.marginal(scope[0], even-1)
		n -= int64(even) * int64(len(scope))
	}
	for ; n > 0; n-- {
		low := scope[0]
		for _, b := range scope {
			if s.marginal(b, load[b]) < s.marginal(low, load[low]) {
				low = b
			}
		}
		level = s.marginal(low, load[low])
		load[low]++
	}
	return load, level
}

// deviation is the unevenness of a broker with k replicas, but for a constant.
func (s *evenness) deviation(b int16, k int32) int64 {
	d := int64(k) * int64(k) * s.scale
	if s.offset != nil {
		d -= int64(k) * s.offset[b]
	}
	return d
}

// allOf are 0 to n-1.
func allOf(n int) []int16 {
	out := make([]int16, n)
	for i := range out {
		out[i] = int16(i)
	}
	return out
}
