package placement

import "slices"

// window is a choice of partitions, and of brokers among which their replicas may
// be placed anew; replicas elsewhere stay. Every such placement is looked at, but
// for those that cannot be better than the best so far.
type window struct {
	*byteSearch
	among []int16
	items []windowItem
	most  windowValue // rule, copies and replicas given up must not be more
	now   windowValue // of what is placed so far
	best  windowValue
	pick  []int // by item: the choice that is tried
	found []int // by item: the best choice, nil where that is as it was
	rest  []windowRest
	open  []int64 // by topic: units that are not placed yet; the last is of all
	lows  []int64 // scratch
}

// windowItem is one partition's replicas among the brokers.
type windowItem struct {
	part    int32
	size    int64
	twin    bool // it is the same in everything as the item before
	was     int  // the choice that is as it is now
	choices []windowChoice
}

// windowChoice is a set of brokers for them, and what that costs.
type windowChoice struct {
	set []int16
	windowCost
}

// windowCost is what replicas cost whatever else is placed.
type windowCost struct{ copies, lost, worth int64 }

// windowValue is what a placement costs: rule, copies and lost bound it, then the
// least counts, uneven first.
type windowValue struct {
	windowCost
	rule           int64
	uneven         square
	topic, cluster int64
}

// windowRest is the least that the items from one on cost, and their bytes.
type windowRest struct {
	windowCost
	bytes int64
}

// newWindow takes partitions and brokers; nil where there are too many choices.
func (s *byteSearch) newWindow(parts []int32, among []int16, maxChoices int) *window {
	w := &window{byteSearch: s, among: among, open: make([]int64, len(s.model.topics)+1)}
	for _, i := range parts {
		item := w.item(i)
		if len(item.choices) == 0 || len(item.choices) > maxChoices {
			return nil
		}
		w.items = append(w.items, item)
	}
	slices.SortStableFunc(w.items, func(a, b windowItem) int {
		switch {
		case a.size > b.size:
			return -1
		case a.size < b.size:
			return 1
		}
		return 0
	})
	for k := 1; k < len(w.items); k++ {
		w.items[k].twin = w.twins(k-1, k)
	}
	return w
}

// twins says whether two items are new partitions of a topic that differ in
// nothing.
func (w *window) twins(k, l int) bool {
	p, q := &w.parts[w.items[k].part], &w.parts[w.items[l].part]
	return p.topic == q.topic && !p.exists && !q.exists && p.bounds == q.bounds && p.size() == q.size() &&
		len(w.items[k].choices) == len(w.items[l].choices) && len(w.items[k].choices[0].set) == int(p.units) && len(w.items[l].choices[0].set) == int(q.units)
}

// item finds the choices of partition i.
func (w *window) item(i int32) windowItem {
	p := &w.parts[i]
	item := windowItem{part: i, size: w.scale.of(p.size())}
	var stay, inside []int16
	for _, b := range w.unitsOf(p) {
		if slices.Contains(w.among, b) {
			inside = append(inside, b)
		} else {
			stay = append(stay, b)
		}
	}
	cnt := slices.Clone(w.counts(i))
	for _, b := range inside {
		cnt[w.rackOf[b]]--
	}
	slices.Sort(inside)
	w.sets(p, stay, cnt, 0, make([]int16, 0, len(inside)), len(inside), func(set []int16) {
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
	t := &w.byteSearch.replicas.topics[p.topic]
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
	t := &w.byteSearch.replicas.topics[p.topic]
	rank := t.in.NumLeaderRanks
	for _, b := range set {
		holds := w.holds(p, b)
		switch {
		case holds != 0:
			c.worth -= worths[holds&^holdsInSync]
		case p.exists:
			c.copies++
		}
		if holds&holdsInSync != 0 {
			c.lost--
		}
		if t.ranked() {
			rank = min(rank, t.in.LeaderRank[b])
		}
	}
	if t.ranked() {
		for _, b := range stay {
			rank = min(rank, t.in.LeaderRank[b])
		}
		c.worth += int64(rank) * worthPlace
	}
	return c
}

// plus adds what a choice costs.
func (c *windowCost) plus(d windowCost, times int64) {
	c.copies += times * d.copies
	c.lost += times * d.lost
	c.worth += times * d.worth
}
