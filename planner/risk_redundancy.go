package planner

import "fmt"

// riskRedundancy: fewer copies survive fewer failures.
func riskRedundancy(m *maker, t *subject, r *riskList) {
	rf := t.change.ReplicationFactor
	if t.change.Action != Update || rf == nil || rf.After >= rf.Before {
		return
	}
	message := fmt.Sprintf("The replication factor falls from %d to %d.", rf.Before, rf.After)
	if rf.After == 1 {
		message += " Each partition is gone with the one broker that holds it."
	}
	r.add("redundancy_lowered", message)
}
