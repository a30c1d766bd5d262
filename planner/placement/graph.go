package placement

// mover is what a flow moves between brokers: replicas of partitions, or their
// leadership. A unit belongs to one topic and is on one broker.
type mover interface {
	units(topic int32) (from, to int32)
	at(u int32) int16
	targets(u int32) []int16        // brokers that u may ever be on
	fits(u int32, to int16) bool    // whether u may go there now, all others staying
	cost(u int32, to int16, c *vec) // what going there costs, evenness aside; sets c
	move(u int32, to int16)         // goes there, whether it fits or not
	legal(u int32) bool             // whether the partition of u is as the rules want it
	partition(u int32) int32        // units of one partition have one number
	topicOf(u int32) int32
}

// graph is the residual graph of a min-cost flow with convex costs: every unit
// flows from its partition over (topic, broker) and the broker to the sink. Its
// nodes are (topic, broker) for each topic in play, broker, and sink. The
// placement is optimal exactly when this graph has no cycle of negative cost.
type graph struct {
	mover
	brokers int
	topics  []int32    // in play
	load    []int32    // by topic and broker: units in play, and all others of the topic
	total   []int32    // by broker, of all topics
	shares  []evenness // by topic
	overall evenness
	rules   []bool // by topic: its unevenness counts in ruleAt as well
	joint   bool   // the unevenness over the cluster counts in ruleAt as well
	scope   []int16

	ruleAt, topicAt, clusterAt int // components

	dist []vec
	pred []int32 // node before, -1 none
	via  []int32 // unit moved on the arc from pred, -1 none
	seen []int32

	work, budget int64
	exhausted    bool
}

// step is one unit's move.
type step struct {
	unit     int32
	from, to int16
}

// run cancels cycles of negative cost until there is none, or the budget ends.
func (f *graph) run() {
	nodes := len(f.topics)*f.brokers + f.brokers + 1
	f.dist = make([]vec, nodes)
	f.pred, f.via, f.seen = make([]int32, nodes), make([]int32, nodes), make([]int32, nodes)
	for f.improve() {
	}
}

// improve searches for cycles of negative cost and applies those that it finds.
// It says whether it is worth searching again.
func (f *graph) improve() bool {
	for i := range f.dist {
		f.dist[i], f.pred[i], f.via[i] = vec{}, -1, -1
	}
	for f.pass() {
		if f.work > f.budget {
			f.exhausted = true
			return false
		}
		cycles := f.cycles()
		if len(cycles) == 0 {
			continue
		}
		applied := false
		for _, c := range cycles {
			applied = f.apply(c) || applied
		}
		if !applied {
			f.exhausted = true
		}
		return applied
	}
	return false
}

// pass relaxes every arc once and says whether any distance fell.
func (f *graph) pass() bool {
	changed := false
	for slot := range f.topics {
		if f.relaxUnits(slot) {
			changed = true
		}
	}
	if f.relaxLoads() {
		changed = true
	}
	return changed
}

// relaxUnits relaxes the moves of one topic's units.
func (f *graph) relaxUnits(slot int) bool {
	changed := false
	from, to := f.units(f.topics[slot])
	base := int32(slot * f.brokers)
	f.work += int64(to-from) * int64(f.brokers)
	var c vec
	for u := from; u < to; u++ {
		a := base + int32(f.at(u))
		for _, b := range f.targets(u) {
			if base+int32(b) == a || !f.fits(u, b) {
				continue
			}
			f.cost(u, b, &c)
			changed = f.relax(a, base+int32(b), u, &c) || changed
		}
	}
	return changed
}

// relaxLoads relaxes the arcs that carry evenness only: a unit more at (topic,
// broker) and at the broker, or one less.
func (f *graph) relaxLoads() bool {
	changed := false
	broker := int32(len(f.topics) * f.brokers)
	sink := broker + int32(f.brokers)
	f.work += int64(sink)
	for slot, t := range f.topics {
		load := f.load[int(t)*f.brokers:]
		for _, b := range f.scope {
			node := int32(slot*f.brokers) + int32(b)
			more, less := f.topicCost(t, b, load[b], 1), f.topicCost(t, b, load[b]-1, -1)
			changed = f.relax(node, broker+int32(b), -1, &more) || changed
			if load[b] > 0 {
				changed = f.relax(broker+int32(b), node, -1, &less) || changed
			}
		}
	}
	for _, b := range f.scope {
		more, less := f.clusterCost(b, f.total[b], 1), f.clusterCost(b, f.total[b]-1, -1)
		changed = f.relax(broker+int32(b), sink, -1, &more) || changed
		if f.total[b] > 0 {
			changed = f.relax(sink, broker+int32(b), -1, &less) || changed
		}
	}
	return changed
}

// topicCost is the unevenness by topic of the (k+1)-th replica, times sign.
func (f *graph) topicCost(t int32, b int16, k int32, sign int64) (c vec) {
	m := sign * f.shares[t].marginal(b, k)
	if f.rules[t] {
		c[f.ruleAt] = m
	}
	c[f.topicAt] = m
	return c
}

// clusterCost is the unevenness over the cluster of the (k+1)-th replica, times sign.
func (f *graph) clusterCost(b int16, k int32, sign int64) (c vec) {
	m := sign * f.overall.marginal(b, k)
	if f.joint {
		c[f.ruleAt] = m
	}
	c[f.clusterAt] = m
	return c
}

// relax lowers the distance of node b if the arc from a, of cost c, is shorter.
func (f *graph) relax(a, b, unit int32, c *vec) bool {
	d := f.dist[a]
	d.plus(c)
	if !d.less(&f.dist[b]) {
		return false
	}
	f.dist[b], f.pred[b], f.via[b] = d, a, unit
	return true
}
