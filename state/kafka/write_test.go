package kafka_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"ballast/state"
	"ballast/state/kafka"
	"ballast/state/sandbox"
)

func newTopic(name string) state.NewTopic {
	return state.NewTopic{Name: name, Assignments: [][]state.BrokerID{{1, 3}}}
}

func TestAWriteWithoutAnAnswerIsNotRepeated(t *testing.T) {
	for name, order := range map[string]func(*sandbox.Sandbox){
		"carried out":     func(s *sandbox.Sandbox) { s.DropAnswer(createTopicsKey, 1) },
		"not carried out": func(s *sandbox.Sandbox) { s.DropRequest(createTopicsKey, 1) },
	} {
		s := start(t, nil)
		c := connect(t, s)
		order(s)
		errs, err := c.CreateTopics(t.Context(), []state.NewTopic{newTopic("a")})
		var uncertain interface{ MayBeApplied() bool }
		if !errors.As(err, &uncertain) || !uncertain.MayBeApplied() || errs[0] == nil {
			t.Errorf("%s: %v %v", name, errs, err)
		}
		if n := len(s.Requests(createTopicsKey)); n != 1 {
			t.Errorf("%s: it was sent %d times", name, n)
		}
	}
}

func TestAWriteGoesToTheController(t *testing.T) {
	s := start(t, nil)
	c := connect(t, s)
	s.NotController(createTopicsKey, 2)
	if errs, err := c.CreateTopics(t.Context(), []state.NewTopic{newTopic("a")}); err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
	if n := len(s.Requests(createTopicsKey)); n != 3 {
		t.Errorf("it was sent %d times", n)
	}
}

func TestAWriteGoesToABrokerThatCanBeReached(t *testing.T) {
	s := start(t, nil)
	c := connect(t, s)
	for id := state.BrokerID(1); id <= 5; id++ {
		if err := s.KillBroker(id); err != nil {
			t.Fatal(err)
		}
	}
	errs, err := c.CreateTopics(t.Context(), []state.NewTopic{{Name: "a", Assignments: [][]state.BrokerID{{6}}}})
	if err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
}

func TestAQuotaIsWaitedFor(t *testing.T) {
	s := start(t, nil)
	c := connect(t, s)
	s.Order(sandbox.Fault{Key: createTopicsKey, Code: 89, Throttle: 300 * time.Millisecond, Times: 2})
	began := time.Now()
	errs, err := c.CreateTopics(t.Context(), []state.NewTopic{newTopic("a")})
	if err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
	if took := time.Since(began); took < 600*time.Millisecond {
		t.Errorf("two throttles of 300 ms were waited for %v", took)
	}
}

func TestItemsHaveTheirOwnErrors(t *testing.T) {
	s := start(t, topics([]string{"a"}, 2))
	c := connect(t, s)
	tp := func(n int32) state.TopicPartition { return state.TopicPartition{Topic: "a", Partition: n} }
	errs, err := c.Reassign(t.Context(), []state.Reassignment{
		{TopicPartition: tp(0), Replicas: []state.BrokerID{5, 3, 1}}, {TopicPartition: tp(9), Replicas: []state.BrokerID{1}},
		{TopicPartition: tp(0), Replicas: []state.BrokerID{1, 3, 5}}, {TopicPartition: tp(1)},
	})
	var refused *kafka.RefusedError
	if err != nil || errs[0] != nil || !isCode(errs[1], 3) || !errors.As(errs[2], &refused) || !isCode(errs[3], 85) {
		t.Errorf("%v %v", errs, err)
	}
}

func isCode(err error, code int16) bool {
	var e *state.Error
	return errors.As(err, &e) && e.Code == code
}

func TestValuesThatKafkaWouldLoseAreNotSent(t *testing.T) {
	s := start(t, topics([]string{"a"}, 1))
	c := connect(t, s)
	res := state.ConfigResource{Type: state.TopicResource, Name: "a"}
	for _, value := range []string{"", strings.Repeat("x", 32768)} {
		errs, err := c.AlterConfigs(t.Context(), []state.AlterConfigs{{Resource: res, Changes: []state.ConfigChange{{Name: "follower.replication.throttled.replicas", Value: &value}}}})
		var refused *kafka.RefusedError
		if err != nil || !errors.As(errs[0], &refused) {
			t.Errorf("%d bytes: %v %v", len(value), errs, err)
		}
	}
	errs, err := c.CreateTopics(t.Context(), []state.NewTopic{{Name: "b", Assignments: [][]state.BrokerID{{1}}, Config: map[string]string{"cleanup.policy": strings.Repeat("x", 70000)}}})
	if err != nil || errs[0] == nil {
		t.Errorf("%v %v", errs, err)
	}
	if n := len(s.Requests(createTopicsKey, alterConfigsKey)); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

func TestManyItemsGoInSeveralRequests(t *testing.T) {
	s := start(t, topics([]string{"a"}, 2500))
	c := connect(t, s)
	var moves []state.Reassignment
	for n := range int32(2500) {
		moves = append(moves, state.Reassignment{TopicPartition: state.TopicPartition{Topic: "a", Partition: n}, Replicas: []state.BrokerID{1}})
	}
	moves[2499].Partition = 9999
	errs, err := c.Reassign(t.Context(), moves)
	if err != nil || !isCode(errs[2499], 3) {
		t.Fatal(err, errs[2499])
	}
	for i, err := range errs[:2499] {
		if err != nil {
			t.Fatal(i, err)
		}
	}
	if n := len(s.Requests(reassignKey)); n != 3 {
		t.Errorf("it took %d requests", n)
	}
}

func TestAfterARequestWithoutAnswerNothingMoreIsSent(t *testing.T) {
	s := start(t, nil)
	c := connect(t, s)
	s.Order(sandbox.Fault{Key: createTopicsKey, Topics: []string{"t1000"}, NoAnswer: true})
	var many []state.NewTopic
	for i := range 2500 {
		many = append(many, newTopic(fmt.Sprintf("t%d", i)))
	}
	errs, err := c.CreateTopics(t.Context(), many)
	var uncertain *kafka.UncertainError
	var refused *kafka.RefusedError
	if !errors.As(err, &uncertain) || errs[999] != nil || !errors.As(errs[1000], &uncertain) || !errors.As(errs[2499], &refused) {
		t.Errorf("%v; %v; %v; %v", err, errs[999], errs[1000], errs[2499])
	}
	if n := len(s.Requests(createTopicsKey)); n != 2 {
		t.Errorf("%d requests were sent", n)
	}
}

func TestAnIdleConnectionThatWasCutDoesNotMakeAWriteUncertain(t *testing.T) {
	s := start(t, nil)
	c := connect(t, s)
	kafka.AgeConnections(c)
	for id := state.BrokerID(1); id <= 6; id++ {
		s.DropConnections(id)
	}
	if errs, err := c.CreateTopics(t.Context(), []state.NewTopic{newTopic("a")}); err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
}
