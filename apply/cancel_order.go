package apply

import (
	"fmt"

	"ballast/planner"
	"ballast/state"
)

// othersMove is a move in flight that is not ours. A cancel leaves the set of
// replicas that was there before; their order, and with it the preferred
// leader, is in nothing that Kafka tells. It is known of a single replica, and
// where the journal's plan read the list, or made it, before that move began.
func (r *run) othersMove(f state.OngoingReassignment, target []state.BrokerID) (m Moving, ordered bool) {
	left := without(f.Replicas, f.Adding)
	m = Moving{Topic: f.Topic, Partition: f.Partition, Before: left, After: target}
	if list := r.lastKnown(f.TopicPartition); state.SameSet(list, left) {
		m.Before = list
		return m, true
	}
	return m, len(left) <= 1
}

// lastKnown is the list that the journal's plan has left a partition with, or
// read where it did not move it; nil where it says nothing of it.
func (r *run) lastKnown(tp state.TopicPartition) []state.BrokerID {
	var list []state.BrokerID
	for _, s := range r.plan.Steps {
		for _, m := range s.Moves {
			if m.Topic != tp.Topic || m.Partition != tp.Partition {
				continue
			}
			switch done := r.mem.stepsDone[s.ID]; {
			case s.Kind == planner.Reassign && !done:
				return m.Before
			case s.Kind != planner.ElectLeaders && done:
				list = m.After
			}
		}
	}
	return list
}

// tellUnordered says plainly of which partitions the order is not put back.
func (r *run) tellUnordered(done []Moving, unordered map[state.TopicPartition]bool) []state.TopicPartition {
	var list []Moving
	for _, m := range done {
		if unordered[m.Key()] {
			list = append(list, m)
		}
	}
	if len(list) == 0 {
		return nil
	}
	r.emit(Event{Kind: EventWarning, Partitions: keysOf(list), Message: fmt.Sprintf(
		"the order that the replicas of %s had before is not known, since ballast did not begin the move: Kafka leaves the set alone, and the preferred leader may be another than it was; `ballast apply` puts declared topics in order",
		namePartitions(list))})
	return keysOf(list)
}
