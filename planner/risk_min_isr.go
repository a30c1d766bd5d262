package planner

import (
	"fmt"
	"strconv"
)

// riskMinISR: min.insync.replicas against the replication factor.
func riskMinISR(m *maker, t *subject, r *riskList) {
	if t.change.Action == Delete || t.role != declared {
		return
	}
	after, _ := strconv.Atoi(m.configAfter(t, minISR))
	was, _ := strconv.Atoi(m.configBefore(t, minISR))
	rf := m.factor(t)
	touched := t.change.changed(minISR) != nil || t.change.ReplicationFactor != nil
	switch {
	case after > rf:
		r.add("rf_below_min_isr", fmt.Sprintf("min.insync.replicas is %d and a partition has %d %s: nobody can produce with acks=all.", after, rf, replicas(rf)))
	case touched && after == rf && rf > 1:
		r.add("min_isr_equals_rf", fmt.Sprintf("min.insync.replicas equals the replication factor (%d): whenever one broker is down, nobody can produce with acks=all.", rf))
	}
	if t.change.Action == Update && after < was && after > 0 {
		r.add("min_isr_lowered", fmt.Sprintf("min.insync.replicas falls from %d to %d: acks=all is answered with fewer copies written.", was, after))
	}
}
