package planner

import (
	"fmt"

	"ballast/state"
)

// held is what stays on a draining broker: topics that this plan does not move, and
// of these those that it cannot, for their errors, and the journal's.
type held struct {
	names, failed []string
	journal       bool
}

// warnUnmanagedDrain: a draining broker that is not empty in the end.
func warnUnmanagedDrain(m *maker) {
	by := map[state.BrokerID]*held{}
	for _, t := range m.subjects {
		if t.live == nil || t.planned() || t.role == absent && !t.failed || t.leftOut {
			continue // what -target leaves out is told with it
		}
		for i := range t.live.Partitions {
			for _, b := range t.live.Partitions[i].Target() {
				if m.net.drains(b) {
					if by[b] == nil {
						by[b] = &held{}
					}
					by[b].add(t)
				}
			}
		}
	}
	for _, b := range m.d.Brokers {
		if h := by[b.ID]; h != nil {
			m.warn("drain_incomplete", "", b.Source, fmt.Sprintf("Broker %d drains and will not be empty", b.ID),
				fmt.Sprintf("Topics that this plan does not move have replicas on it: %s.%s", some(h.names), m.emptied(h)))
		}
	}
}

// add adds a topic, once.
func (h *held) add(t *subject) {
	if n := len(h.names); n > 0 && h.names[n-1] == t.name {
		return
	}
	h.names = append(h.names, t.name)
	if t.failed || t.role == broken {
		h.failed = append(h.failed, t.name)
	}
	h.journal = h.journal || t.role == journal
}

// emptied is what to do about what stays.
func (m *maker) emptied(h *held) (out string) {
	others := len(h.names) - len(h.failed)
	if h.journal {
		others--
	}
	if others > 0 {
		out = " Declare them, or say unmanaged { replicas = \"drain\" } for topics that nobody declares."
	}
	if len(h.failed) > 0 {
		out += fmt.Sprintf(" For %s see the errors.", some(h.failed))
	}
	if h.journal {
		out += fmt.Sprintf(" The topic %q holds the journal, which no plan moves: move it with kafka-reassign-partitions while no apply runs.", m.d.Journal.Topic)
	}
	return out
}
