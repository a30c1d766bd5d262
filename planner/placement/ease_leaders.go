package placement

import "slices"

// maxLeaderChecks is how often leaders are chosen anew for other replicas.
const maxLeaderChecks = 64

// leadersOn are leaders, by part, that are as good for these replicas on every
// level as the present ones; nil where there are none, or none were found.
func (e *ease) leadersOn(units []int16) []int16 {
	clone := *e.model
	clone.unitAt = units
	s := &solver{model: &clone, budget: defaultBudget / 16, scales: clone.scales(), large: largeTopic}
	l, _ := s.chooseLeaders()
	if lead := s.chosen(l); e.costOf(lead) == e.costOf(e.lead()) {
		return lead
	}
	return nil
}

// lead is by part its leader.
func (e *ease) lead() []int16 {
	out := make([]int16, len(e.model.parts))
	for i := range out {
		out[i] = e.leadOf(int32(i))
	}
	return out
}

// costOf is what leaders cost: the levels, and of the rule the topics apart.
func (e *ease) costOf(lead []int16) (c [components + 1]int64) {
	load, total := slices.Clone(e.leaders.load), slices.Clone(e.leaders.total)
	for i, b := range lead {
		p := &e.model.parts[i]
		if b < 0 {
			continue
		}
		before := e.leadOf(int32(i))
		load[int(p.topic)*e.brokers+int(before)]--
		load[int(p.topic)*e.brokers+int(b)]++
		total[before]--
		total[b]++
		c[leadRank] += e.rank(&e.topics[p.topic], b)
		if p.exists {
			c[leadChanges] += p.change(b)
			c[leadReorders] += e.reorder(p, b)
		}
	}
	g := e.together.graph
	for t := range e.topics {
		own, eligible := load[t*e.brokers:(t+1)*e.brokers], e.topics[t].in.Eligible
		d := g.even[t].sum(own, eligible)
		c[leadTopic] += d
		if g.rules[t] {
			c[leadRule] += d
		}
		c[leadRuleRack] += g.rackWithin(int32(t)).unevenness(own)
	}
	c[leadCluster], c[leadRacks] = g.overall.sum(total, e.scope), g.racks.unevenness(total)
	return c
}

// relead makes these the leaders.
func (e *ease) relead(lead []int16) {
	for i, b := range lead {
		u := e.unitOf[i]
		if u < 0 || e.leaders.on[u] == b {
			continue
		}
		at := int(e.model.parts[i].topic) * e.brokers
		before := e.leaders.on[u]
		e.leaders.load[at+int(before)]--
		e.leaders.load[at+int(b)]++
		e.leaders.total[before]--
		e.leaders.total[b]++
		e.leaders.on[u] = b
	}
	e.together.graph.recountRacks()
}

// unitsOfPick are the brokers of all units where the items of a window are placed
// as picked.
func (w *window) unitsOfPick() []int16 {
	units := slices.Clone(w.unitAt)
	for _, s := range w.stepsTo(w.pick) {
		units[s.unit] = s.to
	}
	return units
}
