package placement

import "slices"

// slopes are prices of a replica by broker, and the loads for which they are. Any
// prices between what the last unit of these loads has cost and what one more
// would give a bound: whatever the loads become, evenness changes by no less than
// the prices say.
type slopes struct {
	topic   []vec // by topic and broker: of unevenness of the topic
	cluster []vec // by broker: of that over the cluster
	load    []int32
	total   []int32
}

// price is what a replica of topic t on b is worth in evenness.
func (s *slopes) price(brokers int, t int32, b int16) vec {
	c := s.topic[int(t)*brokers+int(b)]
	c.plus(&s.cluster[b])
	return c
}

// newSlopes searches prices for the topics in play: where the flow is optimal,
// those that prove it.
func (g *graph) newSlopes(budget int64) *slopes {
	g.reset()
	g.budget = budget
	for g.pass() && g.work <= budget && len(g.cycles()) == 0 {
	}
	s := &slopes{
		topic: make([]vec, len(g.load)), cluster: make([]vec, g.brokers),
		load: slices.Clone(g.load), total: slices.Clone(g.total),
	}
	sink := &g.dist[g.sink()]
	for _, b := range g.scope {
		node := &g.dist[g.brokerNode(b)]
		c := *sink
		c.minus(node)
		s.cluster[b] = between(c, g.total[b], func(k int32) vec { return g.clusterVec(b, k) })
		for slot, t := range g.slots {
			at := int(t)*g.brokers + int(b)
			c := *node
			c.minus(&g.dist[slot*g.brokers+int(b)])
			s.topic[at] = between(c, g.load[at], func(k int32) vec { return g.topicVec(t, b, k) })
		}
	}
	return s
}

// between is c, or what is nearest of what the k-th unit has cost and the next one
// would.
func between(c vec, k int32, marginal func(k int32) vec) vec {
	if next := marginal(k); next.less(&c) {
		return next
	}
	if k > 0 {
		if last := marginal(k - 1); c.less(&last) {
			return last
		}
	}
	return c
}

// options are what may be chosen for a partition.
type options struct {
	part, topic int32
	sets        []choice // of replicas, the present one first
	leaders     []leaderOption
	least       vec // excess of any set
	leastLead   vec // what any leader costs, evenness aside
}

// choice is a set of replicas.
type choice struct {
	brokers []int16
	cost    vec // more than the present set costs, evenness aside
	excess  vec // the same, and evenness at the prices
}

// leaderOption is a broker that may lead, and the sets that have it.
type leaderOption struct {
	broker int16
	sets   []int32
	least  vec // excess of these
}

// maxSets bounds how many sets of a partition are all looked at. Where there are
// more, it is those that differ from the present one in one replica.
const maxSets = 300

// leastExcess is the least excess of all sets of partition i.
func (s *few) leastExcess(i int32) (least vec) {
	p := &s.model.parts[i]
	present := slices.Clone(s.unitsOf(p))
	here := s.choice(p, present)
	s.eachSet(p, present, func(set []int16) {
		c := s.choice(p, set)
		if c.excess.minus(&here.excess); c.excess.less(&least) {
			least = c.excess
		}
	})
	return least
}

// newOptions lists the sets of partition i that cost no more than the slack.
func (s *few) newOptions(i int32) *options {
	p := &s.model.parts[i]
	o := &options{part: i, topic: p.topic}
	present := slices.Clone(s.unitsOf(p))
	here := s.choice(p, present)
	o.sets = append(o.sets, choice{brokers: present})
	s.eachSet(p, present, func(set []int16) {
		c := s.choice(p, set)
		c.cost.minus(&here.cost)
		if c.excess.minus(&here.excess); s.slack.less(&c.excess) {
			return
		}
		if c.excess.less(&o.least) {
			o.least = c.excess
		}
		c.brokers = slices.Clone(set)
		o.sets = append(o.sets, c)
	})
	s.mayLead(o)
	return o
}

// choice is what a set costs, not yet set against the present one.
func (s *few) choice(p *part, set []int16) choice {
	c := choice{brokers: set, cost: s.costOf(p, set)}
	c.excess = c.cost
	for _, b := range set {
		price := s.prices.price(s.brokers, p.topic, b)
		c.excess.plus(&price)
	}
	s.work += 4
	return c
}

// costOf is what a set costs a partition, evenness aside.
func (s *few) costOf(p *part, set []int16) (c vec) {
	without := uint8(0)
	if s.topics[p.topic].ranked() {
		without = holdsLead
		c[costWorth] = s.ledOn(p, set, nil)
	}
	for _, b := range set {
		// What it holds today makes it no copy, the lead aside.
		holds := s.holds(p, b)
		p.enter(holds, &c)
		c[costWorth] += worths[holds&without]
	}
	return c
}

// eachSet calls f with every set that the rules admit but the present one.
func (s *few) eachSet(p *part, present []int16, f func([]int16)) {
	eligible := s.topics[p.topic].in.Eligible
	if combinations(len(eligible), len(present)) > maxSets {
		set := slices.Clone(present)
		for k, b := range present {
			for _, set[k] = range eligible {
				if !has(present, set[k]) && s.admits(p, set) {
					f(set)
				}
			}
			set[k] = b
		}
		return
	}
	var extend func(set []int16, from int)
	extend = func(set []int16, from int) {
		if len(set) == len(present) {
			if s.admits(p, set) && !sameBrokers(set, present) {
				f(set)
			}
			return
		}
		for k := from; k <= len(eligible)-len(present)+len(set); k++ {
			extend(append(set, eligible[k]), k+1)
		}
	}
	extend(make([]int16, 0, len(present)), 0)
}

// combinations is n over k, or more than maxSets.
func combinations(n, k int) int {
	c := 1
	for i := range min(k, n-k) {
		if c = c * (n - i) / (i + 1); c > maxSets {
			break
		}
	}
	return c
}

// sameBrokers says whether two sets of one size are the same.
func sameBrokers(a, b []int16) bool {
	for _, x := range a {
		if !has(b, x) {
			return false
		}
	}
	return true
}

// admits says whether a set keeps the bounds of the racks, and has a replica where
// the leader must be.
func (s *few) admits(p *part, set []int16) bool {
	t := &s.topics[p.topic]
	for r, b := range s.bounds[p.bounds] {
		n := int16(0)
		for _, x := range s.staysOf(p) {
			if int(s.rackOf[x]) == r {
				n++
			}
		}
		for _, x := range set {
			if int(s.rackOf[x]) == r {
				n++
			}
		}
		if n < b.Lo || n > b.Hi {
			return false
		}
	}
	return !t.in.LeaderRequired || slices.ContainsFunc(set, t.listed)
}

// mayLead lists who may lead, and in which sets.
func (s *few) mayLead(o *options) {
	t := &s.topics[o.topic]
	for i := range o.sets {
		set := &o.sets[i]
		for _, b := range set.brokers {
			if t.in.LeaderRequired && !t.listed(b) {
				continue
			}
			l := o.leader(b, &set.excess)
			if l.sets = append(l.sets, int32(i)); set.excess.less(&l.least) {
				l.least = set.excess
			}
		}
	}
	for i, l := range o.leaders {
		c := s.leaderCost(o, l.broker)
		if i == 0 {
			o.leastLead = c
		}
		for x := range c {
			o.leastLead[x] = min(o.leastLead[x], c[x])
		}
	}
}

// leader is the entry of a broker, a new one where it has none.
func (o *options) leader(b int16, excess *vec) *leaderOption {
	for i := range o.leaders {
		if o.leaders[i].broker == b {
			return &o.leaders[i]
		}
	}
	o.leaders = append(o.leaders, leaderOption{broker: b, least: *excess})
	return &o.leaders[len(o.leaders)-1]
}
