package planner

import (
	"fmt"
	"sort"
	"strings"

	"ballast/config"
	"ballast/state"
)

// failRackless reports topics whose rack rule cannot be told or kept, since
// brokers have no rack: once, at the first of them.
func (m *maker) failRackless(topics []*subject) {
	if len(topics) == 0 {
		return
	}
	brokers := map[state.BrokerID]bool{}
	for _, t := range topics {
		t.failed = true
		eligible := m.eligible(t.want)
		for _, b := range m.racklessOf(eligible) {
			brokers[b] = true
		}
		if t.want.Replicas.RackSpread == config.SpreadDefault {
			rackless, _ := m.net.rackless()
			for _, b := range rackless {
				brokers[b] = true
			}
		}
	}
	ids := make([]state.BrokerID, 0, len(brokers))
	for b := range brokers {
		ids = append(ids, b)
	}
	sort.Slice(ids, func(i, j int) bool { return ids[i] < ids[j] })
	first := topics[0]
	m.fail("rack_missing", first.name, first.want.At("replicas.rack_spread"),
		"Brokers without a rack: "+join(ids), fmt.Sprintf(
			"Replicas cannot be spread over racks while these brokers have none, so nothing is planned for %s. Set broker.rack on them, or declare rack_spread = \"none\" for topics that need no racks.", nameSome(topics)))
	for _, t := range topics {
		t.blame = append(t.blame, m.diags[len(m.diags)-1])
	}
}

// nameSome names topics, the first few of many.
func nameSome(topics []*subject) string {
	var names []string
	for _, t := range topics {
		names = append(names, t.name)
	}
	return some(names)
}

// some lists a few of many names, quoted.
func some(names []string) string {
	const most = 10
	var out []string
	for i, n := range names {
		if i == most {
			out = append(out, fmt.Sprintf("and %d more", len(names)-most))
			break
		}
		out = append(out, quoted(n))
	}
	return strings.Join(out, ", ")
}

// join lists broker ids, the first ones of many.
func join(ids []state.BrokerID) string {
	const most = 20
	var out []string
	for i, id := range ids {
		if i == most && len(ids) > most+1 {
			return strings.Join(out, ", ") + fmt.Sprintf(" and %d more", len(ids)-most)
		}
		out = append(out, fmt.Sprint(id))
	}
	return strings.Join(out, ", ")
}
