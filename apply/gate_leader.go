package apply

import "ballast/state"

// gateLeader wants a leader among the in-sync replicas of the planned list.
// Whether it is the preferred one is for the election step to see to.
func gateLeader(s *scene) []Hold {
	var out []Hold
	for _, m := range s.batch {
		p := s.look.partition(m.Key())
		if p == nil || s.run.base.offline[m.Key()] {
			continue
		}
		switch {
		case p.Leader == state.NoLeader:
			out = append(out, hold(m.Key(), noBroker, "bring back one of its brokers", "it has no leader"))
		case !state.Contains(m.After, p.Leader):
			out = append(out, hold(m.Key(), p.Leader, "wait for it", "its leader, broker %d, is none of %s", p.Leader, listIDs(m.After)))
		}
	}
	return out
}
