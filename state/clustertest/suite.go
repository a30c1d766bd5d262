package clustertest

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"ballast/state"
)

// suite is one subject's run.
type suite struct {
	*testing.T
	Harness
	ctx context.Context
}

// ids makes a list of brokers.
func ids(list ...state.BrokerID) []state.BrokerID { return list }

// must ends the test at an error.
func (s *suite) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// done checks a write in which every item has to be done.
func (s *suite) done(errs []error, err error) {
	s.Helper()
	s.must(err)
	for i, err := range errs {
		if err != nil {
			s.Fatalf("item %d: %v", i, err)
		}
	}
}

// refused checks a write whose items' codes are given; 0 is one that is done.
func (s *suite) refused(what string, codes []int16, errs []error, err error) {
	s.Helper()
	if err != nil {
		s.Errorf("%s: %v", what, err)
		return
	}
	if len(errs) != len(codes) {
		s.Errorf("%s: %d answers to %d items", what, len(errs), len(codes))
		return
	}
	for i, want := range codes {
		if got := code(errs[i]); got != int(want) {
			s.Errorf("%s: item %d has code %d (%v), Kafka's is %d", what, i, got, errs[i], want)
		}
	}
}

// code is the code of Kafka's error, 0 for none, and -1000 for an error that
// is not Kafka's.
func code(err error) int {
	var e *state.Error
	switch {
	case err == nil:
		return 0
	case errors.As(err, &e):
		return int(e.Code)
	}
	return -1000
}

// await waits until what holds. It is given as a function that says what is
// still missing, "" for nothing.
func (s *suite) await(what string, missing func() string) {
	s.Helper()
	last := ""
	for deadline := time.Now().Add(s.Patience); time.Now().Before(deadline); time.Sleep(30 * time.Millisecond) {
		if last = missing(); last == "" {
			return
		}
	}
	s.Fatalf("%s: waited %v, and still %s", what, s.Patience, last)
}

// create creates a topic for this test, and deletes it at its end.
func (s *suite) create(assignments ...[]state.BrokerID) string {
	s.Helper()
	name := "ct-" + strings.Map(letters, s.Name()) + strconv.FormatInt(time.Now().UnixNano()%1e6, 36)
	s.createAs(name, nil, assignments...)
	return name
}

// letters keeps what a topic's name may have.
func letters(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
		return r
	case r == ' ':
		return '-'
	}
	return -1
}

func (s *suite) createAs(name string, config map[string]string, assignments ...[]state.BrokerID) {
	s.Helper()
	s.done(s.Cluster.CreateTopics(s.ctx, []state.NewTopic{{Name: name, Assignments: assignments, Config: config}}))
	s.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), s.Patience)
		defer cancel()
		if _, err := s.Cluster.DeleteTopics(ctx, []string{name}); err != nil {
			s.Errorf("cleaning up: %v", err)
		}
	})
	s.await("the topic is created", func() string {
		t := s.topic(name)
		if t == nil || len(t.Partitions) != len(assignments) {
			return "it is not in the metadata"
		}
		for _, p := range t.Partitions {
			if p.Leader == state.NoLeader {
				return "it has no leader"
			}
		}
		return ""
	})
}

// topic reads a topic's metadata, nil where it does not exist.
func (s *suite) topic(name string) *state.Topic {
	s.Helper()
	snap, err := s.Cluster.Metadata(s.ctx, []string{name})
	s.must(err)
	return snap.Topic(name)
}

// partition reads one partition's metadata.
func (s *suite) partition(topic string, n int32) *state.Partition {
	s.Helper()
	t := s.topic(topic)
	if t == nil || int(n) >= len(t.Partitions) {
		s.Fatalf("%s-%d is not in the metadata", topic, n)
	}
	return &t.Partitions[n]
}

// ongoing is the partition's move in flight, nil for none.
func (s *suite) ongoing(topic string, n int32) *state.OngoingReassignment {
	s.Helper()
	list, err := s.Cluster.Reassignments(s.ctx)
	s.must(err)
	for i := range list {
		if list[i].TopicPartition == (state.TopicPartition{Topic: topic, Partition: n}) {
			return &list[i]
		}
	}
	return nil
}

// move submits a reassignment of one partition; nil cancels it.
func (s *suite) move(topic string, n int32, replicas []state.BrokerID) {
	s.Helper()
	s.done(s.Cluster.Reassign(s.ctx, []state.Reassignment{{TopicPartition: state.TopicPartition{Topic: topic, Partition: n}, Replicas: replicas}}))
}

// settled waits until a partition has these replicas in this order, all in
// sync, and no move in flight.
func (s *suite) settled(topic string, n int32, replicas ...state.BrokerID) *state.Partition {
	s.Helper()
	var p *state.Partition
	s.await(fmt.Sprintf("%s-%d becomes %v", topic, n, replicas), func() string {
		p = s.partition(topic, n)
		if p.InFlight() || !equal(p.Replicas, replicas) || !state.SameSet(p.ISR, replicas) {
			return fmt.Sprintf("it is %+v", *p)
		}
		return ""
	})
	return p
}

// set sets one config of a resource, and with "" resets it, and waits until
// it reads so.
func (s *suite) set(res state.ConfigResource, key, value string) {
	s.Helper()
	change := state.ConfigChange{Name: key, Value: &value}
	if value == "" {
		change.Value = nil
	}
	s.done(s.Cluster.AlterConfigs(s.ctx, []state.AlterConfigs{{Resource: res, Changes: []state.ConfigChange{change}}}))
	s.await(fmt.Sprintf("%s of %q becomes %q", key, res.Name, value), func() string {
		got, ok := s.config(res, key)
		if overridden(got, ok) != (value != "") || value != "" && got.Value != value {
			return fmt.Sprintf("it is %q (%s)", got.Value, got.Source)
		}
		return ""
	})
}

// overridden says whether a config is set on the very resource.
func overridden(v state.ConfigValue, ok bool) bool {
	return ok && (v.Source == state.SourceTopic || v.Source == state.SourceBroker || v.Source == state.SourceCluster)
}

// config reads one config.
func (s *suite) config(res state.ConfigResource, key string) (state.ConfigValue, bool) {
	s.Helper()
	values, errs, err := s.Cluster.Configs(s.ctx, []state.ConfigResource{res}, []string{key})
	s.done(errs, err)
	v, ok := values[0][key]
	return v, ok
}

// resetAtEnd deletes a config when the test ends.
func (s *suite) resetAtEnd(res state.ConfigResource, keys ...string) {
	s.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), s.Patience)
		defer cancel()
		alter := state.AlterConfigs{Resource: res}
		for _, key := range keys {
			alter.Changes = append(alter.Changes, state.ConfigChange{Name: key})
		}
		if errs, err := s.Cluster.AlterConfigs(ctx, []state.AlterConfigs{alter}); errors.Join(append(errs, err)...) != nil {
			s.Errorf("cleaning up: %v %v", err, errs)
		}
	})
}

func topicRes(name string) state.ConfigResource {
	return state.ConfigResource{Type: state.TopicResource, Name: name}
}

func brokerRes(id state.BrokerID) state.ConfigResource {
	return state.ConfigResource{Type: state.BrokerResource, Name: strconv.Itoa(int(id))}
}

// allBrokers is the resource of the cluster-wide default.
var allBrokers = state.ConfigResource{Type: state.BrokerResource}

func equal(a, b []state.BrokerID) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
