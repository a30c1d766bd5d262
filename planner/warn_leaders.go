package planner

import "fmt"

// warnLeaders: under keep nobody asked for leaders to be home, and a leader
// that is not is only told.
func warnLeaders(m *maker) {
	for _, t := range m.subjects {
		if !t.planned() || t.live == nil || t.role != declared || asksLeaders(t) {
			continue
		}
		changes := changedPartitions(t)
		var names []string
		for i := range t.live.Partitions {
			p := &t.live.Partitions[i]
			first := p.Target()[0]
			if !changes[p.ID] && !p.InFlight() && p.Leader != first && m.net.alive(first) && m.net.alive(p.Leader) {
				names = append(names, partitionName(t.name, p.ID))
			}
		}
		if len(names) > 0 {
			m.warn("leader_not_preferred", t.name, at(t, ""), notLed(len(names), t.name),
				fmt.Sprintf("%s. The plan leaves them; declare leaders { balance = \"topic\" } to have them elected, or run ballast elect.", partitionsOf(names)))
		}
	}
}

func notLed(n int, topic string) string {
	if n == 1 {
		return fmt.Sprintf("1 partition of topic %q is not led by the preferred leader", topic)
	}
	return fmt.Sprintf("%d partitions of topic %q are not led by the preferred leader", n, topic)
}

func changedPartitions(t *subject) map[int32]bool {
	out := map[int32]bool{}
	if t.change != nil {
		for i := range t.change.Assignments {
			out[t.change.Assignments[i].Partition] = true
		}
	}
	return out
}
