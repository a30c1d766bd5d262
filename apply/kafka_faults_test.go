package apply_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"ballast/apply"
	"ballast/planner"
	"ballast/state"
	"ballast/state/clustertest/realkafka"
)

// during applies a plan and does something once bytes are on their way.
func (r *real) during(p *planner.Plan, do func()) apply.Result {
	r.Helper()
	var once sync.Once
	return r.apply(r.Context(), p, nil, func(e apply.Event) {
		if copying(e) {
			once.Do(do)
		}
	})
}

// seen waits until the cluster takes a broker for alive or dead.
func (r *real) seen(id state.BrokerID, alive bool) {
	r.await(fmt.Sprintf("broker %d seen alive: %t", id, alive), func(s *state.Snapshot) bool {
		b := s.Broker(id)
		return (b != nil && b.Alive) == alive
	})
}

// The copy goes on from another in-sync replica.
func TestRealSourcesLeaderDiesInMidMove(t *testing.T) {
	r := newReal(t)
	r.topic("sourced", 6_000_000, list(1, 3))
	topic := wanted("sourced", 1, 3)
	topic.Replicas.Pin = map[int32][]state.BrokerID{0: list(1, 3, 5)}
	d := r.desired(1_000_000, topic)
	res := r.during(r.plan(d), func() {
		if err := r.cluster.Kill(1); err != nil {
			t.Error(err)
		}
	})
	if err := r.cluster.Restart(1); err != nil {
		t.Fatal(err)
	}
	if res.Exit != apply.ExitDone || count(r.events, apply.EventSubmitted) != 1 {
		t.Errorf("exit %d: %s\n%s", res.Exit, res.Reason, r.story())
	}
	r.await("all three in sync", func(s *state.Snapshot) bool { return len(s.Topic("sourced").Partitions[0].ISR) == 3 })
	if _, err := r.client.ElectPreferred(t.Context(), []state.TopicPartition{{Topic: "sourced"}}); err != nil {
		t.Fatal(err)
	}
	t.Log(r.story())
	r.await("broker 1 to lead", func(s *state.Snapshot) bool { return s.Topic("sourced").Partitions[0].Leader == 1 })
	r.settled(d)
}

// A broker that is stopped in its tracks keeps its connections and answers
// nothing; once it goes on the same run ends by itself.
func TestRealTargetIsSilentInMidMove(t *testing.T) {
	r := newReal(t)
	r.topic("silent", 6_000_000, list(1))
	d := r.desired(1_000_000, raised("silent", 1, map[int32][]state.BrokerID{0: list(1, 5)}))
	var wait sync.WaitGroup
	res := r.during(r.plan(d), func() {
		if err := r.cluster.Pause(5); err != nil {
			t.Error(err)
		}
		wait.Go(func() {
			r.seen(5, false)
			if err := r.cluster.Resume(5); err != nil {
				t.Error(err)
			}
		})
	})
	wait.Wait()
	if res.Exit != apply.ExitDone || count(r.events, apply.EventSubmitted) != 1 {
		t.Errorf("exit %d: %s\n%s", res.Exit, res.Reason, r.story())
	}
	r.seen(5, true)
	r.settled(d)
}

// Without a controller nothing is answered about moves; the run waits for it.
func TestRealControllerIsKilledInABatch(t *testing.T) {
	r := newReal(t)
	r.topic("steered", 5_000_000, list(1), list(3))
	d := r.desired(1_000_000, raised("steered", 2, map[int32][]state.BrokerID{0: list(1, 3), 1: list(3, 1)}))
	d.Apply.MaxBatchPartitions = 1
	var killed, back sync.Once
	var wait sync.WaitGroup
	res := r.apply(t.Context(), r.plan(d), nil, func(e apply.Event) {
		switch {
		case copying(e):
			killed.Do(func() {
				if err := r.cluster.Kill(realkafka.ControllerID); err != nil {
					t.Error(err)
				}
			})
		case e.Kind == apply.EventRetry:
			back.Do(func() {
				wait.Go(func() {
					if err := r.cluster.Restart(realkafka.ControllerID); err != nil {
						t.Error(err)
					}
				})
			})
		}
	})
	wait.Wait()
	if res.Exit != apply.ExitDone || count(r.events, apply.EventRetry) == 0 || count(r.events, apply.EventSubmitted) != 2 {
		t.Errorf("exit %d: %s\n%s", res.Exit, res.Reason, r.story())
	}
	r.settled(d)
}

// What others do to two topics fails these alone.
func TestRealTopicsAreDeletedAndGrownByOthers(t *testing.T) {
	r := newReal(t)
	const size = 5_000_000
	for _, name := range []string{"vanishing", "outgrown", "staying"} {
		r.topic(name, size, list(1))
	}
	vanishing, outgrown, staying := wanted("vanishing", 1, 2), wanted("outgrown", 3, 2), wanted("staying", 1, 2)
	p := r.plan(r.desired(2_000_000, vanishing, outgrown, staying))
	res := r.during(p, func() {
		if errs, err := r.client.DeleteTopics(t.Context(), []string{"vanishing"}); err != nil || errs[0] != nil {
			t.Error(err, errs)
		}
		add := []state.NewPartitions{{Topic: "outgrown", Count: 2, Assignments: [][]state.BrokerID{list(2, 4)}}} // two copies: it is being raised
		if errs, err := r.client.AddPartitions(t.Context(), add); err != nil || errs[0] != nil {
			t.Error(err, errs)
		}
	})
	failed := map[string]bool{}
	for _, l := range res.Failed {
		failed[l.Topic] = true
	}
	if res.Exit != apply.ExitStopped || len(failed) != 2 || !failed["vanishing"] || !failed["outgrown"] {
		t.Errorf("exit %d: %s, failed %v\n%s", res.Exit, res.Reason, res.Failed, r.story())
	}
	s := r.await("the other topic to be raised", func(s *state.Snapshot) bool { return s.Topic("staying") != nil })
	if q := s.Topic("staying").Partitions[0]; len(q.ISR) != 2 || q.InFlight() {
		t.Errorf("%+v\n%s", q, r.story())
	}
	if left := r.throttles(); left != "" || len(res.Throttles) > 0 {
		t.Errorf("throttles are left: %s, %v", left, res.Throttles)
	}
}

// A partition of a batch to come is reassigned by somebody else: it is waited
// for, never overwritten, and its topic fails.
func TestRealForeignReassignmentBeginsInMidApply(t *testing.T) {
	r := newReal(t)
	// A broker averages a rate over some 11 seconds: one that was idle lets as much
	// through at once, and this is to take a while.
	r.topic("first", 15_000_000, list(1))
	r.topic("second", 5_000_000, list(1))
	r.override(state.BrokerResource, "6", "follower.replication.throttled.rate", "1000000")
	d := r.desired(1_000_000, raised("first", 1, map[int32][]state.BrokerID{0: list(1, 3)}), raised("second", 1, map[int32][]state.BrokerID{0: list(1, 3)}))
	d.Apply.MaxBatchPartitions = 1
	p := r.plan(d)
	other := p.Steps[len(p.Steps)-1].Moves[0].Topic
	r.override(state.TopicResource, other, "follower.replication.throttled.replicas", "0:6")
	before := r.throttles()
	res := r.during(p, func() {
		move := []state.Reassignment{{TopicPartition: state.TopicPartition{Topic: other}, Replicas: list(1, 6)}}
		if errs, err := r.client.Reassign(context.Background(), move); err != nil || errs[0] != nil {
			t.Error(err, errs)
		}
	})
	if res.Exit != apply.ExitStopped || len(res.Failed) != 1 || res.Failed[0].Topic != other || !strings.Contains(r.story(), "[1 6]") {
		t.Errorf("exit %d: %s, failed %v\n%s", res.Exit, res.Reason, res.Failed, r.story())
	}
	s := r.await("the other tool's move to end", func(s *state.Snapshot) bool { return !s.Topic(other).Partitions[0].InFlight() })
	if got := fmt.Sprint(s.Topic(other).Partitions[0].Replicas); got != "[1 6]" {
		t.Errorf("the other tool's partition is on %s", got)
	}
	if got := r.throttles(); got != before {
		t.Errorf("throttles before:\n%s\nafterwards:\n%s", before, got)
	}
}
