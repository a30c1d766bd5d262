package apply

import (
	"slices"

	"ballast/state"
)

// gateForeignMove waits for moves of others on the batch's partitions: a
// partition in flight is never retargeted, since Kafka merges the second target
// with the first and may end at a list that nobody asked for.
func gateForeignMove(s *scene) []Hold {
	var out []Hold
	for _, m := range s.batch {
		t := s.look.target(m.Key())
		if t == nil || slices.Equal(t, m.After) {
			continue
		}
		out = append(out, hold(m.Key(), noBroker,
			"let that move end, or take it back with `ballast cancel -all`",
			"another reassignment is in flight, to %s", listIDs(t)))
	}
	return out
}

// gateTopicStill waits until no move of a topic is in flight: Kafka reads the
// replication factor of new partitions from a list that has the adding and the
// removing replicas in it.
func gateTopicStill(l *look, topic string) []Hold {
	var out []Hold
	t := l.meta.Topic(topic)
	if t == nil {
		return nil
	}
	for i := range t.Partitions {
		tp := state.TopicPartition{Topic: topic, Partition: t.Partitions[i].ID}
		if to := l.target(tp); to != nil {
			h := hold(tp, noBroker, "let that move end, or take it back with `ballast cancel`",
				"a reassignment is in flight, to %s: partitions are added after it", listIDs(to))
			h.Gate = "topic_still"
			out = append(out, h)
		}
	}
	return out
}
