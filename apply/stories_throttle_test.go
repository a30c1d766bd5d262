package apply

import (
	"strings"
	"testing"
	"time"

	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

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
