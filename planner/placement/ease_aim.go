package placement

import "slices"

// easeAim is that the busiest broker has least to do, then the next, and so on,
// where nothing else changes: no cost of replicas, and no leader.
type easeAim struct {
	*ease
	watch  []int16 // the brokers that have more or less to do
	best   []int64 // what these have to do, the most first
	now    []int64 // scratch
	totals []int32 // by broker of the window: replicas, nil where these may change
	fixed  bool
	// Leaders may be others as well where these are as good on every level.
	release bool
	checks  int     // how often that was looked at
	lead    []int16 // by part: those of the best placement, nil where they are as they were
}

func (a *easeAim) stays(i int32) int16 {
	if a.release {
		return -1
	}
	return a.leadOf(i)
}

func (a *easeAim) begin(w *window) {
	a.watch = slices.Clone(w.among)
	for k := range w.items {
		if b := w.parts[w.items[k].part].in.Leader; b >= 0 && !slices.Contains(a.watch, b) {
			a.watch = append(a.watch, b)
		}
	}
	a.best = slices.Clone(a.sorted())
	if a.fixed {
		for _, b := range w.among {
			a.totals = append(a.totals, w.graph.total[b])
		}
	}
}

func (a *easeAim) put(p *part, b int16, times int64) { a.copied(p, b, times) }

// sorted is what the brokers have to do that are watched, the most first.
func (a *easeAim) sorted() []int64 {
	a.now = a.now[:0]
	for _, b := range a.watch {
		a.now = append(a.now, a.busy(b))
	}
	slices.SortFunc(a.now, func(x, y int64) int { return int(max(-1, min(1, y-x))) })
	return a.now
}

// promising: whatever else is placed, nobody will have less to do.
func (a *easeAim) promising(w *window, _ *windowCost) bool {
	for i := range a.totals {
		if w.graph.total[w.among[i]] > a.totals[i] {
			return false
		}
	}
	return slices.Compare(a.sorted(), a.best) < 0
}

func (a *easeAim) better(w *window) bool {
	if w.now != w.most || !a.promising(w, nil) {
		return false
	}
	var lead []int16
	if a.release && !a.led(w) {
		if a.checks++; a.checks > maxLeaderChecks {
			return false
		}
		if lead = a.leadersOn(w.unitsOfPick()); lead == nil {
			return false
		}
	}
	a.lead, a.best = lead, append(a.best[:0], a.sorted()...)
	return true
}

// led says whether every partition keeps its leader.
func (a *easeAim) led(w *window) bool {
	for k, c := range w.pick {
		item := &w.items[k]
		lead := a.leadOf(item.part)
		if slices.Contains(item.choices[item.was].set, lead) && !slices.Contains(item.choices[c].set, lead) {
			return false
		}
	}
	return true
}
