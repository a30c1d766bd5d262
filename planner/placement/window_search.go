package placement

import "slices"

// run looks at the placements. It gives the moves to the best one, none where none
// is better, and says whether it has seen all that could be better.
func (w *window) run() (steps []step, all bool) {
	w.pick = make([]int, len(w.items))
	w.putAll(-1)
	w.now = windowValue{}
	w.putAll(1)
	w.most = w.now
	w.aim.begin(w)
	w.putAll(-1)
	w.now = windowValue{}
	w.bound()
	all = w.try(0)
	w.putAll(1)
	return w.steps(), all
}

// putAll places all items as they were, or takes them away.
func (w *window) putAll(times int64) {
	for k := range w.items {
		w.put(k, w.items[k].was, times)
	}
}

// bound drops choices that cost too much whatever the others are, and adds up the
// least that is still to come.
func (w *window) bound() {
	slack := w.most.windowCost
	for k := range w.items {
		least := w.items[k].least()
		slack.plus(&least, -1)
	}
	for k := range w.items {
		w.items[k].limit(&slack)
	}
	w.order()
	w.rest = make([]windowCost, len(w.items)+1)
	for k := len(w.items) - 1; k >= 0; k-- {
		item := &w.items[k]
		least := item.least()
		w.rest[k] = w.rest[k+1]
		w.rest[k].plus(&least, 1)
		w.open[w.topicOfItem(k)] += int64(len(item.choices[0].set))
		w.open[len(w.open)-1] += int64(len(item.choices[0].set))
	}
}

// least is the least of each cost of its choices.
func (item *windowItem) least() windowCost {
	c := item.choices[0].windowCost
	for k := range item.choices {
		x := &item.choices[k]
		c.copies, c.bytes = min(c.copies, x.copies), min(c.bytes, x.bytes)
		c.lost, c.worth = min(c.lost, x.lost), min(c.worth, x.worth)
	}
	return c
}

// limit drops the choices that cost more than the least and what may be lost over
// all items.
func (item *windowItem) limit(slack *windowCost) {
	least := item.least()
	keep := item.choices[:0:0]
	for i, c := range item.choices {
		if c.copies-least.copies > slack.copies || c.bytes-least.bytes > slack.bytes || c.lost-least.lost > slack.lost {
			continue
		}
		if i == item.was {
			item.was = len(keep)
		}
		keep = append(keep, c)
	}
	item.choices = keep
}

func (w *window) topicOfItem(k int) int32 { return w.parts[w.items[k].part].topic }

// put places item k by a choice, or takes it away, and counts what that costs.
func (w *window) put(k, choice int, times int64) {
	item := &w.items[k]
	c := &item.choices[choice]
	t := w.topicOfItem(k)
	load := w.loads(t)
	for _, b := range c.set {
		if times < 0 {
			load[b]--
			w.graph.total[b]--
		}
		var cost vec
		w.addTopic(&cost, t, w.topicCost(t, b, load[b]))
		w.addCluster(&cost, w.graph.overall.marginal(b, w.graph.total[b]))
		w.now.rule += times * cost[costRule]
		w.now.topic += times * cost[costTopic]
		w.now.cluster += times * cost[costCluster]
		if times > 0 {
			load[b]++
			w.graph.total[b]++
		}
		w.aim.put(&w.parts[item.part], b, times)
	}
	w.now.plus(&c.windowCost, times)
}

// try places the items from k on in all ways, and says whether the work sufficed.
func (w *window) try(k int) bool {
	if w.work += int64(len(w.among)); w.work > w.limit {
		return false
	}
	if k == len(w.items) {
		if w.now.within(&w.most) && w.aim.better(w) {
			w.found = slices.Clone(w.pick)
		}
		return true
	}
	if !w.promising(k) {
		return true
	}
	item := &w.items[k]
	n := int64(len(item.choices[0].set))
	first := 0
	if item.twin {
		first = w.pick[k-1]
	}
	w.open[w.topicOfItem(k)] -= n
	w.open[len(w.open)-1] -= n
	ok := true
	for c := first; c < len(item.choices) && ok; c++ {
		w.pick[k] = c
		w.put(k, c, 1)
		ok = w.try(k + 1)
		w.put(k, c, -1)
	}
	w.open[w.topicOfItem(k)] += n
	w.open[len(w.open)-1] += n
	return ok
}

// within says whether no bound is exceeded.
func (v *windowValue) within(most *windowValue) bool {
	return v.rule <= most.rule && v.copies <= most.copies && v.bytes <= most.bytes && v.lost <= most.lost
}

// promising says whether the items from k on may still lead to something better.
func (w *window) promising(k int) bool {
	rest := &w.rest[k]
	return w.now.copies+rest.copies <= w.most.copies && w.now.bytes+rest.bytes <= w.most.bytes &&
		w.now.lost+rest.lost <= w.most.lost && w.aim.promising(w, rest) && w.now.rule+w.leastRule() <= w.most.rule
}

// leastRule is the least that the balance rule comes to for the units that are not
// placed yet, wherever they go.
func (w *window) leastRule() (sum int64) {
	if w.joint {
		return w.leastOf(&w.graph.overall, w.graph.total, w.open[len(w.open)-1])
	}
	for k := range w.items {
		if t := w.topicOfItem(k); w.rules[t] && (k == 0 || t != w.topicOfItem(k-1)) && w.firstOf(k) {
			sum += w.leastOf(&w.even[t], w.loads(t), w.open[t])
		}
	}
	return sum
}

// firstOf says whether item k is the first of its topic.
func (w *window) firstOf(k int) bool {
	for l := range k {
		if w.topicOfItem(l) == w.topicOfItem(k) {
			return false
		}
	}
	return true
}

// leastOf is the least unevenness of n units more on these loads.
func (w *window) leastOf(e *evenness, load []int32, n int64) (sum int64) {
	w.work += n
	var more [64]int32
	for ; n > 0; n-- {
		best, least := -1, int64(0)
		for i, b := range w.among {
			if m := e.marginal(b, load[b]+more[i]); best < 0 || m < least {
				best, least = i, m
			}
		}
		more[best]++
		sum += least
	}
	return sum
}

// steps are the moves to the best placement.
func (w *window) steps() []step { return w.stepsTo(w.found) }

// stepsTo are the moves to a placement, none where that is nil.
func (w *window) stepsTo(pick []int) (steps []step) {
	for k, c := range pick {
		item := &w.items[k]
		p := &w.parts[item.part]
		before, after := item.choices[item.was].set, item.choices[c].set
		var to []int16
		for _, b := range after {
			if !slices.Contains(before, b) {
				to = append(to, b)
			}
		}
		for u := p.unit; u < p.unit+int32(p.units); u++ {
			if b := w.unitAt[u]; slices.Contains(before, b) && !slices.Contains(after, b) {
				steps = append(steps, step{u, b, to[0]})
				to = to[1:]
			}
		}
	}
	return steps
}
