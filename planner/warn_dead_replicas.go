package planner

import (
	"fmt"
	"sort"

	"ballast/config"
	"ballast/state"
)

// warnDeadReplicas: a replica on a dead broker stays, since it may come back.
func warnDeadReplicas(m *maker) {
	for _, t := range m.subjects {
		if !t.planned() || t.live == nil {
			continue
		}
		var names []string
		brokers := map[state.BrokerID]bool{}
		for i := range t.live.Partitions {
			for _, b := range m.after(t, i) {
				if !m.net.alive(b) {
					brokers[b] = true
					if name := partitionName(t.name, int32(i)); !hasText(names[max(0, len(names)-1):], name) {
						names = append(names, name)
					}
				}
			}
		}
		if len(names) > 0 {
			m.warn("dead_replica_stays", t.name, at(t, ""), fmt.Sprintf("Topic %q keeps replicas on dead %s %s", t.name, brokerWord(len(brokers)), join(sortedIDs(brokers))),
				fmt.Sprintf("The broker may come back with them: %s. If it does not, let it drain (drain = true), and they are made anew elsewhere.", partitionsOf(names)))
		}
	}
}

// at is where an attribute of a topic is declared.
func at(t *subject, attribute string) config.Source {
	if t.want == nil {
		return config.Source{}
	}
	return t.want.At(attribute)
}

func sortedIDs(set map[state.BrokerID]bool) []state.BrokerID {
	out := make([]state.BrokerID, 0, len(set))
	for b := range set {
		out = append(out, b)
	}
	sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })
	return out
}
