package placement

// rackLayer counts units by rack, so that racks become even as well, by the
// weights of their brokers: among leaders that are as even by broker, those that
// are evener by rack are better.
type rackLayer struct {
	of    []int16 // by broker
	scope []int16 // the brokers that count
	racks []int16 // those with brokers
	total []int32 // by rack
	even  evenness
}

// newRackLayer counts the loads of these brokers by rack; nil where they are not
// in two racks at least.
func (m *model) newRackLayer(brokers []int16, total []int32) *rackLayer {
	l := &rackLayer{of: m.rackOf, scope: brokers, total: make([]int32, m.racks)}
	weight := make([]int64, m.racks)
	for _, b := range brokers {
		weight[m.rackOf[b]] += m.weight[b]
	}
	for r, w := range weight {
		if w > 0 {
			l.racks = append(l.racks, int16(r))
		}
	}
	if len(l.racks) < 2 {
		return nil
	}
	l.recount(total)
	divisor := int64(0)
	for _, w := range weight {
		divisor = gcd(divisor, w)
	}
	for r := range weight {
		weight[r] /= divisor
	}
	l.even = newEvenness(weight, l.racks, sum32(l.total, l.racks), weightSum(weight, l.racks))
	return l
}

// recount adds up the loads of brokers.
func (l *rackLayer) recount(total []int32) {
	clear(l.total)
	for _, b := range l.scope {
		l.total[l.of[b]] += total[b]
	}
}

// unevenness is that of the racks at these loads of brokers.
func (l *rackLayer) unevenness(load []int32) int64 {
	if l == nil {
		return 0
	}
	at := rackLayer{of: l.of, scope: l.scope, total: make([]int32, len(l.total))}
	at.recount(load)
	return l.even.sum(at.total, l.racks)
}

// shift moves one unit, and gives what that costs.
func (l *rackLayer) shift(from, to int16) int64 {
	a, b := l.of[from], l.of[to]
	if a == b {
		return 0
	}
	l.total[a]--
	c := l.even.marginal(b, l.total[b]) - l.even.marginal(a, l.total[a])
	l.total[b]++
	return c
}

// between is what it costs that a rack has one unit less and b's has one more.
func (l *rackLayer) between(rack, b int16) int64 {
	to := l.of[b]
	if rack == to {
		return 0
	}
	return l.even.marginal(to, l.total[to]) - l.even.marginal(rack, l.total[rack]-1)
}

// rackWithin counts the units of one topic by rack, nil where no rule asks.
func (g *graph) rackWithin(topic int32) *rackLayer {
	if g.within == nil {
		return nil
	}
	return g.within[topic]
}

// recountRacks counts all racks again.
func (g *graph) recountRacks() {
	if g.racks != nil {
		g.racks.recount(g.total)
	}
	for t, l := range g.within {
		if l != nil {
			l.recount(g.load[t*g.brokers : (t+1)*g.brokers])
		}
	}
}

// rackNode is the node of a rack.
func (g *graph) rackNode(r int16) int32 { return int32(len(g.slots)*g.brokers+g.brokers) + int32(r) }

// addRacks adds m to c as unevenness of racks.
func (g *graph) addRacks(c *vec, m int64) {
	if g.joint || g.alone {
		c[leadRuleRack] += m
	}
	if !g.alone {
		c[leadRacks] += m
	}
}

// relaxRacks relaxes one unit more and one less at the racks, and the ways from
// there to the brokers.
func (g *graph) relaxRacks() {
	l, sink := g.racks, g.sink()
	for _, b := range g.scope {
		d := g.dist[g.brokerNode(b)]
		if !g.alone {
			g.addCluster(&d, g.overall.marginal(b, g.total[b]))
		}
		g.reach(g.rackNode(l.of[b]), &d, g.brokerNode(b), -1)
	}
	for r := range int16(len(l.total)) {
		d := g.dist[g.rackNode(r)]
		g.addRacks(&d, l.even.marginal(r, l.total[r]))
		g.reach(sink, &d, g.rackNode(r), -1)
	}
	for r := range int16(len(l.total)) {
		if l.total[r] > 0 {
			d := g.dist[sink]
			g.addRacks(&d, -l.even.marginal(r, l.total[r]-1))
			g.reach(g.rackNode(r), &d, sink, -1)
		}
	}
	for _, b := range g.scope {
		from := g.rackNode(l.of[b])
		d := g.dist[from]
		if !g.alone {
			if g.total[b] == 0 {
				continue
			}
			g.addCluster(&d, -g.overall.marginal(b, g.total[b]-1))
		}
		if g.reach(g.brokerNode(b), &d, from, -1) {
			g.lowered[b] = true
		}
	}
}
