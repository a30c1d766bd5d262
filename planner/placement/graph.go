package placement

// mover is what a flow moves between brokers: replicas of partitions, or their
// leadership. A unit belongs to one topic and is on one broker.
type mover interface {
	units(topic int32) (from, to int32)
	at(u int32) int16
	partition(u int32) int32 // units of one partition have one number
	topicOf(u int32) int32
	level(g *graph) // evens out the cluster, as a start
	levelTopic(g *graph, topic int32)
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
	alone   bool   // the cluster counts for nothing, and total is not kept
	scope   []int16
	racks   *rackLayer // nil where evenness of racks does not count

	ruleAt, topicAt, clusterAt int // components

	dist    []vec
	pred    []int32 // node before, -1 none
	via     []int32 // unit moved on the arc from pred, -1 none
	seen    []int32 // see cycles
	mark    int32
	fresh   []int32 // nodes that came nearer in this pass
	slotOf  []int32 // by topic
	state   []uint8 // by slot: what has to be relaxed again
	lowered []bool  // by broker: it came nearer
	hubs    []hub   // see replicas

	top, bottom []int64 // see levelTopic

	work, budget int64
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
		ruleAt: g.ruleAt, topicAt: g.topicAt, clusterAt: g.clusterAt, alone: true,
	}
}

// sink is the node where all flow ends.
func (g *graph) sink() int32 {
	n := int32(len(g.topics)*g.brokers + g.brokers)
	if g.racks != nil {
		n += int32(len(g.racks.total))
	}
	return n
}

// brokerNode is the node of a broker.
func (g *graph) brokerNode(b int16) int32 { return int32(len(g.topics)*g.brokers) + int32(b) }

// reset makes all nodes equally far, and everything subject to be relaxed.
func (g *graph) reset() {
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
	if len(g.slotOf) == 0 {
		g.slotOf = make([]int32, len(g.even))
	}
	for slot, t := range g.topics {
		g.slotOf[t] = int32(slot)
	}
	g.state = append(g.state[:0], make([]uint8, len(g.topics))...)
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
