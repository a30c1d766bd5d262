package apply

import (
	"context"
	"strings"
	"testing"
	"time"

	"ballast/config"
	"ballast/state"
)

// firstProgress is when a batch is in flight.
func firstProgress(e Event) bool {
	return e.Kind == EventProgress && e.Progress.BytesDone > 0
}

func slowRaise(t *testing.T) (*fixture, *config.Desired) {
	f := newFixture(t, 3, 3)
	f.topic("orders", 500e6, ids(1), ids(2), ids(3))
	f.mustLimit = true
	d := desired(topic("orders", 3, 2))
	d.Apply.MaxBatchPartitions = 2
	return f, d
}

func TestInterruptedInABatchAndResumed(t *testing.T) {
	f, d := slowRaise(t)
	f.stopWhen(firstProgress)
	res, err := f.run(f.plan(d))
	if err != nil || res.Exit != ExitStopped || !res.CanResume || !res.CanCancel {
		t.Fatalf("exit %d, %v: %+v", res.Exit, err, res)
	}
	if len(res.InFlight) != 2 || len(res.Left) != 1 || len(res.Throttles) == 0 {
		t.Errorf("%d in flight, want 2; %d left, want 1; throttles %v", len(res.InFlight), len(res.Left), res.Throttles)
	}
	f.stop, f.onEvent = nil, nil
	f.mustRun(nil)
	f.settled(d)
}

func TestInterruptedInABatchAndCancelled(t *testing.T) {
	f, d := slowRaise(t)
	f.topics["orders"].parts[0] = newSimPart(ids(1, 2), 500e6) // a swap: the cancel leaves the list in another order
	d.Topics[0].Replicas.Pin = map[int32][]state.BrokerID{0: ids(2, 3)}
	f.stopWhen(firstProgress)
	if res, err := f.run(f.plan(d)); err != nil || res.Exit != ExitStopped {
		t.Fatalf("exit %d, %v", res.Exit, err)
	}
	res, err := Cancel(t.Context(), CancelOptions{Cluster: f.sim, Journal: f.journal, Clock: f.sim})
	f.journal.Close()
	if err != nil || res.Exit != ExitDone || len(res.Canceled) != 2 || len(res.Throttles) != 0 {
		t.Fatalf("%+v, %v", res, err)
	}
	f.clean()
	same(t, ids(1, 2), f.replicas("orders", 0))
	same(t, ids(2), f.replicas("orders", 1))
	same(t, 0, len(f.throttles()))
	f.stop, f.onEvent = nil, nil
	f.mustRunAgain(d)
}

// mustRunAgain plans and applies; what was cancelled may be submitted again.
func (f *fixture) mustRunAgain(d *config.Desired) {
	f.t.Helper()
	f.submitted = map[string]int{}
	f.mustRun(f.plan(d))
	f.settled(d)
}

func TestTheTargetDiesAndComesBack(t *testing.T) {
	f, d := slowRaise(t)
	d.Topics[0].Replicas.Pin = map[int32][]state.BrokerID{0: ids(1, 3), 1: ids(2, 3), 2: ids(3, 1)}
	d = short(d)
	p := f.plan(d)
	once := false
	f.onEvent = func(e Event) {
		if firstProgress(e) && !once {
			once = true
			f.kill(3)
		}
	}
	start := f.now
	res, err := f.run(p)
	if err != nil || res.Exit != ExitStopped {
		t.Fatalf("exit %d, %v", res.Exit, err)
	}
	if len(res.Holds) == 0 || res.Holds[0].Broker != 3 || !strings.Contains(res.Holds[0].Why, "broker 3 is down") || res.Holds[0].Topic != "orders" {
		t.Errorf("what holds it up is not told: %+v", res.Holds)
	}
	if took := f.now.Sub(start); took < d.Apply.StallTimeout || took > 3*d.Apply.StallTimeout {
		t.Errorf("stopped after %s, the stall timeout is %s", took, d.Apply.StallTimeout)
	}
	if len(res.InFlight) == 0 || len(res.Throttles) == 0 || !res.CanResume || !res.CanCancel {
		t.Errorf("%+v", res)
	}
	f.restart(3)
	f.onEvent = nil
	f.mustRun(f.plan(d))
	f.settled(d)
}

func TestAStalledBatchIsTakenBackWhereThePlanSaysSo(t *testing.T) {
	f := newFixture(t, 3, 3)
	f.topic("orders", 500e6, ids(1), ids(2))
	d := short(desired(topic("orders", 2, 2)))
	d.Topics[0].Replicas.Pin = map[int32][]state.BrokerID{0: ids(1, 3), 1: ids(2, 3)}
	d.Apply.OnFailedGate = config.CancelOnFailedGate
	p := f.plan(d)
	f.onEvent = func(e Event) {
		if firstProgress(e) {
			f.kill(3)
		}
	}
	res, err := f.run(p)
	if err != nil || res.Exit != ExitStopped || len(res.InFlight) != 0 {
		t.Fatalf("exit %d, %v, %+v", res.Exit, err, res)
	}
	f.clean()
	same(t, ids(1), f.replicas("orders", 0))
	if len(f.told(EventCanceled)) == 0 {
		t.Errorf("not told\n%s", f.story())
	}
}

func TestACancelThatWouldStrandAPartitionIsRefused(t *testing.T) {
	f := newFixture(t, 3, 3)
	f.topic("orders", 500e6, ids(1), ids(2))
	f.foreign("orders", 0, ids(3), 500e6)
	f.foreign("orders", 1, ids(2, 3), 500e6)
	f.kill(1)
	res, err := Cancel(t.Context(), CancelOptions{Cluster: f.sim, Journal: f.journal, Clock: f.sim, All: true})
	if err != nil || res.Exit != ExitStopped || len(res.Refused) != 1 || !strings.Contains(res.Refused[0].Why, "none of the brokers") {
		t.Fatalf("%+v, %v", res, err)
	}
	same(t, []state.TopicPartition{key("orders", 1)}, res.Canceled)
}

func TestACancelLeavesMovesOfOthersAlone(t *testing.T) {
	f := newFixture(t, 3, 3)
	f.topic("orders", 500e6, ids(1))
	f.foreign("orders", 0, ids(3), 500e6)
	res, err := Cancel(t.Context(), CancelOptions{Cluster: f.sim, Journal: f.journal, Clock: f.sim})
	if err != nil || res.Exit != ExitDone || len(f.writes) != 0 {
		t.Fatalf("%+v, %v, %s", res, err, f.ops())
	}
	same(t, []state.TopicPartition{key("orders", 0)}, res.Others)
}

func TestTheSecondSignalStopsAtOnce(t *testing.T) {
	f, d := slowRaise(t)
	ctx, cancel := context.WithCancel(context.Background())
	p := f.plan(d)
	res, err := Run(ctx, Options{Plan: p, Cluster: f.sim, Journal: f.journal, Clock: f.sim, Events: func(e Event) {
		if firstProgress(e) {
			cancel()
		}
	}})
	f.journal.Close()
	if err != nil || res.Exit != ExitStopped || len(res.InFlight) != 2 {
		t.Fatalf("exit %d, %v, %+v", res.Exit, err, res)
	}
	f.mustRun(f.plan(d))
	f.settled(d)
}

func TestNoBatchBeginsThatCannotEndInTime(t *testing.T) {
	f, d := slowRaise(t)
	f.opt = func(o *Options) { o.MaxDuration = 75 * time.Second }
	res, err := f.run(f.plan(d))
	if err != nil || res.Exit != ExitStopped || !strings.Contains(res.Reason, "-max-duration") || len(res.InFlight) != 0 {
		t.Fatalf("exit %d, %v, %+v", res.Exit, err, res)
	}
	same(t, 0, len(f.throttles()))
	f.opt = nil
	f.mustRun(nil)
	f.settled(d)
}

func TestInterruptedBeforeABatchNothingOfItBegan(t *testing.T) {
	f, d := raising(t)
	p := f.plan(d)
	f.stop = make(chan struct{})
	f.onEvent = func(e Event) {
		switch e.Kind {
		case EventStarted:
			f.kill(2)
		case EventGateWaiting:
			close(f.stop)
			waitReal()
			f.onEvent = nil
		}
	}
	res, err := f.run(p)
	if err != nil || res.Exit != ExitStopped || len(res.Holds) == 0 || res.CanCancel {
		t.Fatalf("exit %d, %v, %+v", res.Exit, err, res)
	}
	same(t, []Left{{Step: 1, Kind: "reassign", Topic: "orders", Partitions: []int32{0}}}, res.Left)
	f.noMoves()
}
