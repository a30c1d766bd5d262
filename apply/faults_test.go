package apply

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"ballast/state"
)

func TestACancelPutsThePreferredLeaderBackFirst(t *testing.T) {
	f := newFixture(t, 3, 3)
	f.topic("orders", 500e6, ids(1, 2))
	d := desired(topic("orders", 1, 2))
	d.Topics[0].Replicas.Pin = map[int32][]state.BrokerID{0: ids(2, 3)}
	f.stopWhen(firstProgress)
	if res, err := f.run(f.plan(d)); err != nil || !res.CanCancel {
		t.Fatalf("%+v, %v", res, err)
	}
	res, err := Cancel(t.Context(), CancelOptions{Cluster: f.sim, Journal: f.journal, Clock: f.sim})
	f.journal.Close()
	if err != nil || res.Exit != ExitDone {
		t.Fatalf("%+v, %v", res, err)
	}
	f.clean()
	same(t, ids(1, 2), f.replicas("orders", 0))
	if len(res.Restored) != 2 || len(res.Throttles) != 0 { // broker 3's rate and the topic's list
		t.Errorf("throttles put back %v, left %v", res.Restored, res.Throttles)
	}
	if !strings.Contains(f.ops(), "reassign cancel reassign config config") {
		t.Errorf("want the cancel, then the reorder, then the throttles: %s", f.ops())
	}
	if res, err := f.run(nil); err == nil || res.Exit != ExitRefused {
		t.Errorf("there is something to resume after a cancel: %+v", res)
	}
}

// atStep makes a change of somebody else's right when a kind of step begins.
func (f *fixture) atStep(kind string, change func()) {
	f.onEvent = func(e Event) {
		if e.Kind == EventStep && string(e.StepKind) == kind {
			f.mu.Lock()
			defer f.mu.Unlock()
			change()
		}
	}
}

// Of others' moves the order before is put back where the journal's plan knew
// it, and told where it is not known.
func TestACancelOfOthersMovesPutsBackTheOrderThatIsKnown(t *testing.T) {
	f := newFixture(t, 4, 4)
	f.topic("known", 1e6, ids(1), ids(2))
	f.topic("strange", 1e12, ids(1, 2), ids(3))
	d := desired(topic("known", 2, 2))
	d.Topics[0].Replicas.Pin = map[int32][]brokerID{0: ids(3, 1), 1: ids(2, 1)}
	f.mustRun(f.plan(d))
	f.topics["known"].parts[0].size = 1e12
	f.foreign("known", 0, ids(1, 4, 3), 1e12) // Kafka forgets that 3 was first
	f.foreign("strange", 0, ids(2, 4), 1e12)
	f.foreign("strange", 1, ids(4), 1e12)
	res, err := Cancel(t.Context(), CancelOptions{Cluster: f.sim, Journal: f.journal, Clock: f.sim, All: true, Events: func(e Event) { f.events = append(f.events, e) }})
	f.journal.Close()
	if err != nil || res.Exit != ExitDone || len(res.Canceled) != 3 {
		t.Fatalf("%+v, %v\n%s", res, err, f.story())
	}
	same(t, ids(3, 1), f.replicas("known", 0))
	same(t, ids(3), f.replicas("strange", 1))
	same(t, []state.TopicPartition{key("strange", 0)}, res.Unordered)
	if w := f.told(EventWarning); len(w) != 1 || !strings.Contains(w[0].Message, "strange-0 had before is not known") {
		t.Errorf("%s", f.story())
	}
}

func TestWhatSomebodyChangesInMidApplyFailsItsTopicAlone(t *testing.T) {
	for _, c := range []struct {
		kind, topic, why string
		change           func(*fixture)
	}{
		{"set_config", "grown", `retention.ms is "7" now`, func(f *fixture) { f.topics["grown"].config["retention.ms"] = &simValue{value: ptr("7")} }},
		{"set_config", "grown", "does not exist any more", func(f *fixture) { delete(f.topics, "grown") }},
		{"create_topic", "new", "it exists, and has 1 partition, not 3", func(f *fixture) { f.topic("new", 0, ids(1)) }},
		{"add_partitions", "grown", "it has 4 partitions now", func(f *fixture) {
			f.topics["grown"].parts = append(f.topics["grown"].parts, newSimPart(ids(1, 2), 0))
		}},
		{"add_partitions", "grown", "does not exist any more", func(f *fixture) { delete(f.topics, "grown") }},
		{"reassign", "grown", "its replicas are [4] now", func(f *fixture) { f.topics["grown"].parts[0] = newSimPart(ids(4), 1e6) }},
		{"elect_leaders", "led", "does not exist any more", func(f *fixture) { delete(f.topics, "led") }},
	} {
		t.Run(c.kind+"/"+c.why, func(t *testing.T) {
			f, d := busy(t)
			p := f.plan(d)
			f.atStep(c.kind, func() { c.change(f) })
			res, err := f.run(p)
			if err != nil || res.Exit != ExitStopped || len(res.Failed) == 0 {
				t.Fatalf("exit %d, %v\n%s", res.Exit, err, f.story())
			}
			for _, l := range res.Failed {
				if l.Topic != c.topic {
					t.Errorf("topic %s failed too: %s", l.Topic, l.Why)
				}
			}
			if !strings.Contains(res.Failed[0].Why, c.why) {
				t.Errorf("want %q: %s", c.why, res.Failed[0].Why)
			}
			same(t, busyThrottles, f.throttles())
			if f.topics["gone"] != nil {
				t.Error("other topics did not go on")
			}
		})
	}
}

func TestAMoveTakenBackBySomebodyElseFailsItsTopic(t *testing.T) {
	f, d := slowRaise(t)
	p := f.plan(d)
	once := false
	f.onEvent = func(e Event) {
		if !once && firstProgress(e) {
			once = true
			f.mu.Lock()
			defer f.mu.Unlock()
			if err := f.cancel(f.topics["orders"].parts[0]); err != nil {
				t.Error(err)
			}
		}
	}
	res, err := f.run(p)
	if err != nil || res.Exit != ExitStopped || len(res.Failed) == 0 || !strings.Contains(res.Failed[0].Why, "taken back by somebody else") {
		t.Fatalf("exit %d, %v, %+v\n%s", res.Exit, err, res.Failed, f.story())
	}
	f.clean()
	same(t, 0, len(f.throttles()))
	same(t, 2, len(f.replicas("orders", 1)))
}

func TestADiskThatFillsUpInMidApplyEndsAllWriting(t *testing.T) {
	f, d := slowRaise(t)
	full := 0
	f.journal.kill = func(n int) simFault {
		if n != 8 {
			return simFault{}
		}
		full = len(f.writes)
		return simFault{killBefore: true}
	}
	p := f.plan(d)
	res, err := f.run(p)
	if err != nil || res.Exit != ExitStopped || !strings.Contains(res.Reason, "nothing more is written to the cluster") {
		t.Fatalf("exit %d, %v, %s", res.Exit, err, res.Reason)
	}
	same(t, full, len(f.writes))
	f.revive()
	f.mustRun(nil)
	f.settled(d)
}

func TestALostLockEndsAllWriting(t *testing.T) {
	f, d := slowRaise(t)
	writes := 0
	f.onEvent = func(e Event) {
		if e.Kind == EventSubmitted {
			f.journal.locked = false
			writes = len(f.writes)
		}
	}
	res, err := f.run(f.plan(d))
	if err != nil || res.Exit != ExitStopped || !strings.Contains(res.Reason, "the lock is lost") {
		t.Fatalf("exit %d, %v, %s", res.Exit, err, res.Reason)
	}
	same(t, writes, len(f.writes))
}

func TestAnItemThatKafkaRefusesFailsItsTopic(t *testing.T) {
	for _, op := range []string{"create", "config", "add", "reassign", "delete", "elect"} {
		t.Run(op, func(t *testing.T) {
			f, d := busy(t)
			d.Apply.Throttle.BytesPerSecond = 0
			f.mustLimit = false
			f.fault = func(_ int, now string) simFault {
				if now != op {
					return simFault{}
				}
				return simFault{code: &state.Error{Code: 44, Name: "POLICY_VIOLATION", Message: "not here"}}
			}
			res, err := f.run(f.plan(d))
			if err != nil || res.Exit != ExitStopped || len(res.Failed)+len(res.Deferred) == 0 {
				t.Fatalf("exit %d, %v, %+v", res.Exit, err, res)
			}
			for _, l := range append(res.Failed, res.Deferred...) {
				if l.Topic == "" || l.Why == "" || l.Step == 0 {
					t.Errorf("%+v", l)
				}
			}
			if !strings.Contains(f.story(), "POLICY_VIOLATION (44): not here") {
				t.Errorf("Kafka's own words are missing\n%s", f.story())
			}
		})
	}
}

func TestABrokerThatDiesUnderItsThrottle(t *testing.T) {
	f := newFixture(t, 4, 4)
	f.topic("orders", 100e6, ids(1), ids(2))
	d := short(desired(topic("orders", 2, 2)))
	d.Topics[0].Replicas.Pin = map[int32][]state.BrokerID{0: ids(1, 3), 1: ids(2, 4)}
	d.Apply.MaxBatchPartitions = 1
	p := f.plan(d)
	f.onEvent = func(e Event) {
		if e.Kind == EventProgress && e.Progress.MovesDone == 1 {
			f.kill(3)
		}
	}
	res, err := f.run(p)
	if err != nil || res.Exit != ExitStopped {
		t.Fatalf("exit %d, %v", res.Exit, err)
	}
	f.clean() // no config was sent to the dead broker
	f.onEvent = nil
	f.restart(3)
	f.mustRun(f.plan(d))
	f.settled(d)
}

func TestABrokerThatIsSilentForAWhileIsWaitedFor(t *testing.T) {
	f, d := slowRaise(t)
	p := f.plan(d)
	silent := &flaky{sim: f.sim}
	f.opt = func(o *Options) { o.Cluster = silent }
	f.onEvent = func(e Event) {
		if firstProgress(e) && silent.until.IsZero() {
			silent.until = f.now.Add(time.Minute)
		}
	}
	f.mustRun(p)
	f.settled(d)
	if len(f.told(EventRetry)) == 0 {
		t.Errorf("not told\n%s", f.story())
	}
}

// flaky answers no question about moves until a time.
type flaky struct {
	*sim
	until time.Time
}

func (c *flaky) Reassignments(ctx context.Context) ([]state.OngoingReassignment, error) {
	if c.Now().Before(c.until) {
		return nil, errors.New("i/o timeout")
	}
	return c.sim.Reassignments(ctx)
}

func TestStalePlansAreRefusedItemByItem(t *testing.T) {
	f := newFixture(t, 3, 3)
	f.topic("orders", 1e6, ids(1), ids(2))
	d := desired(topic("orders", 2, 2))
	d.Topics[0].Config["retention.ms"] = "1000"
	p := f.plan(d)
	f.topics["orders"].config["retention.ms"] = &simValue{value: ptr("7")}
	f.topics["orders"].parts[1] = newSimPart(ids(3), 1e6)
	res, err := f.run(p)
	var refusal *Refusal
	if !errors.As(err, &refusal) || refusal.Code != "stale_plan" || len(refusal.Items) != 2 || res.Exit != ExitRefused {
		t.Fatalf("%v", err)
	}
	same(t, 0, len(f.writes))
}
