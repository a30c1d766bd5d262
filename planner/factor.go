package planner

import "ballast/state"

// factor is the replication factor that a topic is to have: the declared one,
// or else the one that most of its partitions have.
func (m *maker) factor(t *subject) int {
	if t.want != nil && t.want.ReplicationFactor > 0 {
		return t.want.ReplicationFactor
	}
	return usualFactor(t.live)
}

// usualFactor is the number of replicas that most partitions have, the larger
// one of two that are as frequent; 0 of a topic that does not exist.
func usualFactor(t *state.Topic) int {
	count, best := map[int]int{}, 0
	if t == nil {
		return 0
	}
	for i := range t.Partitions {
		n := len(t.Partitions[i].Replicas) - len(t.Partitions[i].Removing)
		count[n]++
	}
	for n, c := range count {
		if best == 0 || c > count[best] || c == count[best] && n > best {
			best = n
		}
	}
	return best
}

func maxFactor(t *state.Topic) int {
	most := 0
	if t == nil {
		return 0
	}
	for i := range t.Partitions {
		most = max(most, len(t.Partitions[i].Target()))
	}
	return most
}

// count is how many partitions a topic is to have.
func (m *maker) count(t *subject) int {
	n := 0
	if t.live != nil {
		n = len(t.live.Partitions)
	}
	if t.want != nil && t.role != placed {
		n = max(n, t.want.Partitions)
	}
	return n
}
