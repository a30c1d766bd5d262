package planner

import (
	"fmt"
	"strings"

	"ballast/config"
	"ballast/planner/placement"
	"ballast/state"
)

// allows says whether a topic's racks, brokers and class allow a broker,
// whatever its state.
func (m *maker) allows(want *config.Topic, b int) bool {
	r := &want.Replicas
	id, rack := m.net.ids[b], m.net.rack(m.net.ids[b])
	if r.Racks != nil && !hasText(r.Racks, rack) {
		return false
	}
	if r.Brokers != nil && !state.Contains(r.Brokers, id) {
		return false
	}
	return r.Class == "" || m.inClass(r.Class, id, rack)
}

func (m *maker) inClass(name string, id state.BrokerID, rack string) bool {
	for _, c := range m.d.Classes {
		if c.Name == name && (state.Contains(c.Brokers, id) || rack != "" && hasText(c.Racks, rack)) {
			return true
		}
	}
	return false
}

// eligible are the brokers that a topic's replicas may be put on: alive, not
// draining, allowed.
func (m *maker) eligible(want *config.Topic) []int16 {
	var out []int16
	for b := range m.net.broker {
		if m.net.broker[b].Alive && !m.net.broker[b].Drains && (want == nil || m.allows(want, b)) {
			out = append(out, int16(b))
		}
	}
	return out
}

// spread is the rack rule of a topic; ok is false where brokers without a rack
// make it impossible to tell.
func (m *maker) spread(want *config.Topic, eligible []int16) (rule placement.Spread, ok bool) {
	if want.Replicas.PerRack != nil {
		return placement.SpreadPerRack, true
	}
	switch want.Replicas.RackSpread {
	case config.SpreadNone:
		return placement.SpreadNone, true
	case config.SpreadEven:
		return placement.SpreadEven, len(m.racklessOf(eligible)) == 0
	case config.SpreadDistinct:
		return placement.SpreadDistinct, len(m.racklessOf(eligible)) == 0
	}
	rackless, all := m.net.rackless()
	if all {
		return placement.SpreadNone, true
	}
	return placement.SpreadEven, len(rackless) == 0
}

func (m *maker) racklessOf(brokers []int16) []state.BrokerID {
	var out []state.BrokerID
	for _, b := range brokers {
		if m.net.broker[b].Rack < 0 {
			out = append(out, m.net.ids[b])
		}
	}
	return out
}

// leaderRanks has each broker's place in a topic's leader preference: brokers
// in their order, then racks in theirs. Nil without a preference.
func (m *maker) leaderRanks(l *config.Leaders) (ranks []int16, n int16) {
	n = int16(len(l.Brokers) + len(l.Racks))
	if n == 0 {
		return nil, 0
	}
	ranks = make([]int16, len(m.net.ids))
	for b, id := range m.net.ids {
		ranks[b] = n
		for i := len(l.Racks) - 1; i >= 0; i-- {
			if m.net.rack(id) == l.Racks[i] {
				ranks[b] = int16(len(l.Brokers) + i)
			}
		}
		for i := len(l.Brokers) - 1; i >= 0; i-- {
			if id == l.Brokers[i] {
				ranks[b] = int16(i)
			}
		}
	}
	return ranks, n
}

// ineligible says why a broker may not hold a topic's replicas, or "".
func (m *maker) ineligible(want *config.Topic, id state.BrokerID) string {
	b, ok := m.net.index[id]
	switch {
	case !ok || m.net.live[b] == nil:
		return "is not registered"
	case !m.net.broker[b].Alive:
		return "is dead"
	case m.net.broker[b].Drains:
		return "drains"
	case !m.allows(want, int(b)):
		return "is outside of the topic's racks, brokers or class"
	}
	return ""
}

// byRack tells how many brokers of a list are in each rack: "r1: 2, r2: 0".
func (m *maker) byRack(brokers []int16) string {
	count, none := make([]int, len(m.net.racks)), 0
	for _, b := range brokers {
		if r := m.net.broker[b].Rack; r >= 0 {
			count[r]++
		} else {
			none++
		}
	}
	var parts []string
	for r, name := range m.net.racks {
		parts = append(parts, fmt.Sprintf("rack %s: %d", quoted(name), count[r]))
	}
	if none > 0 || len(parts) == 0 {
		parts = append(parts, fmt.Sprintf("without a rack: %d", none))
	}
	return strings.Join(parts, ", ")
}

func hasText(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
