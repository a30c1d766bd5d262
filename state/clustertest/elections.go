package clustertest

import (
	"fmt"

	"ballast/state"
)

// elections: the first replica leads after its election, and an election that
// is not needed is no error.
func elections(s *suite) {
	name := s.create(ids(1, 2, 3), ids(4, 5, 6))
	tp := func(topic string, n int32) state.TopicPartition {
		return state.TopicPartition{Topic: topic, Partition: n}
	}
	s.move(name, 0, ids(3, 2, 1))
	s.settled(name, 0, 3, 2, 1)
	errs, err := s.Cluster.ElectPreferred(s.ctx, []state.TopicPartition{tp(name, 0), tp(name, 1), tp(name, 9), tp(name+"-not", 0)})
	s.refused("electing", []int16{0, 0, 3, 3}, errs, err)
	s.await("the preferred leader leads", func() string {
		if p := s.partition(name, 0); p.Leader != 3 {
			return fmt.Sprintf("%d leads", p.Leader)
		}
		return ""
	})
	if p := s.partition(name, 1); p.Leader != 4 {
		s.Errorf("an election that was not needed made %d the leader", p.Leader)
	}
}
