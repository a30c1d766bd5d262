package planner

import (
	"fmt"

	"ballast/state"
)

// riskMayNotComplete: a move that keeps a replica which is dead or out of sync
// hangs before Kafka 4.3, and may end with fewer live copies from then on. A
// reorder is done at once.
func riskMayNotComplete(m *maker, t *subject, r *riskList) {
	n, first, dead := 0, int32(0), state.BrokerID(-1)
	for i := range t.change.Assignments {
		a := &t.change.Assignments[i]
		if len(a.Before) == 0 || len(without(a.After, a.Before))+len(without(a.Before, a.After)) == 0 {
			continue
		}
		if b, ok := m.keepsLost(&t.live.Partitions[a.Partition], a); ok {
			if n == 0 {
				first, dead = a.Partition, b
			}
			n++
		}
	}
	if n > 0 {
		r.add("may_not_complete", fmt.Sprintf("%s (%s-%d the first) would keep a replica that is dead or out of sync (on broker %d): the move may not complete before that replica is back in sync.", partitions(n), t.name, first, dead))
	}
}

// keepsLost returns a replica that stays though it is dead or out of sync.
func (m *maker) keepsLost(p *state.Partition, a *Assignment) (state.BrokerID, bool) {
	for _, b := range a.After {
		if state.Contains(a.Before, b) && !state.Contains(p.Adding, b) && (!m.net.alive(b) || !state.Contains(p.ISR, b)) {
			return b, true
		}
	}
	return 0, false
}
