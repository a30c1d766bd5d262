package placement

// balanceBound is a number of copies that evenness alone asks for.
//
// Where balance is a rule, the loads in its scope have the least sum of squared
// deviations. Of the other rules take only what they say of racks as a whole: the
// partitions' bounds added up, rack by rack. The least sum of all loads within
// these is found by filling up whoever is lowest, see fill. Where the plan has a
// sum as low, so has every plan that meets the rule, and its loads are those of
// the filling, but for who of those equally near to their share gets one more. If
// broker b ends with f_b, and h_b existing partitions (and what is fixed) are on
// it today, f_b - h_b replicas must come to it. New partitions bring some, the
// rest is copies. Who gets one more is chosen so that the sum is least. Where the
// plan's sum is higher, other rules forbid the filling, and nothing is said.
func (m *model) balanceBound(scope []int16, topics []int32, final []int32, even *evenness) int {
	count := scopeCount{have: make([]int32, m.brokers), base: make([]int32, m.brokers), fresh: make([]int64, m.racks), room: make([]room, m.racks)}
	for _, b := range scope {
		count.base[b] = final[b]
		count.room[m.rackOf[b]].brokers = append(count.room[m.rackOf[b]].brokers, b)
	}
	for _, t := range topics {
		from, to := replicas{m}.units(t)
		for u := from; u < to; u++ {
			count.base[m.unitAt[u]]--
		}
	}
	// What is not in play is on its brokers and stays there.
	for _, b := range scope {
		count.have[b] = count.base[b]
		r := &count.room[m.rackOf[b]]
		r.least += int64(count.base[b])
		r.most += int64(count.base[b])
	}
	for _, t := range topics {
		topic := &m.topics[t]
		for i := topic.first; i < topic.first+topic.n; i++ {
			m.countPart(&count, &m.parts[i])
		}
	}
	return count.bound(final, even)
}

// scopeCount is what is there before anything is copied, and what may be.
type scopeCount struct {
	have  []int32 // by broker: existing partitions, and what is fixed
	base  []int32 // by broker: what is fixed
	fresh []int64 // by rack: what comes and is not counted as a copy
	room  []room  // by rack
}

// room is what the brokers of a rack may hold together.
type room struct {
	brokers     []int16
	least, most int64
}

// countPart adds a partition: its homes, or where it is new its replicas, and its
// bounds.
func (m *model) countPart(count *scopeCount, p *part) {
	for _, b := range m.homesOf(p) {
		count.have[b]++
	}
	if !p.exists {
		for _, b := range m.unitsOf(p) {
			count.fresh[m.rackOf[b]]++
		}
	}
	for r, b := range m.bounds[p.bounds] {
		least := int64(b.Lo)
		for _, x := range p.in.Replicas {
			if m.mayStay(x) && int(m.rackOf[x]) == r {
				least--
			}
		}
		count.room[r].least += max(0, least)
		count.room[r].most += int64(b.Hi)
	}
}

// bound is what balanceBound says of these counts.
func (c *scopeCount) bound(final []int32, even *evenness) int {
	var planned, least, wanted, total, bound int64
	for _, r := range c.room {
		for _, b := range r.brokers {
			planned += even.deviation(b, final[b])
			total += int64(final[b])
		}
	}
	locked := true
	for _, r := range c.room {
		locked = locked && (r.least == r.most || len(r.brokers) == 0)
	}
	for _, g := range c.groups(total, even) {
		sum, copies := c.fill(g, even)
		least += sum
		wanted += copies
		if locked {
			bound += max(0, copies-c.freshIn(g))
		}
	}
	if planned != least {
		return 0
	}
	if !locked {
		bound = max(0, wanted-c.freshIn(group{racks: allOf(len(c.room))}))
	}
	return int(bound)
}

// freshIn adds up what comes to the racks of a group uncounted.
func (c *scopeCount) freshIn(g group) (n int64) {
	for _, r := range g.racks {
		n += c.fresh[r]
	}
	return n
}

// allOf are 0 to n-1.
func allOf(n int) []int16 {
	out := make([]int16, n)
	for i := range out {
		out[i] = int16(i)
	}
	return out
}
