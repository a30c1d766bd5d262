package placement

import "slices"

// leaderMovesBound is a number of changes of leader that no plan can do without:
// a live leader on a broker that the rules do not admit has to go, and so has one
// that a pin does not put first.
func (m *model) leaderMovesBound() int {
	bound := 0
	for t := range m.topics {
		topic := &m.topics[t]
		if topic.in.Fixed || topic.infeasible != nil {
			continue
		}
		for i := range topic.in.Partitions {
			p := &topic.in.Partitions[i]
			switch {
			case p.Replicas == nil || p.Frozen || p.Leader < 0:
			case p.Pin != nil:
				if p.Leader != m.firstAlive(p.Pin) && !slices.Equal(p.Pin, p.Replicas) {
					bound++
				}
			case !topic.eligible[p.Leader]:
				bound++
			}
		}
	}
	return bound
}
