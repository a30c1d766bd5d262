package placement

import "slices"

// swapper offers moves that cost the same as their opposite would: for a pair of
// brokers, units that may go from the one to the other.
type swapper interface {
	mover
	prepare(topics []int32)
	// between appends the units that may go from a to b. Two moves, there and
	// back, are worth a try where their prices add up to nothing.
	between(a, b int16, out []swapUnit) (units []swapUnit, work int)
}

// swapUnit is a unit, what its move costs before evenness, and by how much its
// topic becomes more uneven by it.
type swapUnit struct {
	price, uneven int64
	unit          int32
}

// polishRounds bounds how often polish goes through all pairs of brokers.
const polishRounds = 8

// polish evens out topics by exchanges between two brokers, each of which gets as
// many units as it gives. It is a start for the search, and cheaper by far.
func (g *graph) polish(s swapper) {
	s.prepare(g.topics)
	before := g.mover
	g.mover = s
	defer func() { g.mover = before }()
	p := &polisher{graph: g, swaps: s}
	for range polishRounds {
		if !p.round() {
			return
		}
	}
}

// polisher has the scratch of polish.
type polisher struct {
	*graph
	swaps     swapper
	out, back []swapUnit
}

// round goes through all pairs of brokers once, and says whether any exchange was
// worth it.
func (p *polisher) round() bool {
	any := false
	for i, a := range p.scope {
		for _, b := range p.scope[i+1:] {
			if p.work > p.budget/4 {
				return false
			}
			any = p.pair(a, b) || any
		}
	}
	return any
}

// pair makes exchanges between two brokers as long as they even out topics.
func (p *polisher) pair(a, b int16) bool {
	if p.out = p.list(a, b, p.out[:0]); len(p.out) == 0 {
		return false
	}
	p.back = p.list(b, a, p.back[:0])
	any := false
	for i, k := 0, 0; i < len(p.out) && k < len(p.back); {
		x, y := &p.out[i], &p.back[k]
		switch {
		case x.price < -y.price:
			i++
		case x.price > -y.price:
			// Prices of back fall towards the end.
			k++
		case x.uneven+y.uneven >= 0:
			i, k = p.nextPrice(i, k)
		case p.apply([]step{{x.unit, a, b}, {y.unit, b, a}}):
			any = true
			i, k = i+1, k+1
		case x.uneven >= y.uneven:
			// One of the two has become worse; the one that promised less goes.
			i++
		default:
			k++
		}
	}
	return any
}

// list are the moves from a to b in the order of measure.
func (p *polisher) list(a, b int16, out []swapUnit) []swapUnit {
	units, work := p.swaps.between(a, b, out)
	p.work += int64(work + 4*len(units))
	return p.measure(units, a, b)
}

// nextPrice skips the rest of what has the price of out[i].
func (p *polisher) nextPrice(i, k int) (int, int) {
	price := p.out[i].price
	for i < len(p.out) && p.out[i].price == price {
		i++
	}
	for k < len(p.back) && p.back[k].price == -price {
		k++
	}
	return i, k
}

// measure finds how uneven each move makes its topic and orders the moves: by
// price, rising from a lower broker to a higher one and falling the other way,
// then the best first.
func (p *polisher) measure(units []swapUnit, from, to int16) []swapUnit {
	sign := 1
	if from > to {
		sign = -1
	}
	for i := range units {
		t := p.topicOf(units[i].unit)
		load := p.load[int(t)*p.brokers:]
		units[i].uneven = p.topicCost(t, to, load[to]) - p.topicCost(t, from, load[from]-1)
	}
	slices.SortFunc(units, func(x, y swapUnit) int {
		switch {
		case x.price < y.price:
			return -sign
		case x.price > y.price:
			return sign
		case x.uneven < y.uneven:
			return -1
		case x.uneven > y.uneven:
			return 1
		}
		return int(x.unit - y.unit)
	})
	return units
}
