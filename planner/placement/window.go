package placement

import "slices"

// window is a choice of partitions, and of brokers among which their replicas may
// be placed anew; replicas elsewhere stay. Every such placement is looked at, but
// for those that cannot be better than the best so far.
type window struct {
	*graph
	*model
	aim   windowAim
	among []int16
	items []windowItem
	most  windowValue // what there was before
	now   windowValue // of what is placed so far
	pick  []int       // by item: the choice that is tried
	found []int       // by item: the best choice, nil where that is as it was
	rest  []windowCost
	open  []int64 // by topic: units that are not placed yet; the last is of all
	work  int64
	limit int64
}

// windowAim is what makes a placement better than another.
type windowAim interface {
	// stays is a broker that keeps partition i if it has it, or -1.
	stays(i int32) int16
	// begin is told that everything is placed as it was, and that it is taken away.
	begin(w *window)
	// put is told that a replica of p is placed on b, or taken away.
	put(p *part, b int16, times int64)
	// promising says whether what is placed so far may lead to something better if
	// the items from k on, of which the rest is the least, are placed too.
	promising(w *window, rest *windowCost) bool
	// better says whether what is placed now is the best so far, and remembers it.
	better(w *window) bool
}

// windowItem is one partition's replicas among the brokers.
type windowItem struct {
	part    int32
	twin    bool // it is the same in everything as the item before
	was     int  // the choice that is as it is now
	choices []windowChoice
}

// windowChoice is a set of brokers for them, and what that costs.
type windowChoice struct {
	set []int16
	windowCost
}

// windowCost is what replicas cost whatever else is placed; held are the bytes of
// all of them.
type windowCost struct{ copies, bytes, lost, worth, held int64 }

// windowValue is what a placement costs.
type windowValue struct {
	windowCost
	rule, topic, cluster int64
}

// newWindow takes partitions and brokers; nil where there are too many choices.
func newWindow(g *graph, m *model, aim windowAim, parts []int32, among []int16) *window {
	w := &window{graph: g, model: m, aim: aim, among: among, open: make([]int64, len(m.topics)+1)}
	for _, i := range parts {
		item := w.item(i)
		if len(item.choices) == 0 || len(item.choices) > maxWindowChoices {
			return nil
		}
		w.items = append(w.items, item)
	}
	return w
}

// order puts first what has no choice, then the largest.
func (w *window) order() {
	slices.SortStableFunc(w.items, func(a, b windowItem) int {
		if a, b := len(a.choices) == 1, len(b.choices) == 1; a != b {
			return map[bool]int{true: -1, false: 1}[a]
		}
		return int(max(-1, min(1, w.parts[b.part].size()-w.parts[a.part].size())))
	})
	for k := 1; k < len(w.items); k++ {
		w.items[k].twin = w.twins(k-1, k)
	}
}

// What bounds a window; sets are what is looked at to find the choices.
const maxWindowChoices, maxWindowSets, maxWindowBrokers, maxWindowParts = 256, 2000, 16, 64

// setsOf is how many sets of k there are of n, both small.
func setsOf(n, k int) int {
	out := 1
	for i := range min(k, n-k) {
		out = out * (n - i) / (i + 1)
	}
	return out
}

// twins says whether two items are new partitions of a topic that differ in
// nothing.
func (w *window) twins(k, l int) bool {
	p, q := &w.parts[w.items[k].part], &w.parts[w.items[l].part]
	return p.topic == q.topic && !p.exists && !q.exists && p.bounds == q.bounds && p.size() == q.size() &&
		w.aim.stays(w.items[k].part) < 0 && w.aim.stays(w.items[l].part) < 0 &&
		len(w.items[k].choices) == len(w.items[l].choices) &&
		len(w.items[k].choices[0].set) == int(p.units) && len(w.items[l].choices[0].set) == int(q.units)
}

// item finds the choices of partition i; none where that is too much.
func (w *window) item(i int32) windowItem {
	p := &w.parts[i]
	item := windowItem{part: i}
	must := w.aim.stays(i)
	var stay, inside []int16
	for _, b := range w.unitsOf(p) {
		if slices.Contains(w.among, b) {
			inside = append(inside, b)
		} else {
			stay = append(stay, b)
		}
	}
	if setsOf(len(w.among), len(inside)) > maxWindowSets {
		return item
	}
	cnt := slices.Clone(w.counts(i))
	for _, b := range inside {
		cnt[w.rackOf[b]]--
	}
	slices.Sort(inside)
	if !slices.Contains(inside, must) {
		must = -1
	}
	w.sets(p, stay, cnt, 0, make([]int16, 0, len(inside)), len(inside), func(set []int16) {
		if must >= 0 && !slices.Contains(set, must) {
			return
		}
		if slices.Equal(set, inside) {
			item.was = len(item.choices)
		}
		item.choices = append(item.choices, windowChoice{slices.Clone(set), w.costOf(p, stay, set)})
	})
	w.work += int64(len(item.choices)) * 4
	return item
}

// sets calls f with the sets of n of the brokers that the rules admit beside those
// that stay; cnt counts replicas by rack.
func (w *window) sets(p *part, stay []int16, cnt []int8, from int, set []int16, n int, f func([]int16)) {
	t := &w.model.topics[p.topic]
	if len(set) == n {
		if w.within(p, cnt) && (!t.in.LeaderRequired || slices.ContainsFunc(set, t.listed) || slices.ContainsFunc(stay, t.listed)) {
			f(set)
		}
		return
	}
	for k := from; k < len(w.among); k++ {
		b := w.among[k]
		if r := w.rackOf[b]; t.eligible[b] && int16(cnt[r]) < w.bounds[p.bounds][r].Hi {
			cnt[r]++
			w.sets(p, stay, cnt, k+1, append(set, b), n, f)
			cnt[r]--
		}
	}
}

// within says whether racks hold what they must and may.
func (w *window) within(p *part, cnt []int8) bool {
	for r, b := range w.bounds[p.bounds] {
		if int16(cnt[r]) < b.Lo || int16(cnt[r]) > b.Hi {
			return false
		}
	}
	return true
}

// costOf is what it costs that p is on these brokers.
func (w *window) costOf(p *part, stay, set []int16) (c windowCost) {
	c.held = int64(len(set)) * p.size()
	ranked := w.model.topics[p.topic].ranked()
	for _, b := range set {
		holds := w.holds(p, b)
		if holds == 0 && p.exists {
			c.copies++
			c.bytes += p.bytes
		}
		if holds&holdsInSync != 0 {
			c.lost--
		}
		if !ranked {
			c.worth -= worths[holds&holdsLead]
		}
	}
	if ranked {
		c.worth += w.model.ledOn(p, stay, set)
	}
	return c
}

// plus adds what a choice costs.
func (c *windowCost) plus(d *windowCost, times int64) {
	c.copies += times * d.copies
	c.bytes += times * d.bytes
	c.held += times * d.held
	c.lost += times * d.lost
	c.worth += times * d.worth
}
