package planner

import (
	"fmt"

	"ballast/state"
)

// warnUnmanagedDrain: a draining broker that is not empty in the end.
func warnUnmanagedDrain(m *maker) {
	held := map[state.BrokerID][]string{}
	runs := map[state.BrokerID]bool{} // those that the journal's topic is on
	for _, t := range m.subjects {
		if t.live == nil || t.planned() || t.role == absent && !t.failed || t.leftOut {
			continue // what -target leaves out is told with it
		}
		for i := range t.live.Partitions {
			for _, b := range t.live.Partitions[i].Target() {
				runs[b] = runs[b] || t.role == journal
				if names := held[b]; m.net.drains(b) && (len(names) == 0 || names[len(names)-1] != t.name) {
					held[b] = append(names, t.name)
				}
			}
		}
	}
	for _, b := range m.d.Brokers {
		if names := held[b.ID]; len(names) > 0 {
			m.warn("drain_incomplete", "", b.Source, fmt.Sprintf("Broker %d drains and will not be empty", b.ID),
				fmt.Sprintf("Topics that this plan does not move have replicas on it: %s.%s", some(names), m.emptied(runs[b.ID], len(names))))
		}
	}
}

// emptied is what to do about topics that stay on a draining broker, of which
// the journal's may be one.
func (m *maker) emptied(journal bool, topics int) string {
	out := ""
	if !journal || topics > 1 {
		out = " Declare them, or say unmanaged { replicas = \"drain\" } for topics that nobody declares."
	}
	if journal {
		out += fmt.Sprintf(" The topic %q holds the journal, which no plan moves: move it with kafka-reassign-partitions while no apply runs.", m.d.Journal.Topic)
	}
	return out
}
