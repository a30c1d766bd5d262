package planner

import (
	"fmt"

	"ballast/state"
)

// riskRackDiversity: a partition that spans fewer racks than before, though it
// has no fewer replicas than it had racks.
func riskRackDiversity(m *maker, t *subject, r *riskList) {
	n, first := 0, int32(0)
	for _, a := range t.change.Assignments {
		if len(a.Before) == 0 {
			continue
		}
		was, is := m.rackCount(a.Before), m.rackCount(a.After)
		if is < was && is < len(a.After) {
			if n == 0 {
				first = a.Partition
			}
			n++
		}
	}
	if n > 0 {
		r.add("rack_diversity_lowered", fmt.Sprintf("%s (%s-%d the first) would span fewer racks than now: fewer of its racks have to fail to lose it.", partitions(n), t.name, first))
	}
}

// rackCount is in how many racks that are known the brokers are.
func (m *maker) rackCount(list []state.BrokerID) int {
	n := 0
	for i, b := range list {
		rack := m.net.rack(b)
		again := rack == ""
		for _, c := range list[:i] {
			again = again || m.net.rack(c) == rack
		}
		if !again {
			n++
		}
	}
	return n
}
