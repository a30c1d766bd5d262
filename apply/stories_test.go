package apply

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

// What apply is written for, told against the simulated cluster. Tests named
// TestSandbox… tell it over the wire, TestReal… on Kafka itself; the table at
// the end of docs/operations.md says which story is told where.

func TestACopyBeforePartitions(t *testing.T) {
	f := newFixture(t, 6, 3)
	f.topic("orders", 20e6, ids(1, 2), ids(2, 3), ids(3, 4))
	d := desired(topic("orders", 10, 3))
	d.Apply.Throttle.BytesPerSecond = 1_000_000
	f.mustRun(f.plan(d))
	f.settled(d)
	for i, p := range f.topics["orders"].parts {
		if len(p.replicas) != 3 {
			t.Errorf("partition %d has %d replicas", i, len(p.replicas))
		}
	}
}

func TestGrowthWaitsForAMoveOfAnotherTool(t *testing.T) {
	f := newFixture(t, 6, 3)
	f.topic("orders", 20e6, ids(1, 2))
	f.fast = 1e6
	f.foreign("orders", 0, ids(1, 2, 6), 20e6)
	d := desired(topic("orders", 4, 3))
	f.mustRun(f.plan(d))
	f.settled(d)
	for i, p := range f.topics["orders"].parts {
		if len(p.replicas) != 3 {
			t.Errorf("partition %d has %v", i, p.replicas)
		}
	}
	if w := f.told(EventAdopted); len(w) != 1 || !strings.Contains(w[0].Message, "in flight to what is planned, waited for: orders-0") {
		t.Errorf("the wait is not told\n%s", f.story())
	}
}

func TestGrowthWaitsForAMoveThatBeganAfterThePlan(t *testing.T) {
	f := newFixture(t, 6, 3)
	f.topic("orders", 20e6, ids(1, 2))
	d := desired(topic("orders", 4, 2))
	p := f.plan(d)
	f.afterStart(func() { f.fast = 1e6; f.foreign("orders", 0, ids(1, 6), 20e6) })
	f.mustRun(p)
	if w := f.told(EventGateWaiting); len(w) == 0 || !strings.Contains(w[0].Message, "orders-0: a reassignment is in flight, to [1 6]") {
		t.Errorf("the wait is not told\n%s", f.story())
	}
	same(t, 4, len(f.topics["orders"].parts))
}

func TestGrowthThatWasPlannedBeforeAnotherToolsRaiseFails(t *testing.T) {
	f := newFixture(t, 6, 3)
	f.topic("orders", 20e6, ids(1, 2))
	p := f.plan(desired(topic("orders", 4, 2)))
	f.afterStart(func() { f.fast = 1e6; f.foreign("orders", 0, ids(1, 2, 6), 20e6) })
	res, err := f.run(p)
	if err != nil || res.Exit != ExitStopped || len(res.Failed) != 1 || !strings.Contains(res.Failed[0].Why, "have 3 replicas now, and those to be added have 2: plan again") {
		t.Fatalf("exit %d, %v, %+v", res.Exit, err, res.Failed)
	}
	same(t, "", f.ops())
}

func TestLeadersByOrderAloneCopyNothing(t *testing.T) {
	f := newFixture(t, 3, 3)
	f.topic("orders", 1e9, ids(1, 2), ids(1, 3), ids(1, 2))
	d := desired(topic("orders", 3, 2))
	d.Topics[0].Leaders.Balance = config.BalanceTopic
	p := f.plan(d)
	start := f.now
	res := f.mustRun(p)
	f.settled(d)
	same(t, p.Summary, res.Counts)
	if took := f.now.Sub(start); took > 30*time.Second || res.Counts.ReplicasAdded != 0 || res.Counts.LeadersMoved != 2 {
		t.Errorf("took %s, counts %+v", took, res.Counts)
	}
	leaders := map[brokerID]int{}
	for _, p := range f.topics["orders"].parts {
		leaders[p.leader]++
	}
	same(t, map[brokerID]int{1: 1, 2: 1, 3: 1}, leaders)
}

func TestAPlanWhoseClusterMovedOnIsRefused(t *testing.T) {
	f := newFixture(t, 4, 2)
	f.topic("orders", 1e6, ids(1), ids(2))
	p := f.plan(desired(topic("orders", 2, 2)))
	f.topics["orders"].parts[0].replicas = ids(3)
	f.topics["orders"].parts[0].isr = ids(3)
	f.topics["orders"].parts[0].leader = 3
	res, err := f.run(p)
	var refusal *Refusal
	if !errors.As(err, &refusal) || res.Exit != ExitRefused || len(f.writes) != 0 {
		t.Fatalf("exit %d, %v, %s", res.Exit, err, f.ops())
	}
	for _, want := range []string{"orders-0", "[1]", "[3]", "ballast plan"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the refusal does not say %q: %v", want, err)
		}
	}
}

func TestNothingMovesBeforeTheThrottleShows(t *testing.T) {
	f := newFixture(t, 3, 3)
	f.topic("orders", 50e6, ids(1), ids(2))
	f.mustLimit, f.configLag = true, 20*time.Second
	d := desired(topic("orders", 2, 2))
	f.mustRun(f.plan(d))
	f.pass(f.configLag)
	f.settled(d)
}

func TestAThrottleThatNeverShowsStopsTheRun(t *testing.T) {
	f := newFixture(t, 3, 3)
	f.topic("orders", 50e6, ids(1), ids(2))
	f.configLag = 24 * time.Hour
	res, err := f.run(f.plan(desired(topic("orders", 2, 2))))
	if err != nil || res.Exit != ExitStopped || !strings.Contains(res.Reason, "does not show it") {
		t.Fatalf("exit %d, %v, %s", res.Exit, err, res.Reason)
	}
	f.noMoves()
}

func TestABrokersThrottleStaysUntilItsLastBatch(t *testing.T) {
	f := newFixture(t, 2, 2)
	f.topic("orders", 20e6, ids(1), ids(1), ids(1))
	f.mustLimit = true
	d := desired(topic("orders", 3, 2))
	d.Apply.MaxBatchPartitions = 1
	var between []string
	f.onEvent = func(e Event) {
		if e.Kind == EventStepDone {
			between = append(between, strings.Join(f.throttles(), " "))
		}
	}
	f.mustRun(f.plan(d))
	f.settled(d)
	if len(between) != 3 {
		t.Fatalf("%d batches, want 3", len(between))
	}
	for i, v := range between {
		if (i < 2) != strings.Contains(v, "broker 2 "+followerRate) {
			t.Errorf("after batch %d: %q", i+1, v)
		}
	}
}

func TestListsOfOthersStayAndAStarIsPutBack(t *testing.T) {
	f := newFixture(t, 3, 3)
	f.topic("listed", 20e6, ids(1), ids(2))
	f.topic("starred", 20e6, ids(1))
	f.topics["listed"].config[followerList] = &simValue{value: ptr("1:2,0:1")}
	f.topics["listed"].config[leaderList] = &simValue{value: ptr("1:2")}
	f.topics["starred"].config[followerList] = &simValue{value: ptr("*")}
	f.mustLimit = true
	before := f.throttles()
	d := desired(topic("listed", 2, 2), topic("starred", 1, 2))
	d.Topics[0].Config["retention.ms"] = "1000"
	f.mustRun(f.plan(d))
	same(t, before, f.throttles())
}

func TestBothSidesAreThrottledAsKafkasToolDoes(t *testing.T) {
	f := newFixture(t, 3, 3)
	f.topic("orders", 50e6, ids(1))
	f.mustLimit = true
	d := desired(topic("orders", 1, 2))
	d.Apply.ThrottleSide = config.BothSides
	d.Topics[0].Replicas.Pin = map[int32][]state.BrokerID{0: ids(1, 3)}
	var during []string
	f.onEvent = func(e Event) {
		if e.Kind == EventSubmitted {
			during = f.throttles()
		}
	}
	f.mustRun(f.plan(d))
	f.settled(d)
	same(t, []string{"broker 1 " + leaderRate + "=10000000", "broker 3 " + followerRate + "=10000000", "orders " + followerList + "=0:3", "orders " + leaderList + "=0:1"}, during)
}

// Kafka stores no value above 32,767 bytes: a batch that needs a longer list
// goes in parts, and a list of others that leaves no room becomes a star.
func TestListsOfThousandsOfPartitionsStayShortEnough(t *testing.T) {
	f := newFixture(t, 4, 4)
	const partitions = 5000
	lists := make([][]brokerID, partitions)
	for i := range lists {
		lists[i] = ids(brokerID(i%4 + 1))
	}
	f.topic("orders", 1000, lists...)
	f.mustLimit = true
	d := desired(topic("orders", partitions, 2))
	d.Apply.MaxBatchPartitions, d.Apply.MaxMovesPerBroker = partitions, partitions
	d.Apply.MaxBatchBytes = 0
	p := f.plan(d)
	f.mustRun(p)
	f.settled(d)
	if steps, batches := reassigns(p), strings.Count(f.ops(), "reassign"); batches <= steps {
		t.Errorf("%d requests for %d batches of %d moves", batches, steps, partitions)
	}
	long := strings.TrimSuffix(strings.Repeat("9999:1,", 4681), ",")
	same(t, "*", mergeList(&long, []string{"0:1"}))
}

func reassigns(p *planner.Plan) (n int) {
	for _, s := range p.Steps {
		if s.Kind == planner.Reassign {
			n++
		}
	}
	return n
}

func TestADeadBrokerThatDrainsTakesNoConfig(t *testing.T) {
	f := newFixture(t, 4, 4)
	f.topic("orders", 20e6, ids(1, 3), ids(3, 2), ids(2, 1))
	f.topic("single", 1e6, ids(3))
	f.kill(3)
	f.mustLimit = true
	d := desired(topic("orders", 3, 2))
	d.Brokers = []config.Broker{{ID: 3, Drain: true, Rack: "r3"}}
	d.Apply.ThrottleSide = config.BothSides
	d.Apply.MaxBatchPartitions = 1
	start := f.now
	f.mustRun(f.plan(d))
	f.settled(d)
	if len(f.told(EventSkipped)) == 0 {
		t.Errorf("the dead broker is not told of\n%s", f.story())
	}
	if took := f.now.Sub(start); took > 5*time.Minute {
		t.Errorf("took %s", took)
	}
}

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

func TestAMoveThatAlreadyRunsToWhatIsWantedIsAdopted(t *testing.T) {
	f := newFixture(t, 3, 3)
	f.topic("orders", 50e6, ids(1), ids(2))
	d := desired(topic("orders", 2, 2))
	d.Topics[0].Replicas.Pin = map[int32][]state.BrokerID{0: ids(1, 3), 1: ids(2, 3)}
	p := f.plan(d)
	f.afterStart(func() { f.fast = 5e6; f.foreign("orders", 0, ids(1, 3), 50e6) })
	f.mustRun(p)
	f.settled(d)
	if len(f.told(EventAdopted)) != 1 {
		t.Errorf("not told\n%s", f.story())
	}
	if f.submitted["orders-0>[1 3]"] != 0 {
		t.Error("it was submitted again")
	}
}

func TestAPlanThatContradictsAMoveOfOursIsRefused(t *testing.T) {
	f, d := slowRaise(t)
	d.Topics[0].Replicas.Pin = map[int32][]state.BrokerID{0: ids(1, 3)}
	f.stopWhen(firstProgress)
	if _, err := f.run(f.plan(d)); err != nil {
		t.Fatal(err)
	}
	f.stop, f.onEvent = nil, nil
	d.Topics[0].Replicas.Pin = map[int32][]state.BrokerID{0: ids(1, 2)}
	p := f.plan(d)
	writes := len(f.writes)
	res, err := f.run(p)
	if err == nil || res.Exit != ExitRefused || !strings.Contains(err.Error(), "-resume") || !strings.Contains(err.Error(), "ballast cancel") {
		t.Fatalf("exit %d, %v", res.Exit, err)
	}
	if len(f.writes) != writes {
		t.Error("something was written")
	}
}

func TestATopicDeletedInMidMoveDoesNotStopOthers(t *testing.T) {
	f := newFixture(t, 3, 3)
	f.topic("doomed", 200e6, ids(1))
	f.topic("orders", 200e6, ids(1))
	d := desired(topic("doomed", 1, 2), topic("orders", 1, 2))
	p := f.plan(d)
	f.onEvent = func(e Event) {
		if firstProgress(e) {
			f.mu.Lock()
			delete(f.topics, "doomed")
			f.mu.Unlock()
		}
	}
	res, err := f.run(p)
	if err != nil || res.Exit != ExitStopped || len(res.Failed) != 1 || res.Failed[0].Topic != "doomed" || !strings.Contains(res.Failed[0].Why, "deleted") {
		t.Fatalf("exit %d, %v, %+v\n%s", res.Exit, err, res, f.story())
	}
	same(t, 2, len(f.replicas("orders", 0)))
	same(t, 0, len(f.throttles()))
}

func TestAMoveThatKeepsADeadReplicaIsPutOff(t *testing.T) {
	f := newFixture(t, 4, 4)
	f.topic("orders", 20e6, ids(1, 2), ids(2, 3))
	d := short(desired(topic("orders", 2, 2)))
	d.Topics[0].Replicas.Pin = map[int32][]state.BrokerID{0: ids(1, 4), 1: ids(2, 4)}
	p := f.plan(d)
	f.afterStart(func() { f.brokers[1].alive = false; f.advance(0) })
	res, err := f.run(p)
	if err != nil || res.Exit != ExitStopped || len(res.Deferred) != 1 || res.Deferred[0].Partitions[0] != 0 {
		t.Fatalf("exit %d, %v, %+v\n%s", res.Exit, err, res, f.story())
	}
	same(t, ids(2, 4), f.replicas("orders", 1))
	same(t, 0, len(f.throttles()))
}

func TestThrottlesTakenAwayArePutBackOnceThenTheRunStops(t *testing.T) {
	f, d := slowRaise(t)
	f.mustLimit = false
	d.Topics[0].Replicas.Pin = map[int32][]state.BrokerID{0: ids(1, 3), 1: ids(2, 3), 2: ids(3, 1)}
	p := f.plan(d)
	set := 0
	f.onEvent = func(e Event) {
		if e.Kind == EventSubmitted || e.Kind == EventThrottleSet && set > 0 {
			f.setConfig(brokerKey(3, followerRate), ptr("9"))
		}
		if e.Kind == EventThrottleSet {
			set++
		}
	}
	res, err := f.run(p)
	if err != nil || res.Exit != ExitStopped || set != 2 || !strings.Contains(res.Reason, "twice") {
		t.Fatalf("exit %d, %v, set %d times, %s\n%s", res.Exit, err, set, res.Reason, f.story())
	}
	same(t, "9", *f.config(brokerKey(3, followerRate))) // it is theirs
}

func TestAThrottleChangedAfterItsUseIsLeftAlone(t *testing.T) {
	f, d := slowRaise(t)
	f.mustLimit = false
	d.Apply.MaxBatchPartitions = 200
	p := f.plan(d)
	f.onEvent = func(e Event) {
		if e.Kind == EventProgress && e.Progress.MovesDone == e.Progress.Moves {
			f.setConfig(brokerKey(1, followerRate), ptr("9"))
		}
	}
	f.mustRun(p)
	same(t, []string{"broker 1 " + followerRate + "=9"}, f.throttles())
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

func TestAPlanOfAnotherClusterIsRefused(t *testing.T) {
	f := newFixture(t, 3, 3)
	p := f.plan(desired(topic("orders", 2, 2)))
	p.Cluster.ID = "another"
	if res, err := f.run(p); err == nil || res.Exit != ExitRefused || !strings.Contains(err.Error(), "cluster another") || len(f.writes) != 0 {
		t.Errorf("exit %d, %v", res.Exit, err)
	}
}

func TestAnErroredPlanIsRefused(t *testing.T) {
	f := newFixture(t, 3, 3)
	p := f.plan(desired(topic("orders", 2, 2)))
	p.Errored = true
	if res, err := f.run(p); err == nil || res.Exit != ExitRefused || len(f.writes) != 0 {
		t.Errorf("exit %d, %v", res.Exit, err)
	}
}

func TestNothingToResume(t *testing.T) {
	f := newFixture(t, 3, 3)
	if res, err := f.run(nil); err == nil || res.Exit != ExitRefused || !strings.Contains(err.Error(), "no unfinished apply") {
		t.Errorf("exit %d, %v", res.Exit, err)
	}
}

func TestADrainEndsWithALookAtTheLogDirs(t *testing.T) {
	f := newFixture(t, 4, 4)
	f.topic("orders", 20e6, ids(1, 3), ids(3, 2))
	d := desired(topic("orders", 2, 2))
	d.Brokers = []config.Broker{{ID: 3, Drain: true}}
	f.mustRun(f.plan(d))
	if e := f.told(EventDrained); len(e) != 1 || !strings.Contains(e[0].Message, "safe to stop") {
		t.Errorf("%s", f.story())
	}
	f.topic("undeclared", 1e6, ids(3, 1))
	f.topic("orders2", 1e6, ids(3, 1))
	f.events = nil
	d.Topics = append(d.Topics, topic("orders2", 1, 2))
	f.mustRun(f.plan(d))
	if e := f.told(EventDrained); len(e) != 1 || !strings.Contains(e[0].Message, "still hold undeclared-0") {
		t.Errorf("%s", f.story())
	}
}

func TestADrainedBrokerThatVotesInTheQuorumIsWarnedOf(t *testing.T) {
	for name, c := range map[string]struct {
		voters []brokerID
		secret error
		want   string
	}{
		"votes":           {ids(1, 2, 3), nil, "broker 3 votes in the metadata quorum, with [1 2]"},
		"does not vote":   {ids(1, 2), nil, ""},
		"may not be read": {nil, &state.Error{Code: 31, Name: "CLUSTER_AUTHORIZATION_FAILED"}, "could not be read"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, 4, 4)
			f.voters, f.secret = c.voters, c.secret
			f.topic("orders", 20e6, ids(1, 3))
			d := desired(topic("orders", 1, 2))
			d.Brokers = []config.Broker{{ID: 3, Drain: true}}
			f.mustRun(f.plan(d))
			warned := f.told(EventWarning)
			if c.want == "" && len(warned) > 0 || c.want != "" && (len(warned) != 1 || !strings.Contains(warned[0].Message, c.want)) {
				t.Errorf("%s", f.story())
			}
		})
	}
}

func TestElectMakesPreferredLeadersLead(t *testing.T) {
	f := newFixture(t, 3, 3)
	f.topic("orders", 1e6, ids(1, 2), ids(2, 3), ids(3, 1))
	f.topic("other", 1e6, ids(1, 2))
	f.topics["orders"].parts[0].leader = 2
	f.topics["orders"].parts[1].leader = 3
	f.topics["other"].parts[0].leader = 2
	res, err := Elect(t.Context(), ElectOptions{Cluster: f.sim, Journal: f.journal, Clock: f.sim, Topics: []string{"ord*"}, Elections: Elections{Count: 1, Every: time.Minute}})
	if err != nil || res.Exit != ExitDone || len(res.Elected) != 2 {
		t.Fatalf("%+v, %v", res, err)
	}
	same(t, brokerID(2), f.topics["other"].parts[0].leader)
	if f.now.Sub(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)) < time.Minute {
		t.Error("the two elections were not a minute apart")
	}
}

func TestStatusTellsWhoseMovesAndThrottlesAre(t *testing.T) {
	f, d := slowRaise(t)
	f.topic("theirs", 500e6, ids(1))
	f.setConfig(brokerKey(2, leaderRate), ptr("5"))
	f.stopWhen(firstProgress)
	if _, err := f.run(f.plan(d)); err != nil {
		t.Fatal(err)
	}
	f.foreign("theirs", 0, ids(1, 2), 1e12)
	first, err := Status(t.Context(), StatusOptions{Cluster: f.sim, Journal: f.journal, Clock: f.sim})
	if err != nil {
		t.Fatal(err)
	}
	f.pass(5 * time.Second)
	rep, err := Status(t.Context(), StatusOptions{Cluster: f.sim, Journal: f.journal, Clock: f.sim, Previous: first})
	if err != nil {
		t.Fatal(err)
	}
	var whose []string
	for _, m := range rep.Moves {
		who := "theirs"
		if m.Ours {
			who = "ours"
		}
		whose = append(whose, m.TopicPartition.String()+" "+who)
		if m.Ours && (m.Copies[0].Rate == nil || *m.Copies[0].Rate < 1e6) {
			t.Errorf("%s has no rate: %+v", m.TopicPartition, m.Copies)
		}
	}
	same(t, []string{"orders-0 ours", "orders-1 ours", "theirs-0 theirs"}, whose)
	for _, th := range rep.Throttles {
		if th.Ours != (th.Name != leaderRate) {
			t.Errorf("%+v", th)
		}
	}
	if !rep.Unfinished || !strings.Contains(rep.Note, "interrupted") {
		t.Errorf("unfinished %t, %q", rep.Unfinished, rep.Note)
	}
}

func TestAThrottleClimbsWhileISRsHoldAndFallsWhenTheyShrink(t *testing.T) {
	f := newFixture(t, 4, 4)
	f.topic("orders", 20e9, ids(1))
	f.topic("other", 1e6, ids(1, 2))
	f.mustLimit = true
	d := desired(topic("orders", 1, 2))
	d.Apply.Throttle = config.Throttle{Network: 100e6, StartPercent: 20, MaxPercent: 50}
	d.Topics[0].Replicas.Pin = map[int32][]state.BrokerID{0: ids(1, 3)}
	p := f.plan(d)
	var rates []string
	f.onEvent = func(e Event) {
		if e.Kind != EventThrottleSet {
			return
		}
		rates = append(rates, *f.config(brokerKey(3, followerRate)))
		if len(rates) == 6 {
			f.kill(2)
		}
		if len(rates) == 7 {
			f.restart(2)
		}
	}
	f.mustRun(p)
	f.settled(d)
	same(t, []string{"20000000", "25000000", "31250000", "39062500", "48828125", "50000000", "25000000", "31250000", "39062500", "48828125", "50000000"}, rates)
}

func TestAThrottleFallsWhereAPartitionElsewhereComesNearMinISR(t *testing.T) {
	f := newFixture(t, 5, 5)
	f.topic("orders", 20e9, ids(1))
	f.topic("far", 1e6, ids(4, 5))
	f.topics["far"].config[minISRConfig] = &simValue{value: ptr("1")}
	d := desired(topic("orders", 1, 2))
	d.Apply.Throttle = config.Throttle{Network: 100e6, StartPercent: 20, MaxPercent: 50}
	d.Topics[0].Replicas.Pin = map[int32][]state.BrokerID{0: ids(1, 3)}
	p := f.plan(d)
	var rates []string
	f.onEvent = func(e Event) {
		if e.Kind != EventThrottleSet {
			return
		}
		if rates = append(rates, *f.config(brokerKey(3, followerRate))); len(rates) == 3 {
			f.kill(5)
		}
		if len(rates) == 4 {
			f.restart(5)
		}
	}
	f.mustRun(p)
	same(t, []string{"20000000", "25000000", "31250000", "15625000", "19531250"}, rates[:5])
	if w := f.told(EventWarning); len(w) != 1 || !strings.Contains(w[0].Message, "far-0") {
		t.Errorf("%s", f.story())
	}
}

func TestTheRateOfARunAtWorkIsChanged(t *testing.T) {
	f, d := slowRaise(t)
	rate := make(chan float64, 2)
	f.opt = func(o *Options) { o.Rate = rate }
	var rates []string
	f.onEvent = func(e Event) {
		switch {
		case firstProgress(e) && len(rates) == 1:
			rate <- 4
		case e.Kind == EventThrottleSet:
			rates = append(rates, strings.Join(f.throttles(), " "))
		}
	}
	f.mustRun(f.plan(d)) // which wants each move submitted once
	f.settled(d)
	if len(rates) < 2 || !strings.Contains(rates[0], followerRate+"=10000000") || !strings.Contains(rates[1], followerRate+"=40000000") {
		t.Errorf("rates %v\n%s", rates, f.story())
	}
}

func TestARateIsChangedWithoutRestartingMoves(t *testing.T) {
	f, d := slowRaise(t)
	f.stopWhen(firstProgress)
	if _, err := f.run(f.plan(d)); err != nil {
		t.Fatal(err)
	}
	f.stop, f.onEvent = nil, nil
	before := f.throttles()
	f.opt = func(o *Options) { o.Throttle = ptr(int64(40_000_000)) }
	var during []string
	f.onEvent = func(e Event) {
		if firstProgress(e) && during == nil {
			during = f.throttles()
		}
	}
	f.mustRun(nil)
	f.settled(d)
	if strings.Join(before, " ") == strings.Join(during, " ") || !strings.Contains(strings.Join(during, " "), "=40000000") {
		t.Errorf("before %v, during %v", before, during)
	}
}

func TestLeftoverThrottlesAreCleared(t *testing.T) {
	f := newFixture(t, 3, 3)
	f.topic("orders", 1e12, ids(1))
	f.setConfig(brokerKey(2, followerRate), ptr("5"))
	f.setConfig(brokerKey(3, leaderRate), ptr("6"))
	f.setConfig(topicKey("orders", leaderList), ptr("*"))
	clear := func(choose func(ThrottleStatus) bool) ([]ThrottleStatus, error) {
		defer f.journal.Close()
		asked := func(s ThrottleStatus) (bool, error) { return choose(s), nil }
		return ClearThrottles(t.Context(), ClearOptions{Cluster: f.sim, Journal: f.journal, Clock: f.sim, Choose: asked})
	}
	f.foreign("orders", 0, ids(1, 2), 1e12)
	if _, err := clear(func(ThrottleStatus) bool { return true }); err == nil || !strings.Contains(err.Error(), "orders-0 to [1 2], held by") || len(f.writes) > 0 {
		t.Fatalf("cleared while a move is in flight: %v", err)
	}
	gone, err := clear(func(s ThrottleStatus) bool { return s.Resource.Name == "3" })
	if err != nil || len(gone) != 1 {
		t.Fatalf("%+v, %v", gone, err)
	}
	same(t, []string{"broker 2 " + followerRate + "=5", "orders " + leaderList + "=*"}, f.throttles())
}

func TestWithoutAThrottleAResumedRunTakesTheOldOneOff(t *testing.T) {
	f, d := slowRaise(t)
	f.mustLimit = false
	f.stopWhen(firstProgress)
	if _, err := f.run(f.plan(d)); err != nil {
		t.Fatal(err)
	}
	f.stop, f.onEvent = nil, nil
	f.opt = func(o *Options) { o.Throttle = ptr(int64(0)) }
	var atLast []string
	f.onEvent = func(e Event) {
		if e.Kind == EventSubmitted {
			atLast = f.throttles()
		}
	}
	f.mustRun(nil)
	f.settled(d)
	same(t, 0, len(atLast))
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
