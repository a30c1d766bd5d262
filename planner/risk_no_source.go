package planner

import (
	"fmt"

	"ballast/state"
)

// riskNoSource: copies come from the leader. A partition without one takes the
// reassignment and stays as it is until a replica in sync is back.
func riskNoSource(m *maker, t *subject, r *riskList) {
	n, first := 0, int32(0)
	for i := range t.change.Assignments {
		a := &t.change.Assignments[i]
		if len(a.Before) == 0 || len(without(a.After, a.Before)) == 0 || m.net.alive(a.LeaderBefore) && a.LeaderBefore != state.NoLeader {
			continue
		}
		if n == 0 {
			first = a.Partition
		}
		n++
	}
	if n > 0 {
		r.add("no_leader", fmt.Sprintf("%s (%s-%d the first) without a live leader would be copied, and there is nothing to copy from: the move waits until a replica in sync is back. What is on dead brokers only is not saved by moving it.", partitions(n), t.name, first))
	}
}
