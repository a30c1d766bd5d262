package clustertest

import (
	"fmt"

	"ballast/state"
)

// topics: what was asked for is there, in the order that was asked for.
func topics(s *suite) {
	name := s.create(ids(3, 1, 5), ids(6, 2, 4))
	t := s.topic(name)
	for i, want := range [][]state.BrokerID{ids(3, 1, 5), ids(6, 2, 4)} {
		if p := s.settled(name, int32(i), want...); p.Leader != want[0] {
			s.Errorf("%s-%d is led by %d, not by its first replica", name, i, p.Leader)
		}
	}
	if t.Internal {
		s.Errorf("%s is internal", name)
	}
	s.done(s.Cluster.AddPartitions(s.ctx, []state.NewPartitions{{Topic: name, Count: 4, Assignments: [][]state.BrokerID{ids(5, 4, 2), ids(1, 6, 3)}}}))
	s.await("the topic grows", func() string {
		if n := len(s.topic(name).Partitions); n != 4 {
			return fmt.Sprintf("it has %d partitions", n)
		}
		return ""
	})
	s.settled(name, 2, 5, 4, 2)
	s.settled(name, 3, 1, 6, 3)
	s.settled(name, 0, 3, 1, 5)
	s.inEveryReading(name)
	s.done(s.Cluster.DeleteTopics(s.ctx, []string{name}))
	s.await("the topic goes", func() string {
		if s.topic(name) != nil {
			return "it is in the metadata"
		}
		return ""
	})
}

// inEveryReading checks that readings of all topics have the topic too.
func (s *suite) inEveryReading(name string) {
	s.Helper()
	all, err := s.Cluster.Metadata(s.ctx, nil)
	s.must(err)
	if all.Topic(name) == nil {
		s.Errorf("%s is missing from the metadata of all topics", name)
	}
	snap, err := s.Cluster.Snapshot(s.ctx)
	s.must(err)
	if t := snap.Topic(name); t == nil || t.Config == nil || len(t.Partitions) != 4 {
		s.Errorf("in the snapshot, %s is %+v", name, t)
	}
	mixed, err := s.Cluster.Metadata(s.ctx, []string{name, name + "-not"})
	s.must(err)
	if len(mixed.Topics) != 1 || mixed.Topics[0].Name != name {
		s.Errorf("asked for one topic and one that does not exist, there is %+v", mixed.Topics)
	}
}

// topicErrors: each item has its own error, and the good ones among the bad
// ones are done.
func topicErrors(s *suite) {
	name := s.create(ids(1, 3), ids(2, 4))
	create := func(n string, a ...[]state.BrokerID) state.NewTopic { return state.NewTopic{Name: n, Assignments: a} }
	good := name + "-good"
	errs, err := s.Cluster.CreateTopics(s.ctx, []state.NewTopic{
		create(name, ids(1, 2)), create(good, ids(1, 2)), create(name+"-99", ids(1, 99)), create(name+"-twice", ids(1, 1)),
		create(name+"-none", ids()), create(name+"-uneven", ids(1, 2), ids(3)), create("no/slash", ids(1)),
		{Name: name + "-config", Assignments: [][]state.BrokerID{ids(1)}, Config: map[string]string{"no.such.key": "1"}},
		{Name: name + "-value", Assignments: [][]state.BrokerID{ids(1)}, Config: map[string]string{"retention.ms": "soon"}},
	})
	s.done(s.Cluster.DeleteTopics(s.ctx, []string{good}))
	s.refused("creating", []int16{36, 0, 39, 39, 39, 39, 17, 40, 40}, errs, err)

	add := func(count int32, a ...[]state.BrokerID) {
		s.Helper()
		codes := []int16{39}
		if count <= 2 {
			codes[0] = 37
		}
		errs, err := s.Cluster.AddPartitions(s.ctx, []state.NewPartitions{{Topic: name, Count: count, Assignments: a}})
		s.refused(fmt.Sprintf("growing to %d with %v", count, a), codes, errs, err)
	}
	add(2)
	add(1)
	add(3, ids(1))
	add(3, ids(1, 99))
	add(3, ids(1, 1))
	add(4, ids(1, 3))
	errs, err = s.Cluster.AddPartitions(s.ctx, []state.NewPartitions{{Topic: name + "-not", Count: 3, Assignments: [][]state.BrokerID{ids(1)}}})
	s.refused("growing what is not there", []int16{3}, errs, err)
	errs, err = s.Cluster.DeleteTopics(s.ctx, []string{name + "-not", name})
	s.refused("deleting", []int16{3, 0}, errs, err)
}
