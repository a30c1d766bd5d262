package placement

import "slices"

// leadPrices are prices at which a search for leaders has ended, by broker and by
// rack (nil where it did not look at racks).
type leadPrices struct{ price, byRack []vec }

// keepPrices notes where a search for leaders has ended.
func (s *solver) keepPrices(g *graph, topics []int32, price, byRack []vec) {
	at := len(s.topics)
	if !g.joint {
		at = int(topics[0])
	}
	s.leadPrices[at] = append(s.leadPrices[at], leadPrices{price, byRack})
}

// leadScope are topics whose leaders are balanced over one scope.
type leadScope struct {
	topics []int32
	scope  []int16
	final  []int32 // by broker: units
	even   *evenness
	racks  *rackLayer
}

// leaderMovesBound is a number of changes of leader that no plan can do without
// that has these replica sets and changes as few preferred leaders: what pins ask
// for, partitions whose preferred leader has no reason to change, and the price
// bound for all others, see bound_price.go. Where balance is no rule, prices are
// nothing.
func (s *solver) leaderMovesBound(l *leaders, g *graph) int {
	bound, joint := s.settledMoves(l), []int32(nil)
	for t := range s.topics {
		bound += s.pinnedMoves(&s.topics[t])
		scope := leadScope{topics: []int32{int32(t)}}
		switch s.topics[t].in.LeaderBalance {
		case BalanceCluster:
			joint = append(joint, int32(t))
			continue
		case BalanceTopic:
			scope.scope, scope.final = s.topics[t].in.Eligible, l.load[t*s.brokers:(t+1)*s.brokers]
			scope.even, scope.racks = &g.even[t], g.within[t]
		}
		bound += int(l.movesBound(&scope, s.leadPrices[t]))
	}
	return bound + int(l.movesBound(&leadScope{joint, s.scope, l.total, &g.overall, g.racks}, s.leadPrices[len(s.topics)]))
}

// movesBound is the number of changes of leader that the best of these prices
// proves. They prove one only where leaders are as even as they have them.
//
// Costs count changes of the preferred leader, then changes of leader. Where the
// bound is below what is planned, the difference may be in either: of plans with
// as many of the former it proves the rest of the latter; and of all plans that a
// former comes with one of the latter, but for partitions that another leads
// today than the first of their list.
func (l *leaders) movesBound(s *leadScope, prices []leadPrices) (most int64) {
	prices = append(prices, leadPrices{price: make([]vec, l.brokers)})
	for _, p := range prices {
		racks := s.racks
		if p.byRack == nil {
			racks = nil
		}
		got, moves, other := l.costOf(s, racks)
		bound := l.priceBound(s, p.price, p.byRack)
		if got.upTo(leadChanges) != bound.upTo(leadChanges) {
			continue
		}
		alike := moves - (got[leadChanges] - bound[leadChanges])
		any := (bound[leadChanges] - other*worthLeader + worthLeader) / (worthLeader + 1)
		most = max(most, alike, any)
	}
	return most
}

// settledMoves counts the changes of leader where the preferred one stays.
func (s *solver) settledMoves(l *leaders) (n int) {
	open := make([]bool, len(s.parts))
	for _, i := range l.parts {
		open[i] = true
	}
	for i := range s.parts {
		if p := &s.parts[i]; !open[i] && l.moves(p, s.presentLeader(p)) {
			n++
		}
	}
	return n
}

// moves says whether it is a change of leader that b leads p: the list changes,
// and another leads now.
func (m *model) moves(p *part, b int16) bool {
	return p.exists && b != p.in.Leader && (b != p.preferred || !m.sameSet(p))
}

// pinnedMoves counts the partitions of a topic whose pin has another leader.
func (m *model) pinnedMoves(t *topicModel) (n int) {
	if t.in.Fixed || t.infeasible != nil {
		return 0
	}
	for i := range t.in.Partitions {
		p := &t.in.Partitions[i]
		if p.Pin == nil || p.Replicas == nil || p.Frozen || p.Leader < 0 {
			continue
		}
		if p.Leader != m.firstAlive(p.Pin) && !slices.Equal(p.Pin, p.Replicas) {
			n++
		}
	}
	return n
}

// priceBound is the price bound of changes of leader, see bound_price.go: of
// topics that are balanced over one scope, with these prices. Where racks count,
// what a broker's price exceeds its rack's is set against its own evenness, and
// the rack's price against that of the rack.
func (l *leaders) priceBound(s *leadScope, price, byRack []vec) (v vec) {
	most := int64(0)
	base := slices.Clone(s.final)
	if s.even == nil {
		base = make([]int32, l.brokers)
	}
	for _, t := range s.topics {
		from, to := l.units(t)
		most += int64(to - from)
		for u := from; u < to; u++ {
			base[l.on[u]]--
			c := l.cheapestLeader(u, price)
			v.plus(&c)
		}
	}
	inRack, any := make([]int32, l.racks), make([]bool, l.racks)
	for _, b := range s.scope {
		any[l.rackOf[b]] = true
		inRack[l.rackOf[b]] += base[b]
		own := price[b]
		if byRack != nil {
			own.minus(&byRack[l.rackOf[b]])
		}
		c := s.even.cheapest(b, base[b], most, &own, leadRule)
		v.plus(&c)
	}
	for r := range byRack {
		if !any[r] {
			continue
		}
		c := s.racks.even.cheapest(int16(r), inRack[r], most, &byRack[r], leadRuleRack)
		v.plus(&c)
	}
	return v
}

// cheapestLeader is what the cheapest leader of a unit costs.
func (l *leaders) cheapestLeader(u int32, price []vec) (least vec) {
	for i, b := range l.targets(u) {
		if c := l.counted(u, b, price[b]); i == 0 || c.less(&least) {
			least = c
		}
	}
	return least
}

// counted is price and what it costs besides that b leads: a change of the
// preferred leader, and a change of leader.
func (l *leaders) counted(u int32, b int16, price vec) vec {
	p := &l.model.parts[l.parts[u]]
	price[leadRank] += l.rank(&l.topics[p.topic], b)
	if p.exists && b != p.preferred {
		price[leadChanges] += worthLeader
	}
	if l.moves(p, b) {
		price[leadChanges]++
	}
	return price
}

// costOf is what the units of a scope cost as they are, counted in the same way,
// how many changes of leader are in that, and how many units another leads today
// than the first of their list.
func (l *leaders) costOf(s *leadScope, racks *rackLayer) (c vec, moves, other int64) {
	for _, t := range s.topics {
		for u, to := l.units(t); u < to; u++ {
			c = l.counted(u, l.on[u], c)
			p := &l.model.parts[l.parts[u]]
			if l.moves(p, l.on[u]) {
				moves++
			}
			if p.in.Leader != p.preferred {
				other++
			}
		}
	}
	if s.even == nil {
		return c, moves, other
	}
	for _, b := range s.scope {
		c[leadRule] += s.even.deviation(b, s.final[b])
	}
	if racks != nil {
		for r, n := range racks.total {
			c[leadRuleRack] += racks.even.deviation(int16(r), n)
		}
	}
	return c, moves, other
}
