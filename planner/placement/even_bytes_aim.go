package placement

import "slices"

// byteAim is that bytes are even; of placements that are as even, the one whose
// replicas are worth most, then the most even by topic and over the cluster.
type byteAim struct {
	*byteSearch
	least square
	best  windowValue
	lows  []int64 // scratch
}

func (a *byteAim) stays(int32) int16 { return -1 }

func (a *byteAim) begin(w *window) { a.least, a.best = a.squaresOf(w.among), w.now }

func (a *byteAim) put(p *part, b int16, times int64) { a.over[b] += times * a.scale.of(p.size()) }

// promising raises the emptiest brokers to one level by what is not placed yet.
func (a *byteAim) promising(w *window, rest *windowCost) bool {
	a.lows = a.lows[:0]
	for _, b := range w.among {
		a.lows = append(a.lows, a.over[b])
	}
	slices.Sort(a.lows)
	least := leastSquares(a.lows, a.scale.of(rest.held))
	return least.less(a.least) || least == a.least && w.now.worth+rest.worth <= a.best.worth
}

func (a *byteAim) better(w *window) bool {
	sum := a.squaresOf(w.among)
	if !sum.less(a.least) && (sum != a.least || !w.now.less(&a.best)) {
		return false
	}
	a.least, a.best = sum, w.now
	return true
}

// less compares what counts when everything before is equal.
func (v *windowValue) less(o *windowValue) bool {
	switch {
	case v.worth != o.worth:
		return v.worth < o.worth
	case v.topic != o.topic:
		return v.topic < o.topic
	}
	return v.cluster < o.cluster
}
