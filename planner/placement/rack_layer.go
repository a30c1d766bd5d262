package placement

// rackLayer counts units by rack, so that racks become even as well, by the
// weights of their brokers: among leaders that are as even by broker, those that
// are evener by rack are better.
type rackLayer struct {
	of    []int16 // by broker
	total []int32 // by rack
	even  evenness
}

// newRackLayer counts these loads by rack; nil where there are not two racks.
func (m *model) newRackLayer(total []int32) *rackLayer {
	l := &rackLayer{of: m.rackOf, total: make([]int32, m.racks)}
	weight := make([]int64, m.racks)
	for _, b := range m.scope {
		weight[m.rackOf[b]] += m.weight[b]
	}
	var scope []int16
	for r, w := range weight {
		if w > 0 {
			scope = append(scope, int16(r))
		}
	}
	if len(scope) < 2 {
		return nil
	}
	l.recount(m.scope, total)
	divisor := int64(0)
	for _, w := range weight {
		divisor = gcd(divisor, w)
	}
	for r := range weight {
		weight[r] /= divisor
	}
	l.even = newEvenness(weight, scope, sum32(l.total, scope), weightSum(weight, scope))
	return l
}

// recount adds up the loads of brokers.
func (l *rackLayer) recount(scope []int16, total []int32) {
	clear(l.total)
	for _, b := range scope {
		l.total[l.of[b]] += total[b]
	}
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

// rackNode is the node of a rack.
func (g *graph) rackNode(r int16) int32 { return int32(len(g.topics)*g.brokers+g.brokers) + int32(r) }

// addRacks adds m to c as unevenness of racks.
func (g *graph) addRacks(c *vec, m int64) {
	if g.joint {
		c[leadRuleRack] += m
	}
	c[leadRacks] += m
}

// relaxRacks relaxes one unit more and one less at the racks, and the ways from
// there to the brokers.
func (g *graph) relaxRacks() {
	l, sink := g.racks, g.sink()
	for _, b := range g.scope {
		d := g.dist[g.brokerNode(b)]
		g.addCluster(&d, g.overall.marginal(b, g.total[b]))
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
		if g.total[b] == 0 {
			continue
		}
		from := g.rackNode(l.of[b])
		d := g.dist[from]
		g.addCluster(&d, -g.overall.marginal(b, g.total[b]-1))
		if g.reach(g.brokerNode(b), &d, from, -1) {
			g.lowered[b] = true
		}
	}
}
