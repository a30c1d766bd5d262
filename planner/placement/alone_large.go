package placement

import "slices"

// largeTopic is with how many units a topic is levelled like a cluster of its own,
// which looks at many units at once, rather than move by move.
const largeTopic = 2_000

// isLarge says whether a topic has so many.
func (g *graph) isLarge(topic int32) bool {
	from, to := g.units(topic)
	return to-from > g.large
}

// levelLarge evens out one topic as if it were the cluster: its loads are the
// brokers', and its rule is that over the cluster.
func (g *graph) levelLarge(topic int32) {
	own := &graph{
		mover: g.mover, brokers: g.brokers, topics: []int32{topic}, load: g.load, even: g.even, overall: g.even[topic],
		total: slices.Clone(g.load[int(topic)*g.brokers : (int(topic)+1)*g.brokers]),
		rules: make([]bool, len(g.rules)), joint: true, scope: g.mover.eligible(topic), racks: g.rackWithin(topic),
		ruleAt: g.ruleAt, topicAt: g.topicAt, clusterAt: g.clusterAt, budget: largeBudget, priced: g.priced,
	}
	own.level(own)
}

// largeBudget is the counted work of levelling one large topic.
const largeBudget = 50_000_000
