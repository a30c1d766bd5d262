package placement

// mover is what a flow moves between brokers: replicas of partitions, or their
// leadership. A unit belongs to one topic and is on one broker.
type mover interface {
	units(topic int32) (from, to int32)
	at(u int32) int16
	partition(u int32) int32 // units of one partition have one number
	topicOf(u int32) int32
	eligible(topic int32) []int16
	level(g *graph)   // evens out the cluster, as a start
	relevel(g *graph) // the same where that has been done and little has changed since
	levelTopic(g *graph, topic int32)
	levelApart(g *graph) // evens out the cluster where topics are even by themselves
	swaps() swapper
	relaxUnits(g *graph, slot int)  // relaxes the moves of one topic's units
	cost(u int32, to int16, c *vec) // what going there costs, evenness aside; sets c
	move(u int32, to int16)         // goes there, whether the rules admit it or not
	legal(u int32) bool             // whether the partition of u is as the rules want it
}

// graph is the residual graph of a min-cost flow with convex costs: every unit
// flows from its partition over (topic, broker), the broker, and where racks count
// the rack, to the sink. Its nodes are (topic, broker) for each topic in play,
// broker, rack, and sink; its arcs
// are moves of units, and a unit more or less at a node. The placement is optimal
// exactly when there is no cycle of negative cost.
type graph struct {
	mover
	brokers int
	topics  []int32    // in play
	load    []int32    // by topic and broker: units in play, and all others of the topic
	total   []int32    // by broker, of all topics
	even    []evenness // by topic
	overall evenness
	rules   []bool // by topic: its unevenness counts in ruleAt as well
	joint   bool   // the unevenness over the cluster counts in ruleAt as well
	undoing bool   // moves are taken back, in reverse order
	tried   int64  // how often moves were tried
	// priced is told the prices of a unit by broker, and of that by rack, at which
	// a search over topics that are balanced over one scope has ended.
	priced func(topics []int32, price, byRack []vec)
	large  int32 // with how many units a topic is levelled like a cluster
	alone  bool  // the cluster counts for nothing, and total is not kept
	scope  []int16
	racks  *rackLayer   // over the cluster; nil where evenness of racks does not count
	within []*rackLayer // by topic, where evenness of racks is part of its rule; nil elsewhere

	ruleAt, topicAt, clusterAt int // components

	dist    []vec
	pred    []int32 // node before, -1 none
	via     []int32 // unit moved on the arc from pred, -1 none
	seen    []int32 // see cycles
	mark    int32
	fresh   []int32 // nodes that came nearer in this pass
	slots   []int32 // by slot: its topic, see layOut
	entry   []int16 // by slot: the rack by which units come into it, -1 where that is all the same
	slotOf  []int32 // by topic: its first slot
	state   []uint8 // by slot: what has to be relaxed again
	lowered []bool  // by broker: it came nearer
	hubs    []hub   // see replicas

	top, bottom []int64 // see levelTopic

	work, budget int64
	direct       int64 // what levelTopic may work
	offers       int64 // of units to hubs, in this pass of a topic
	failed       int
	exhausted    bool
}

// States of a slot.
const (
	clean    uint8 = iota
	rowDirty       // a node of it came nearer
	allDirty       // its loads or units changed
)

// maxFailed is how many cycles may turn out not to be worth it before the
// search gives up. None has been seen to.
const maxFailed = 1000

// fork is a graph that works on one topic at a time, of the same placement.
func (g *graph) fork() *graph {
	return &graph{
		mover: g.mover, brokers: g.brokers, load: g.load, even: g.even, rules: g.rules, scope: g.scope,
		ruleAt: g.ruleAt, topicAt: g.topicAt, clusterAt: g.clusterAt, alone: true, priced: g.priced, large: g.large,
		within: g.within,
	}
}

// maxNodes bounds how many nodes topics get for the sake of their racks.
const maxNodes = 4_000_000

// layOut gives topics in play their nodes: a slot has one for each broker. A topic
// whose racks are to be even has a slot for each rack. Its racks cross the brokers
// of the cluster, so what they cost is no cost of an arc; but a cycle that comes
// in at one broker and goes out at another makes the topic lead one less in the
// rack of the former and one more in that of the latter. So each slot is for what
// comes in by one rack, and what goes out of it pays for both. Where that would
// be too many nodes racks have no slots, and a cycle is rejected that makes them
// uneven.
func (g *graph) layOut() {
	if len(g.slotOf) == 0 {
		g.slotOf = make([]int32, len(g.even))
	}
	g.slots, g.entry = g.slots[:0], g.entry[:0]
	layered := !g.alone && g.within != nil && g.racks != nil && len(g.topics)*g.brokers*len(g.racks.total) <= maxNodes
	for _, t := range g.topics {
		g.slotOf[t] = int32(len(g.slots))
		within := g.rackWithin(t)
		if !layered || within == nil {
			g.slots, g.entry = append(g.slots, t), append(g.entry, -1)
			continue
		}
		for _, r := range within.racks {
			g.slots, g.entry = append(g.slots, t), append(g.entry, r)
		}
	}
}

// sink is the node where all flow ends.
func (g *graph) sink() int32 {
	n := int32(len(g.slots)*g.brokers + g.brokers)
	if g.racks != nil {
		n += int32(len(g.racks.total))
	}
	return n
}

// brokerNode is the node of a broker.
func (g *graph) brokerNode(b int16) int32 { return int32(len(g.slots)*g.brokers) + int32(b) }

// reset makes all nodes equally far, and everything subject to be relaxed.
func (g *graph) reset() {
	g.layOut()
	nodes := int(g.sink()) + 1
	if cap(g.dist) < nodes {
		g.dist, g.pred, g.via = make([]vec, nodes), make([]int32, nodes), make([]int32, nodes)
		g.seen = make([]int32, nodes)
		g.mark = 0
	}
	g.dist, g.pred, g.via, g.seen = g.dist[:nodes], g.pred[:nodes], g.via[:nodes], g.seen[:nodes]
	clear(g.dist)
	for i := range g.pred {
		g.pred[i], g.via[i] = -1, -1
	}
	g.state = append(g.state[:0], make([]uint8, len(g.slots))...)
	g.lowered = append(g.lowered[:0], make([]bool, g.brokers)...)
	g.work, g.failed, g.exhausted = 0, 0, false
	g.soil()
}

// soil marks everything to be relaxed.
func (g *graph) soil() {
	for slot := range g.state {
		g.state[slot] = allDirty
	}
}

// topicCost is the unevenness by topic of the (k+1)-th replica.
func (g *graph) topicCost(t int32, b int16, k int32) int64 { return g.even[t].marginal(b, k) }

// addTopic adds m to c as unevenness of topic t.
func (g *graph) addTopic(c *vec, t int32, m int64) {
	if g.rules[t] {
		c[g.ruleAt] += m
	}
	c[g.topicAt] += m
}

// addCluster adds m to c as unevenness over the cluster.
func (g *graph) addCluster(c *vec, m int64) {
	if g.joint {
		c[g.ruleAt] += m
	}
	c[g.clusterAt] += m
}
