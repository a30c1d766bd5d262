package apply_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/apply"
	"ballast/config"
	"ballast/planner"
	"ballast/state"
	"ballast/state/sandbox"
)

// interrupted applies a plan and interrupts it once bytes are on their way.
func (l *lab) interrupted(p *planner.Plan) apply.Result {
	l.Helper()
	l.stop = make(chan struct{})
	defer func() { l.stop = nil }()
	res := l.during(p, func() {
		close(l.stop)
		time.Sleep(20 * time.Millisecond) // for the goroutine that hears it; time in the cluster stands still
	})
	if res.Exit != apply.ExitStopped {
		l.Fatalf("exit %d: %s\n%s", res.Exit, res.Reason, l.story())
	}
	return res
}

// journal runs what needs the journal without a run.
func (l *lab) journal(do func(apply.Journal)) {
	l.Helper()
	j, err := apply.OpenLocal(l.dir, l.client.ClusterID())
	l.must(err)
	defer j.Close()
	do(j)
}

func (l *lab) partition(topic string, id int) state.Partition {
	return l.Sandbox.Snapshot().Topic(topic).Partitions[id]
}

// Partitions cannot be taken away: nothing at all is written.
func TestSandboxALowerPartitionCountWritesNothing(t *testing.T) {
	l := newLab(t, stored("orders", mb, list(1), list(3), list(5)))
	topic := wanted("orders", 2, 2)
	topic.Config["retention.ms"] = "1000"
	snap, err := l.client.Snapshot(t.Context())
	l.must(err)
	p := planner.Make(limited(mb, topic), snap, planner.Options{Tool: "test"})
	l.journal(func(j apply.Journal) {
		_, err := apply.Run(t.Context(), apply.Options{Plan: p, Cluster: l.client, Journal: j, Clock: l.clock})
		var refusal *apply.Refusal
		if !errors.As(err, &refusal) || refusal.Code != "errored_plan" {
			t.Errorf("%v", err)
		}
	})
	if w := l.Writes(); len(w) > 0 {
		t.Errorf("written: %+v", w)
	}
}

// Partitions are added once the other tool's move has ended.
func TestSandboxGrowthMeetsAMoveOfAnotherTool(t *testing.T) {
	l := newLab(t, stored("orders", 600*mb, list(1, 3)))
	l.must(l.ForeignReassignment("orders", 0, 1, 3, 5))
	l.mustApply(limited(50*mb, wanted("orders", 4, 3)))
	if !strings.Contains(l.story(), "waited for: orders-0") {
		t.Error(l.story())
	}
	for id := range 4 {
		if q := l.partition("orders", id); len(q.Replicas) != 3 {
			t.Errorf("partition %d: %+v", id, q)
		}
	}
}

func TestSandboxLeadersByOrderAlone(t *testing.T) {
	l := newLab(t, stored("orders", 50*mb, list(1, 3), list(1, 5), list(1, 3)))
	topic := wanted("orders", 3, 2)
	topic.Leaders.Balance = config.BalanceTopic
	res := l.mustApply(limited(mb, topic))
	if res.Counts.ReplicasAdded != 0 || res.Counts.LeadersMoved != 2 || l.throttles() != "" {
		t.Errorf("%+v", res.Counts)
	}
	leaders := map[state.BrokerID]bool{}
	for id := range 3 {
		leaders[l.partition("orders", id).Leader] = true
	}
	if len(leaders) != 3 {
		t.Errorf("leaders %v", leaders)
	}
}

func TestSandboxTheSamePlanAgainAndAClusterThatMovedOn(t *testing.T) {
	l := newLab(t, stored("orders", mb, list(1), list(3)))
	p := l.plan(limited(50*mb, wanted("orders", 2, 2)))
	first := l.apply(p)
	written := len(l.Writes())
	if res := l.apply(p); res.Exit != apply.ExitDone || res.Already.ReplicasAdded != first.Counts.ReplicasAdded || len(l.Writes()) != written {
		t.Errorf("%+v, %d writes more", res, len(l.Writes())-written)
	}
	l.must(l.ForeignReassignment("orders", 1, 2, 5))
	l.clock.Advance(time.Minute)
	l.journal(func(j apply.Journal) {
		_, err := apply.Run(t.Context(), apply.Options{Plan: p, Cluster: l.client, Journal: j, Clock: l.clock})
		var refusal *apply.Refusal
		if !errors.As(err, &refusal) || refusal.Code != "stale_plan" || !strings.Contains(err.Error(), "[2 5]") || !strings.Contains(err.Error(), "ballast plan") {
			t.Errorf("%v", err)
		}
	})
	if len(l.Writes()) != written {
		t.Error("a stale plan has written")
	}
}

func TestSandboxListsOfOthersStay(t *testing.T) {
	orders := stored("orders", 10*mb, list(1, 3))
	orders.Config["leader.replication.throttled.replicas"] = state.ConfigValue{Value: "0:1, 7:9", Source: state.SourceTopic}
	orders.Config["follower.replication.throttled.replicas"] = state.ConfigValue{Value: "7:9", Source: state.SourceTopic}
	l := newLab(t, orders)
	before := l.throttles()
	topic := wanted("orders", 2, 3)
	topic.Config["retention.ms"] = "1000"
	l.mustApply(limited(5*mb, topic))
	if got := l.throttles(); got != before {
		t.Errorf("throttles %s\nbefore %s", got, before)
	}
}

func TestSandboxADeadBrokerTakesNoConfig(t *testing.T) {
	l := newLab(t, stored("orders", 10*mb, list(1, 3), list(5, 3)))
	l.must(l.StopBroker(3))
	d := limited(5*mb, wanted("orders", 2, 2))
	d.Brokers = []config.Broker{{ID: 3, Drain: true}}
	d.Apply.ThrottleSide = config.BothSides
	l.mustApply(d)
	if !strings.Contains(l.story(), "no throttle is set on [3]") {
		t.Error(l.story())
	}
	for _, r := range l.Requests(int16(kmsg.IncrementalAlterConfigs)) {
		for _, x := range r.Message.(*kmsg.IncrementalAlterConfigsRequest).Resources {
			if x.ResourceName == "3" {
				t.Errorf("broker 3 was configured: %+v", x)
			}
		}
	}
}

// Three batches share a broker: its throttle is there after the first and the
// second, and gone after the last.
func TestSandboxThrottleStaysUntilTheLastBatch(t *testing.T) {
	l := newLab(t, stored("orders", 20*mb, list(1), list(1), list(1)))
	topic := wanted("orders", 3, 2)
	topic.Replicas.Pin = map[int32][]state.BrokerID{0: list(1, 4), 1: list(1, 4), 2: list(1, 4)}
	d := limited(5*mb, topic)
	d.Apply.MaxBatchPartitions = 1
	var after []bool
	l.on = func(e apply.Event) {
		if e.Kind == apply.EventStepDone {
			after = append(after, strings.Contains(l.throttles(), "broker 4 follower.replication.throttled.rate=5000000"))
		}
	}
	l.mustApply(d)
	if fmt.Sprint(after) != "[true true false]" || l.throttles() != "" {
		t.Errorf("throttled after each batch: %v, at the end: %s\n%s", after, l.throttles(), l.story())
	}
}

func TestSandboxInterruptedAndResumed(t *testing.T) {
	l, d := slow(t)
	res := l.interrupted(l.plan(d))
	if len(res.InFlight) != 1 || len(res.Throttles) != 2 || !res.CanResume || !res.CanCancel {
		t.Errorf("%+v", res)
	}
	l.ended(l.apply(nil), apply.ExitDone)
	if again := l.plan(d); len(again.Steps) > 0 {
		t.Errorf("the second plan has steps: %+v", again.Steps)
	}
}

// The cancel is a null list; the old one is never submitted in flight.
func TestSandboxInterruptedAndCancelled(t *testing.T) {
	l := newLab(t, stored("orders", 100*mb, list(1, 3)))
	topic := wanted("orders", 1, 2)
	topic.Replicas.Pin = map[int32][]state.BrokerID{0: list(5, 3)}
	l.interrupted(l.plan(limited(5*mb, topic)))
	l.journal(func(j apply.Journal) {
		res, err := apply.Cancel(t.Context(), apply.CancelOptions{Cluster: l.client, Journal: j, Clock: l.clock, Events: l.event})
		if err != nil || res.Exit != apply.ExitDone || len(res.Canceled) != 1 {
			t.Fatalf("%+v, %v\n%s", res, err, l.story())
		}
	})
	if q := l.partition("orders", 0); fmt.Sprint(q.Replicas) != "[1 3]" || q.Leader != 1 || q.InFlight() || l.throttles() != "" {
		t.Errorf("%+v, throttles %s", q, l.throttles())
	}
	for _, r := range l.Requests(int16(kmsg.AlterPartitionAssignments)) {
		for _, x := range r.Message.(*kmsg.AlterPartitionAssignmentsRequest).Topics {
			if len(r.InFlight) > 0 && x.Partitions[0].Replicas != nil {
				t.Errorf("submitted in flight: %+v", x)
			}
		}
	}
}

func TestSandboxTheTargetDiesAndComesBack(t *testing.T) {
	l, d := slow(t)
	res := l.during(l.plan(d), func() { l.must(l.KillBroker(5)) })
	if res.Exit != apply.ExitStopped || len(res.Holds) != 1 || res.Holds[0].Broker != 5 || !strings.Contains(res.Reason, "broker 5 is down") || len(res.InFlight) != 1 || len(res.Throttles) == 0 {
		t.Errorf("%+v\n%s", res, l.story())
	}
	l.must(l.RestartBroker(5))
	l.clock.Advance(time.Second)
	l.ended(l.apply(l.plan(d)), apply.ExitDone)
}

// A topic whose configs may not be read is named; none of them is taken for empty.
func TestSandboxConfigsThatMayNotBeRead(t *testing.T) {
	l := newLab(t, stored("secret", mb, list(1, 3)))
	l.DenyConfigs("secret")
	snap, err := l.client.Snapshot(t.Context())
	l.must(err)
	topic := wanted("secret", 1, 2)
	topic.Config["retention.ms"] = "1000"
	p := planner.Make(limited(mb, topic), snap, planner.Options{Tool: "test"})
	said := fmt.Sprint(p.Diagnostics)
	if !strings.Contains(said, "secret") || !strings.Contains(said, "DescribeConfigs") {
		t.Error(said)
	}
	for _, c := range p.Changes {
		if len(c.Config) > 0 {
			t.Errorf("configs are planned: %+v", c.Config)
		}
	}
}

// Neither a throttle's bursts nor the slow start of a large batch is a stall.
func TestSandboxBurstsAndASlowStartAreNoStall(t *testing.T) {
	l := newLabOf(t, func(o *sandbox.Options) { o.SizeStep, o.CopyDelay = 50*mb, 25*time.Second }, stored("orders", 100*mb, list(1)))
	d := limited(5*mb, wanted("orders", 1, 2))
	d.Apply.StallTimeout = 15 * time.Second
	l.ended(l.apply(l.plan(d)), apply.ExitDone)
}
