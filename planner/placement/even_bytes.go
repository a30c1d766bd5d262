package placement

import "slices"

// byteSearch evens out bytes per broker for topics that ask for that instead of
// fewest bytes. Sizes cannot be split, so the least unevenness is hard to find in
// general; this finds one that no exchange between two brokers improves, within
// its budget. Neither rules nor the number of copies change by it.
type byteSearch struct {
	*graph
	replicas replicas
	*model
	bytes []int64   // by broker, of all topics
	on    [][]int32 // by broker: units of topics that ask
	work  int64
}

// evenBytes is run when everything else is settled.
func (s *solver) evenBytes(g *graph, budget int64) {
	b := &byteSearch{graph: g, replicas: replicas{s.model}, model: s.model, bytes: s.bytesByBroker(), on: make([][]int32, s.brokers)}
	asked := false
	for _, t := range g.topics {
		if s.topics[t].in.ByBytes {
			from, to := b.replicas.units(t)
			for u := from; u < to; u++ {
				b.on[s.unitAt[u]] = append(b.on[s.unitAt[u]], u)
				asked = true
			}
		}
	}
	if !asked {
		return
	}
	for b.round(budget) {
	}
}

// bytesByBroker adds up the known sizes.
func (s *solver) bytesByBroker() []int64 {
	out := make([]int64, s.brokers)
	for t := range s.topics {
		topic := &s.topics[t]
		for i := range topic.in.Partitions {
			p := &topic.in.Partitions[i]
			if list, fixed := topic.fixedList(p); fixed {
				for _, b := range list {
					out[b] += max(0, p.Size)
				}
			}
		}
		for i := topic.first; i < topic.first+topic.n; i++ {
			for _, b := range s.unitsOf(&s.parts[i]) {
				out[b] += s.parts[i].size()
			}
		}
	}
	return out
}

// size is the size of p's replicas, 0 where unknown.
func (p *part) size() int64 { return max(0, p.in.Size) }

// round goes through pairs of brokers, the fullest with the emptiest first, and
// says whether any exchange was worth it.
func (s *byteSearch) round(budget int64) bool {
	order := slices.Clone(s.graph.scope)
	slices.SortFunc(order, func(a, b int16) int { return s.compare(b, a) })
	any := false
	for i, a := range order {
		for k := len(order) - 1; k > i; k-- {
			if s.work > budget {
				return false
			}
			for s.compare(a, order[k]) > 0 && s.exchange(a, order[k]) {
				any = true
			}
		}
	}
	return any
}

// compare orders brokers by bytes in proportion to their weights.
func (s *byteSearch) compare(a, b int16) int {
	x, y := float64(s.bytes[a])*float64(s.weight[b]), float64(s.bytes[b])*float64(s.weight[a])
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return int(b - a)
}

// exchange makes the exchange, or the move, from the fuller broker a to b that
// comes nearest to making them even, and says whether there was one.
func (s *byteSearch) exchange(a, b int16) bool {
	wanted := s.wanted(a, b)
	if wanted <= 0 {
		return false
	}
	out, back := s.between(a, b), s.between(b, a)
	back = append(back, swapUnit{unit: -1})
	s.work += int64(len(out) + len(back))
	best, gap := [2]int32{-1, -1}, wanted
	for _, x := range out {
		for k := s.near(back, -x.price, x.uneven-wanted); k < len(back) && k >= 0; k++ {
			y := &back[k]
			if y.price != -x.price || x.uneven-y.uneven <= 0 {
				break
			}
			if d := wanted - (x.uneven - y.uneven); max(d, -d) < gap && s.sameRule(x.unit, y.unit) {
				best, gap = [2]int32{x.unit, y.unit}, max(d, -d)
			}
			s.work++
			if x.uneven-y.uneven < wanted {
				break
			}
		}
	}
	return best[0] >= 0 && s.make(best, a, b)
}

// wanted is how many bytes from a to b would make these even.
func (s *byteSearch) wanted(a, b int16) int64 {
	wa, wb := float64(s.weight[a]), float64(s.weight[b])
	return int64((float64(s.bytes[a])*wb - float64(s.bytes[b])*wa) / (wa + wb))
}

// near is the first entry of that price and at least that size, or the last before
// it; -1 where there is none of that price.
func (s *byteSearch) near(list []swapUnit, price, size int64) int {
	i, _ := slices.BinarySearchFunc(list, swapUnit{price: price, uneven: size}, func(x, y swapUnit) int {
		if x.price != y.price {
			return int(max(-1, min(1, x.price-y.price)))
		}
		return int(max(-1, min(1, x.uneven-y.uneven)))
	})
	if i > 0 && list[i-1].price == price {
		i--
	}
	if i == len(list) || list[i].price != price {
		return -1
	}
	return i
}

// between are the units that may go from a to b: price is copies, uneven is size.
func (s *byteSearch) between(a, b int16) []swapUnit {
	var out []swapUnit
	for _, u := range s.on[a] {
		if !s.replicas.topics[s.replicas.topicOf(u)].eligible[b] || !s.fits(u, b) {
			continue
		}
		var c vec
		s.replicas.cost(u, b, &c)
		out = append(out, swapUnit{c[costCopies], s.parts[s.unitPart[u]].size(), u})
	}
	s.work += int64(len(s.on[a]))
	slices.SortFunc(out, func(x, y swapUnit) int {
		if x.price != y.price {
			return int(x.price - y.price)
		}
		if x.uneven != y.uneven {
			return int(max(-1, min(1, x.uneven-y.uneven)))
		}
		return int(x.unit - y.unit)
	})
	return out
}

// sameRule says whether two units count for the same balance, so that an exchange
// leaves it as it is.
func (s *byteSearch) sameRule(u, v int32) bool {
	if v < 0 {
		return true
	}
	t, w := s.replicas.topicOf(u), s.replicas.topicOf(v)
	return t == w || !s.rules[t] && !s.rules[w]
}

// make makes an exchange if it costs nothing that comes before bytes.
func (s *byteSearch) make(units [2]int32, a, b int16) bool {
	steps := []step{{units[0], a, b}}
	if units[1] >= 0 {
		steps = append(steps, step{units[1], b, a})
	}
	var c, back vec
	for _, x := range steps {
		s.shift(x, &c)
	}
	if c[costRule] > 0 || c[costCopies] > 0 || c[costWorth] >= worthISR/2 || !s.allLegal(steps) {
		for i := len(steps) - 1; i >= 0; i-- {
			s.shift(step{steps[i].unit, steps[i].to, steps[i].from}, &back)
		}
		return false
	}
	for _, x := range steps {
		size := s.parts[s.unitPart[x.unit]].size()
		s.bytes[x.from] -= size
		s.bytes[x.to] += size
		i := slices.Index(s.on[x.from], x.unit)
		s.on[x.from] = slices.Delete(s.on[x.from], i, i+1)
		s.on[x.to] = append(s.on[x.to], x.unit)
	}
	return true
}
