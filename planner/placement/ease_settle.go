package placement

import "slices"

// settle goes through the brokers, the busiest first, and exchanges what they
// receive for less, as long as that makes the list of what brokers have to do, the
// most first, less. It ends when no exchange does, or with the budget.
func (e *ease) settle(budget int64) {
	copies := make([][]int32, e.brokers) // by broker: what is copied there, some gone by now
	for u, b := range e.unitAt {
		if e.isCopy(int32(u)) {
			copies[b] = append(copies[b], int32(u))
		}
	}
	for any := true; any; {
		any = false
		order := e.byBusiness()
		for i, b := range order {
			if len(copies[b]) == 0 {
				continue
			}
			for k := len(order) - 1; k > i && e.work < budget; k-- {
				if len(copies[order[k]]) > 0 && e.in[b] > e.in[order[k]] && e.lighten(copies, b, order[k], budget) {
					any = true
				}
			}
		}
	}
}

// isCopy says whether u is a copy of a known size.
func (e *ease) isCopy(u int32) bool {
	p := &e.model.parts[e.unitPart[u]]
	return p.exists && p.in.Size > 0 && e.unitHolds[u] == 0
}

// byBusiness are the brokers, those that receive most first.
func (e *ease) byBusiness() []int16 {
	order := slices.Clone(e.scope)
	slices.SortStableFunc(order, func(a, b int16) int { return int(max(-1, min(1, e.in[b]-e.in[a]))) })
	return order
}

// lighten exchanges copies on b for smaller ones on c, and says whether any.
func (e *ease) lighten(copies [][]int32, b, c int16, budget int64) bool {
	any := false
	list := copies[b]
	for i := 0; i < len(list) && e.work < budget && e.in[b] > e.in[c]; i++ {
		u := list[i]
		e.work++
		p := &e.model.parts[e.unitPart[u]]
		if p.locked && e.rackOf[b] != e.rackOf[c] || e.unitAt[u] != b || !e.isCopy(u) || e.leadOf(e.unitPart[u]) == b || has(e.unitsOf(p), c) || !e.topics[p.topic].eligible[c] {
			continue
		}
		if v := e.partner(u, b, c); v >= 0 {
			copies[c] = append(copies[c], u)
			copies[b] = append(copies[b], v)
			any = true
		}
	}
	return any
}

// partner exchanges u on b for the unit on c, of the first topic that has any, with
// which b and c come nearest to each other. It gives that, -1 where there is none.
func (e *ease) partner(u int32, b, c int16) int32 {
	p := &e.model.parts[e.unitPart[u]]
	differ := e.in[b] - e.in[c]
	best, gap := int32(-1), differ
	for _, t := range e.peers[p.topic] {
		if e.work++; !e.topics[t].eligible[b] {
			continue
		}
		for _, v := range e.on[int(t)*e.brokers+int(c)] {
			e.work++
			q := &e.model.parts[e.unitPart[v]]
			if e.unitAt[v] != c || !e.isCopy(v) {
				continue
			}
			left := distance(differ, 2*(p.in.Size-q.in.Size))
			if left < gap && !has(e.unitsOf(q), b) && e.leadOf(e.unitPart[v]) != c && e.mayExchange(u, v, b, c) {
				best, gap = v, left
			}
		}
		if best >= 0 {
			break
		}
	}
	if best >= 0 && e.lessBusy(u, best, b, c) {
		return best
	}
	return -1
}

// mayExchange says whether the exchange costs nothing.
func (e *ease) mayExchange(u, v int32, b, c int16) bool {
	e.work += 8
	e.try = [2]step{{u, b, c}, {v, c, b}}
	return e.free(e.try[:])
}

// lessBusy makes the exchange if what those concerned have to do becomes less.
func (e *ease) lessBusy(u, v int32, b, c int16) bool {
	before := e.busiest(b, c)
	e.turn(u, v, b, c, 1)
	if slices.Compare(e.busiest(b, c), before) >= 0 {
		e.turn(u, v, b, c, -1)
		return false
	}
	e.carry(step{u, b, c})
	e.carry(step{v, c, b})
	return true
}

// busiest is what two brokers have to do, the most first.
func (e *ease) busiest(b, c int16) []int64 {
	x, y := e.busy(b), e.busy(c)
	return []int64{max(x, y), min(x, y)}
}
