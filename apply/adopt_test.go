package apply

import (
	"strings"
	"testing"
	"time"

	"ballast/config"
	"ballast/state"
)

// inFlight is a topic that another tool is already moving to what is wanted,
// which takes longer than any gate waits.
func inFlight(t *testing.T) (*fixture, *config.Desired) {
	f := newFixture(t, 3, 3)
	f.topic("orders", 600e6, ids(1, 2), ids(2, 3))
	f.fast = 1e6 // ten minutes
	f.foreign("orders", 0, ids(1, 3), 600e6)
	d := short(desired(topic("orders", 2, 2)))
	d.Topics[0].Replicas.Pin = map[int32][]state.BrokerID{0: ids(1, 3), 1: ids(2, 3)}
	return f, d
}

func TestMinISRIsRaisedAfterTheMovesInFlight(t *testing.T) {
	f, d := inFlight(t)
	d.Topics[0].Config[minISRConfig] = "2"
	p := f.plan(d)
	if len(p.Steps) != 2 || len(p.InFlight) != 1 || !p.InFlight[0].Wanted {
		t.Fatalf("%+v %+v", p.Steps, p.InFlight)
	}
	raised := 0
	f.fault = func(_ int, op string) simFault {
		if op == "config" {
			raised++
			if f.topics["orders"].parts[0].inFlight() {
				t.Error("min.insync.replicas was raised while the move is in flight")
			}
		}
		return simFault{}
	}
	f.mustRun(p)
	f.settled(d)
	if raised != 1 || len(f.told(EventAdopted)) != 1 || len(f.told(EventGateWaiting)) != 0 {
		t.Errorf("raised %d times\n%s", raised, f.story())
	}
}

func TestMinISRIsLoweredAtOnceWhateverIsInFlight(t *testing.T) {
	f, d := inFlight(t)
	f.topics["orders"].config[minISRConfig] = &simValue{value: ptr("2")}
	d.Topics[0].Config[minISRConfig] = "1"
	p := f.plan(d)
	atOnce := false
	f.fault = func(_ int, op string) simFault {
		atOnce = atOnce || op == "config" && f.topics["orders"].parts[0].inFlight()
		return simFault{}
	}
	f.mustRun(p)
	f.settled(d)
	if !atOnce {
		t.Errorf("it waited\n%s", f.story())
	}
}

func TestMinISRWaitsAtAGateForAMoveThatBeganAfterThePlan(t *testing.T) {
	f := newFixture(t, 3, 3)
	f.topic("orders", 600e6, ids(1, 2))
	d := short(desired(topic("orders", 1, 2)))
	d.Topics[0].Config[minISRConfig] = "2"
	p := f.plan(d)
	f.afterStart(func() { f.fast = 1e6; f.foreign("orders", 0, ids(1, 3), 600e6) })
	f.stoppedBy(p, "min_isr_change", "a reassignment is in flight, to [1 3]: min.insync.replicas is raised after it")
	if f.ops() != "" {
		t.Errorf("something was written: %s", f.ops())
	}
}

func TestAPlanOfNothingButMovesInFlightWaitsForThemAndVerifies(t *testing.T) {
	f, d := inFlight(t)
	p := f.plan(d)
	if len(p.Steps) != 0 {
		t.Fatalf("%+v", p.Steps)
	}
	began := f.now
	f.mustRun(p)
	if took := f.now.Sub(began); took < 10*time.Minute {
		t.Errorf("it ended after %s, and the move takes 10 minutes", took)
	}
	same(t, ids(1, 3), f.replicas("orders", 0))
}

func TestAPlanWhoseMoveInFlightWasTakenBackFailsItsTopic(t *testing.T) {
	for name, when := range map[string]EventKind{"before": EventStarted, "while it is waited for": EventAdopted} {
		t.Run(name, func(t *testing.T) {
			f, d := inFlight(t)
			d.Topics[0].Config[minISRConfig] = "2"
			p := f.plan(d)
			f.onEvent = func(e Event) {
				if e.Kind == when {
					f.mu.Lock()
					defer f.mu.Unlock()
					if err := f.cancel(f.topics["orders"].parts[0]); err != nil {
						t.Error(err)
					}
				}
			}
			res, err := f.run(p)
			if err != nil || res.Exit != ExitStopped || len(res.Failed) == 0 || !strings.Contains(res.Failed[0].Why, "taken") {
				t.Fatalf("%+v, %v\n%s", res, err, f.story())
			}
			if f.ops() != "" {
				t.Errorf("something was written: %s", f.ops())
			}
		})
	}
}

func TestAnAdoptedMoveThatStallsStopsTheRunAndIsGoneOnWith(t *testing.T) {
	f, d := inFlight(t)
	p := f.plan(d)
	f.afterStart(func() { f.fast = 0 })
	f.stoppedBy(p, "stall", "broker 3 does not catch up")
	f.onEvent, f.fast = nil, 10e6
	f.mustRun(nil)
	f.settled(d)
}

func TestProgressNeverPassesItsEnd(t *testing.T) {
	f, d := inFlight(t)
	f.topic("payments", 100e6, ids(1, 2))
	d.Topics = append(d.Topics, topic("payments", 1, 2))
	d.Topics[1].Replicas.Pin = map[int32][]state.BrokerID{0: ids(1, 3)}
	f.mustRun(f.plan(d))
	f.settled(d)
	progress := f.told(EventProgress)
	if len(progress) == 0 || len(f.told(EventAdopted)) != 1 {
		t.Fatalf("nothing is adopted, or no progress told\n%s", f.story())
	}
	for _, e := range progress {
		if p := e.Progress; p.PlanDone > p.PlanBytes || p.BytesDone > p.Bytes {
			t.Errorf("%+v", *p)
		}
	}
	if last := progress[len(progress)-1].Progress; last.PlanDone != last.PlanBytes || last.PlanBytes < 700e6 {
		t.Errorf("it ends at %d of %d", last.PlanDone, last.PlanBytes)
	}
}
