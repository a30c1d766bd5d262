package placement

// take counts the present replicas of a partition, or takes them away, and adds
// what that costs.
func (s *few) take(o *options, times int32) {
	for _, b := range o.sets[0].brokers {
		s.count(o.topic, b, times)
	}
}

// place puts a partition's replicas to a set. It gives what brokers cost for sure
// that have more than their prices are for.
func (s *few) place(o *options, set *choice) (over vec) {
	s.now.replicas.plus(&set.cost)
	for _, b := range set.brokers {
		at := int(o.topic)*s.brokers + int(b)
		k, all := s.f.load[at], s.f.total[b]
		s.count(o.topic, b, 1)
		if k >= s.prices.load[at] {
			c := s.f.topicVec(o.topic, b, k)
			c.minus(&s.prices.topic[at])
			over.plus(&c)
		}
		if all >= s.prices.total[b] {
			c := s.f.clusterVec(b, all)
			c.minus(&s.prices.cluster[b])
			over.plus(&c)
		}
	}
	return over
}

// displace takes them away again. What has been added up is not changed by that.
func (s *few) displace(o *options, set *choice) {
	for _, b := range set.brokers {
		s.f.load[int(o.topic)*s.brokers+int(b)]--
		s.f.total[b]--
	}
}

// count counts a replica, or takes it away, and adds what that costs.
func (s *few) count(t int32, b int16, times int32) {
	at := int(t)*s.brokers + int(b)
	if times < 0 {
		s.f.load[at]--
		s.f.total[b]--
	}
	c, all := s.f.topicVec(t, b, s.f.load[at]), s.f.clusterVec(b, s.f.total[b])
	c.plus(&all)
	if times < 0 {
		s.now.replicas.minus(&c)
		return
	}
	s.now.replicas.plus(&c)
	s.f.load[at]++
	s.f.total[b]++
}

// topicVec is what one unit more costs as unevenness of the topic.
func (g *graph) topicVec(t int32, b int16, k int32) (c vec) {
	g.addTopic(&c, t, g.topicCost(t, b, k))
	return c
}

// clusterVec is what one unit more costs as unevenness over the cluster.
func (g *graph) clusterVec(b int16, k int32) (c vec) {
	g.addCluster(&c, g.overall.marginal(b, k))
	return c
}

// lead counts b as leader of a partition, or takes it away, and adds what that
// costs.
func (s *few) lead(o *options, b int16, times int32) {
	g, at := s.g, int(o.topic)*s.brokers+int(b)
	r, in := g.racks, g.rackWithin(o.topic)
	turn := func() {
		g.load[at] += times
		g.total[b] += times
		if r != nil {
			r.total[r.of[b]] += times
		}
		if in != nil {
			in.total[in.of[b]] += times
		}
	}
	if times < 0 {
		turn()
	}
	c := s.leaderCost(o, b)
	g.addTopic(&c, o.topic, g.topicCost(o.topic, b, g.load[at]))
	g.addCluster(&c, g.overall.marginal(b, g.total[b]))
	if r != nil {
		g.addRacks(&c, r.even.marginal(r.of[b], r.total[r.of[b]]))
	}
	if in != nil {
		c[leadRuleRack] += in.even.marginal(in.of[b], in.total[in.of[b]])
	}
	if times < 0 {
		s.now.leaders.minus(&c)
		return
	}
	s.now.leaders.plus(&c)
	turn()
}

// leaderCost is what it costs that b leads, evenness aside.
func (s *few) leaderCost(o *options, b int16) (c vec) {
	p := &s.model.parts[o.part]
	c[leadRank] = s.rank(&s.topics[o.topic], b)
	if p.exists {
		c[leadChanges] = p.change(b)
	}
	return c
}

// leadersMay says whether leaders may become better than the best that is known:
// whether a bound is less. For each component it takes the least that the rest can
// cost, as if that were all that mattered, and any broker could lead.
func (s *few) leadersMay(r *rest) bool {
	for i := range s.now.leaders {
		bound := s.now.leaders[i] + r.lead[i] + s.leastEvenness(i, r)
		if best := s.best.leaders[i]; bound != best {
			return bound < best
		}
	}
	return false
}

// leastEvenness is what the rest costs at least in one component.
func (s *few) leastEvenness(component int, r *rest) (sum int64) {
	g := s.g
	switch component {
	case leadRule, leadTopic:
		if component == leadRule && g.joint {
			return s.fill(&g.overall, g.scope, g.total, r.n)
		}
		for _, c := range r.topics {
			if component == leadTopic || g.rules[c.topic] {
				sum += s.fill(&g.even[c.topic], s.topics[c.topic].in.Eligible, g.load[int(c.topic)*s.brokers:], c.n)
			}
		}
	case leadRuleRack:
		if g.joint {
			return s.fillRacks(g.racks, r.n)
		}
		for _, c := range r.topics {
			sum += s.fillRacks(g.rackWithin(c.topic), c.n)
		}
	case leadCluster:
		return s.fill(&g.overall, g.scope, g.total, r.n)
	case leadRacks:
		return s.fillRacks(g.racks, r.n)
	}
	return sum
}

// fillRacks is fill for racks.
func (s *few) fillRacks(l *rackLayer, n int32) int64 {
	if l == nil {
		return 0
	}
	return s.fill(&l.even, l.racks, l.total, n)
}

// fill is the least that n units more cost on these brokers.
func (s *few) fill(e *evenness, brokers []int16, load []int32, n int32) (sum int64) {
	if n == 0 {
		return 0
	}
	clear(s.filled)
	s.work += int64(n) * int64(len(brokers)) / 8
	for range n {
		best, least := brokers[0], int64(0)
		for i, b := range brokers {
			if m := e.marginal(b, load[b]+s.filled[b]); i == 0 || m < least {
				best, least = b, m
			}
		}
		s.filled[best]++
		sum += least
	}
	return sum
}
