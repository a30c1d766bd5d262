package planner

import "fmt"

// newFactor is the replication factor of partitions that are added: the declared
// one, or else partition 0's, since Kafka wants one number and reads it there.
func (m *maker) newFactor(t *subject) int {
	if t.want == nil || t.want.ReplicationFactor > 0 || t.live == nil || len(t.live.Partitions) == 0 {
		return m.factor(t)
	}
	if pin, ok := t.want.Replicas.Pin[0]; ok {
		return len(pin)
	}
	return len(t.live.Partitions[0].Target())
}

// checkGrowth: Kafka refuses partitions that have another number of replicas
// than partition 0 has by then.
func (m *maker) checkGrowth(t *subject) (failed bool) {
	if !t.planned() || t.live == nil || len(t.live.Partitions) == 0 {
		return false
	}
	first := len(t.sol.Replicas[0])
	for i := len(t.live.Partitions); i < len(t.sol.Replicas); i++ {
		if n := len(t.sol.Replicas[i]); n != first {
			m.reject(t, "growth_factor", at(t, "partitions"), fmt.Sprintf("Topic %q cannot grow: partition %d would have %d %s, and partition 0 has %d", t.name, i, n, replicas(n), first),
				"Kafka adds partitions with as many replicas as partition 0 has only. "+m.whyFirst(t))
			return true
		}
	}
	return false
}

// whyFirst says what to do about partition 0.
func (m *maker) whyFirst(t *subject) string {
	if t.problem.Partitions[0].Frozen {
		return "Partition 0 waits for the rack of a dead broker; start that, or declare its rack (broker \"ID\" { rack = … })."
	}
	return "Declare replication_factor, and pins of that length."
}

// warnGrowth: where nobody declared a replication factor and partitions differ,
// new ones have partition 0's.
func warnGrowth(m *maker) {
	for _, t := range m.subjects {
		if !t.planned() || t.live == nil || m.count(t) == len(t.live.Partitions) {
			continue
		}
		if n, usual := m.newFactor(t), m.factor(t); n != usual {
			m.warn("growth_factor", t.name, at(t, "partitions"), fmt.Sprintf("New partitions of topic %q get %d %s, and most have %d", t.name, n, replicas(n), usual),
				"Its partitions differ in their replicas, and Kafka adds partitions with as many as partition 0 has. Declare replication_factor to make all alike.")
		}
	}
}
