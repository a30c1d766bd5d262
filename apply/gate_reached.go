package apply

import "slices"

// gateReached wants each partition's replicas as planned, in order, and
// nothing adding or removing. It is read from metadata: the list of moves in
// flight is empty up to 1.5 s before the brokers agree.
func gateReached(s *scene) []Hold {
	var out []Hold
	for _, m := range s.batch {
		p := s.look.partition(m.Key())
		switch {
		case p == nil: // told as failed
		case s.look.target(m.Key()) != nil:
			out = append(out, hold(m.Key(), noBroker, "wait for it", "the move to %s is still in flight", listIDs(m.After)))
		case !slices.Equal(p.Replicas, m.After):
			out = append(out, hold(m.Key(), noBroker, "see who else reassigns partitions", "its replicas are %s, not %s", listIDs(p.Replicas), listIDs(m.After)))
		}
	}
	return out
}
