package placement

// run cancels cycles of negative cost until there is none, or the budget ends.
// Distances are kept from one search to the next: any distances will do as a
// start, and only what a cancelled cycle has changed is relaxed again. Where
// nothing is left to relax, all of it is relaxed once more; if no node comes
// nearer, the distances are the proof that no cycle of negative cost is left.
func (g *graph) run() {
	g.reset()
	for proving := true; ; {
		if g.work > g.budget || g.failed > maxFailed {
			g.exhausted = true
			return
		}
		if g.pass() {
			if g.cancel() {
				proving = false
			}
			continue
		}
		if proving {
			return
		}
		g.soil()
		proving = true
	}
}

// pass relaxes every arc that may be shorter than what is known, and says whether
// any node came nearer.
func (g *graph) pass() bool {
	g.fresh = g.fresh[:0]
	for slot, state := range g.state {
		if state == clean {
			continue
		}
		g.state[slot] = clean
		if state == allDirty {
			g.relaxFromBrokers(int32(slot))
		}
		g.relaxUnits(g, slot)
		g.relaxToBrokers(int32(slot))
	}
	g.relaxSink()
	for b, lowered := range g.lowered {
		if lowered {
			g.lowered[b] = false
			g.relaxColumn(int16(b))
		}
	}
	return len(g.fresh) > 0
}

// reach lowers the distance of a node to d if that is nearer.
func (g *graph) reach(node int32, d *vec, from, unit int32) bool {
	if !d.less(&g.dist[node]) {
		return false
	}
	g.dist[node], g.pred[node], g.via[node] = *d, from, unit
	g.fresh = append(g.fresh, node)
	return true
}

// reachTopic is reach for a node of a slot.
func (g *graph) reachTopic(slot, node int32, d *vec, from, unit int32) {
	if g.reach(node, d, from, unit) && g.state[slot] == clean {
		g.state[slot] = rowDirty
	}
}

// relaxToBrokers relaxes one unit more at the nodes of a topic.
func (g *graph) relaxToBrokers(slot int32) {
	t := g.slots[slot]
	load := g.load[int(t)*g.brokers:]
	base := slot * int32(g.brokers)
	g.work += int64(len(g.scope))
	for _, b := range g.scope {
		d := g.dist[base+int32(b)]
		g.addTopic(&d, t, g.topicCost(t, b, load[b]))
		if in := g.entry[slot]; in >= 0 {
			d[leadRuleRack] += g.within[t].between(in, b)
		}
		if g.reach(g.brokerNode(b), &d, base+int32(b), -1) {
			g.lowered[b] = true
		}
	}
}

// relaxFromBrokers relaxes one unit less at the nodes of a topic.
func (g *graph) relaxFromBrokers(slot int32) {
	g.work += int64(len(g.scope))
	for _, b := range g.scope {
		g.relaxFromBroker(slot, b)
	}
}

// relaxFromBroker relaxes one unit less of a topic on a broker.
func (g *graph) relaxFromBroker(slot int32, b int16) {
	t := g.slots[slot]
	k := g.load[int(t)*g.brokers+int(b)]
	if in := g.entry[slot]; k == 0 || in >= 0 && in != g.within[t].of[b] {
		return
	}
	from := g.brokerNode(b)
	d := g.dist[from]
	g.addTopic(&d, t, -g.topicCost(t, b, k-1))
	g.reachTopic(slot, slot*int32(g.brokers)+int32(b), &d, from, -1)
}

// relaxColumn relaxes one unit less of every topic on a broker that came nearer.
func (g *graph) relaxColumn(b int16) {
	g.work += int64(len(g.slots))
	for slot := range g.slots {
		g.relaxFromBroker(int32(slot), b)
	}
}

// relaxSink relaxes one unit more and one less at the brokers.
func (g *graph) relaxSink() {
	if g.racks != nil {
		g.relaxRacks()
		return
	}
	sink := g.sink()
	for _, b := range g.scope {
		node := g.brokerNode(b)
		d := g.dist[node]
		if !g.alone {
			g.addCluster(&d, g.overall.marginal(b, g.total[b]))
		}
		g.reach(sink, &d, node, -1)
	}
	for _, b := range g.scope {
		d := g.dist[sink]
		if !g.alone {
			if g.total[b] == 0 {
				continue
			}
			g.addCluster(&d, -g.overall.marginal(b, g.total[b]-1))
		}
		if g.reach(g.brokerNode(b), &d, sink, -1) {
			g.lowered[b] = true
		}
	}
}
