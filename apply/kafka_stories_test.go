package apply_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"ballast/apply"
	"ballast/config"
	"ballast/state"
)

// Stories 5 and 3 on real Kafka.
func TestRealCopiesThenPartitions(t *testing.T) {
	r := newReal(t)
	r.topic("deep", 5_000_000, list(1, 3), list(3, 5), list(5, 1))
	d := r.desired(2_000_000, wanted("deep", 10, 3))
	d.Topics[0].Config["retention.ms"] = "3600000"
	p := r.plan(d)
	var mu sync.Mutex
	flying := ""
	res := r.apply(t.Context(), p, nil, func(e apply.Event) {
		if e.Kind != apply.EventStep || !strings.HasPrefix(e.Message, "add ") {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		moves, err := r.client.Reassignments(t.Context())
		flying = fmt.Sprint(moves, err)
	})
	if res.Exit != apply.ExitDone {
		t.Fatalf("exit %d: %s\n%s", res.Exit, res.Reason, r.story())
	}
	if flying != "[] <nil>" {
		t.Errorf("when partitions were added, in flight: %s", flying)
	}
	if res.Counts != p.Summary {
		t.Errorf("counts %+v\nsummary %+v", res.Counts, p.Summary)
	}
	s := r.await("ten partitions", func(s *state.Snapshot) bool { return len(s.Topic("deep").Partitions) == 10 })
	for _, q := range s.Topic("deep").Partitions {
		if len(q.Replicas) != 3 || len(q.ISR) != 3 {
			t.Errorf("partition %d: %+v", q.ID, q)
		}
	}
	r.settled(d)
}

// Story 6 on real Kafka: another tool's move, slowed down by its own throttle.
func TestRealGrowthMeetsAMoveOfAnotherTool(t *testing.T) {
	r := newReal(t)
	r.topic("grown", 10_000_000, list(1, 3))
	r.override(state.BrokerResource, "6", "follower.replication.throttled.rate", "1000000")
	r.override(state.TopicResource, "grown", "follower.replication.throttled.replicas", "0:6")
	if errs, err := r.client.Reassign(t.Context(), []state.Reassignment{{TopicPartition: state.TopicPartition{Topic: "grown"}, Replicas: list(1, 3, 6)}}); err != nil || errs[0] != nil {
		t.Fatal(err, errs)
	}
	res := r.mustApply(r.plan(r.desired(50_000_000, wanted("grown", 4, 3))))
	if res.Counts.PartitionsAdded != 3 || !strings.Contains(r.story(), "in flight to what is planned, waited for: grown-0") {
		t.Errorf("%+v\n%s", res.Counts, r.story())
	}
	s := r.await("four partitions", func(s *state.Snapshot) bool { return len(s.Topic("grown").Partitions) == 4 })
	for _, q := range s.Topic("grown").Partitions {
		if len(q.Replicas) != 3 {
			t.Errorf("partition %d: %+v", q.ID, q)
		}
	}
	if got := r.throttles(); !strings.Contains(got, "1000000") || !strings.Contains(got, "0:6") {
		t.Errorf("the other tool's throttle is gone: %s", got)
	}
}

// override sets a config as somebody else would, until the test's end.
func (r *real) override(kind state.ResourceType, of, name, value string) {
	r.Helper()
	set := []state.AlterConfigs{{Resource: state.ConfigResource{Type: kind, Name: of}, Changes: []state.ConfigChange{{Name: name, Value: &value}}}}
	r.alter(set)
	r.Cleanup(func() {
		set[0].Changes[0].Value = nil
		if errs, err := r.client.AlterConfigs(context.Background(), set); err != nil || errs[0] != nil {
			r.Error(err, errs)
		}
	})
}

// Story 7 on real Kafka.
func TestRealLeadersByOrderAlone(t *testing.T) {
	r := newReal(t)
	r.topic("led", 1_000_000, list(1, 3), list(1, 5), list(1, 3))
	topic := wanted("led", 3, 2)
	topic.Leaders.Balance = config.BalanceTopic
	d := r.desired(1_000_000, topic)
	p := r.plan(d)
	res := r.mustApply(p)
	if res.Counts != p.Summary || res.Counts.ReplicasAdded != 0 || res.Counts.LeadersMoved == 0 {
		t.Errorf("counts %+v\nsummary %+v", res.Counts, p.Summary)
	}
	s := r.await("the planned leaders", func(s *state.Snapshot) bool {
		leaders := map[state.BrokerID]int{}
		for _, q := range s.Topic("led").Partitions {
			leaders[q.Leader]++
		}
		return len(leaders) == 3
	})
	for _, q := range s.Topic("led").Partitions {
		if q.Leader != q.Replicas[0] {
			t.Errorf("%+v", q)
		}
	}
	r.settled(d)
}

// Stories 12 and 14 on real Kafka: two batches that share a broker, and a star.
func TestRealThrottleStaysUntilTheLastBatchAndAStarComesBack(t *testing.T) {
	r := newReal(t)
	r.topic("starred", 5_000_000, list(1), list(1))
	r.override(state.TopicResource, "starred", "follower.replication.throttled.replicas", "*")
	d := r.desired(4_000_000, raised("starred", 2, map[int32][]state.BrokerID{0: list(1, 4), 1: list(1, 4)}))
	d.Apply.MaxBatchPartitions = 1
	var between []string
	res := r.apply(t.Context(), r.plan(d), nil, func(e apply.Event) {
		if e.Kind == apply.EventStepDone {
			between = append(between, r.throttles())
		}
	})
	if res.Exit != apply.ExitDone || len(between) != 2 {
		t.Fatalf("exit %d: %s, %d batches\n%s", res.Exit, res.Reason, len(between), r.story())
	}
	if !strings.Contains(between[0], "follower.replication.throttled.rate=4000000") || strings.Contains(between[1], "rate") {
		t.Errorf("after the first batch:\n%s\nafter the second:\n%s", between[0], between[1])
	}
	if got := r.throttles(); !strings.Contains(got, "throttled.replicas=*") || strings.Contains(got, "rate") {
		t.Errorf("afterwards: %s", got)
	}
	if p := r.plan(d); len(p.Steps) > 0 {
		t.Errorf("the second plan has steps: %+v", p.Steps)
	}
}

// Story 15 on real Kafka: a dead broker is drained.
func TestRealDeadBrokerTakesNoConfig(t *testing.T) {
	r := newReal(t)
	r.topic("drained", 2_000_000, list(1, 3), list(3, 5))
	if err := r.cluster.Kill(3); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := r.cluster.Restart(3); err != nil {
			t.Error(err)
		}
		r.await("broker 3 to be back", func(s *state.Snapshot) bool { return s.Broker(3).Alive })
	}()
	r.await("broker 3 to be seen dead", func(s *state.Snapshot) bool {
		return (s.Broker(3) == nil || !s.Broker(3).Alive) && s.Topic("drained").Partitions[1].Leader == 5
	})
	d := r.desired(5_000_000, wanted("drained", 2, 2))
	d.Brokers = []config.Broker{{ID: 3, Drain: true, Rack: "r2"}}
	d.Apply.ThrottleSide = config.BothSides
	began := time.Now()
	res := r.mustApply(r.plan(d))
	if took := time.Since(began); took > time.Minute {
		t.Errorf("took %s", took)
	}
	if res.Counts.ReplicasRemoved != 2 || !strings.Contains(r.story(), "no throttle is set on [3]") {
		t.Errorf("%+v\n%s", res.Counts, r.story())
	}
	r.settled(d)
}
