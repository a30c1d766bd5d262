package apply

import (
	"testing"
	"time"
)

// atKind matches the event when a kind of step begins.
func atKind(kind string) func(Event) bool {
	return func(e Event) bool { return e.Kind == EventStep && string(e.StepKind) == kind }
}

func TestARunThatIsInterruptedAgainStillTellsWhatTheFirstHasDone(t *testing.T) {
	f, d := busy(t)
	p := f.plan(d)
	f.stopWhen(atKind("add_partitions"))
	first, err := f.run(p)
	if err != nil || first.Exit != ExitStopped || first.Counts.TopicsCreate != 1 || first.Counts.ReplicasAdded == 0 {
		t.Fatalf("%+v, %v\n%s", first, err, f.story())
	}
	f.stopWhen(func(e Event) bool { return e.Kind == EventStarted })
	second, err := f.run(nil)
	if err != nil || second.Exit != ExitStopped {
		t.Fatalf("%+v, %v", second, err)
	}
	same(t, first.Counts, second.Counts)
	same(t, first.Left, second.Left)
	f.stop, f.onEvent = nil, nil
	f.submitted = map[string]int{}
	last := f.mustRun(nil)
	same(t, p.Summary, last.Counts)
	same(t, p.Digest, last.Plan.Digest)
}

func TestAResumedRunTellsTheTimeOfAllItsRunsAndNotTheNightBetween(t *testing.T) {
	f, d := slowRaise(t)
	f.stopWhen(func(e Event) bool { return e.Kind == EventProgress && e.Progress.BytesDone > 100e6 })
	first, err := f.run(f.plan(d))
	if err != nil || first.Exit != ExitStopped || first.Elapsed < 5 {
		t.Fatalf("%+v, %v", first, err)
	}
	f.pass(10 * time.Hour)
	f.stop, f.onEvent = nil, nil
	began := f.now
	second := f.mustRun(nil)
	here := f.now.Sub(began).Seconds()
	if got, want := second.Elapsed, first.Elapsed+here; got < want-1 || got > want+1 {
		t.Errorf("%.1f s, want %.1f s of the first run and %.1f s of this one", got, first.Elapsed, here)
	}
}
