package apply

import (
	"errors"
	"strings"
	"testing"

	"ballast/state"
)

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
