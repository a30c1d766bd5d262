package planner

import (
	"ballast/planner/placement"
	"ballast/state"
)

// reasons says why a partition that exists gets another list. They are told
// from what the old list did not meet, in a fixed order.
func (m *maker) reasons(t *subject, p *state.Partition, was, is []state.BrokerID) []Reason {
	out := []Reason{}
	removed, added := without(was, is), without(is, was)
	add := func(yes bool, r Reason) {
		if yes {
			out = append(out, r)
		}
	}
	add(p.InFlight(), ReasonInFlight)
	pinned := t.want != nil && t.want.Replicas.Pin[p.ID] != nil
	add(pinned, ReasonPin)
	add(len(was) != len(is), ReasonReplicationFactor)
	drains, outside := m.pushedOut(t, removed)
	add(drains > 0, ReasonDrain)
	add(outside > 0, ReasonBrokerSet)
	moved := min(len(added), len(removed)) - drains - outside
	rack := !pinned && moved > 0 && m.breaksRacks(t, was, len(is))
	add(rack, ReasonRack)
	led := t.want != nil && t.want.Leaders.Required && moved > 0 && !rack && !pinned
	balanced := moved > 0 && !rack && !pinned && !led
	add(balanced, ReasonBalance)
	reordered := len(added) == 0 && len(removed) == 0
	add(led || (reordered || state.Contains(is, was[0]) && is[0] != was[0]) && !pinned, ReasonLeader)
	return out
}

// pushedOut counts the brokers of a list that drain, and those that the topic's
// rules do not allow.
func (m *maker) pushedOut(t *subject, list []state.BrokerID) (drains, outside int) {
	for _, b := range list {
		switch {
		case m.net.drains(b):
			drains++
		case t.want != nil && !m.allows(t.want, int(m.net.index[b])):
			outside++
		}
	}
	return drains, outside
}

// breaksRacks says whether a list of replicas breaks the topic's rack rule.
func (m *maker) breaksRacks(t *subject, list []state.BrokerID, rf int) bool {
	held := make([]int, len(m.net.racks))
	for _, b := range list {
		if r := m.net.broker[m.net.index[b]].Rack; r >= 0 {
			held[r]++
		}
	}
	lo, hi := m.rackBounds(t, rf)
	for r := range held {
		if held[r] > hi[r] || len(list) >= rf && held[r] < lo[r] {
			return true
		}
	}
	return false
}

// bounds are how many replicas of a partition each rack has to hold at least
// and at most, by rack index.
type bounds struct{ lo, hi []int }

// rackBounds are the bounds that the topic's rule gives a partition of rf replicas.
func (m *maker) rackBounds(t *subject, rf int) (lo, hi []int) {
	b, ok := t.bounds[rf]
	if !ok {
		b = m.newBounds(t, rf)
		if t.bounds == nil {
			t.bounds = map[int]bounds{}
		}
		t.bounds[rf] = b
	}
	return b.lo, b.hi
}

func (m *maker) newBounds(t *subject, rf int) bounds {
	racks := m.racksOf(t.problem.Eligible)
	n := 0
	for _, ok := range racks {
		if ok {
			n++
		}
	}
	b := bounds{make([]int, len(racks)), make([]int, len(racks))}
	for r, ok := range racks {
		b.hi[r] = rf
		switch {
		case t.problem.Spread == placement.SpreadPerRack:
			b.lo[r], b.hi[r] = int(t.problem.PerRack[r]), int(t.problem.PerRack[r])
		case t.problem.Spread == placement.SpreadDistinct:
			b.hi[r] = 1
		case t.problem.Spread == placement.SpreadEven && ok:
			b.lo[r], b.hi[r] = rf/n, (rf+n-1)/n
		}
	}
	return b
}
