package apply

import (
	"strings"
	"testing"
	"time"

	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

// short makes gates and stalls short.
func short(d *config.Desired) *config.Desired {
	d.Apply.GateTimeout = 2 * time.Minute
	d.Apply.StallTimeout = time.Minute
	return d
}

// stoppedBy applies a plan and wants that a gate has stopped it.
func (f *fixture) stoppedBy(p *planner.Plan, gate, why string) Result {
	f.t.Helper()
	res, err := f.run(p)
	if err != nil || res.Exit != ExitStopped {
		f.t.Fatalf("exit %d, %v\n%s", res.Exit, err, f.story())
	}
	for _, h := range res.Holds {
		if h.Gate == gate && strings.Contains(h.Why, why) && h.Do != "" && h.Seconds > 0 {
			return res
		}
	}
	f.t.Fatalf("no hold of gate %s that says %q: %+v\n%s", gate, why, res.Holds, f.story())
	return res
}

// raising is a cluster of three brokers where one topic is raised to RF 2, and
// another is there to be unhealthy.
func raising(t *testing.T) (*fixture, *config.Desired) {
	f := newFixture(t, 3, 3)
	f.topic("orders", 50e6, ids(1))
	f.topic("other", 1e6, ids(1, 2), ids(2, 3))
	f.topics["other"].config[minISRConfig] = &simValue{value: ptr("2")}
	d := short(desired(topic("orders", 1, 2)))
	d.Topics[0].Replicas.Pin = map[int32][]state.BrokerID{0: ids(1, 2)}
	return f, d
}

// afterPlan makes the cluster unhealthy between plan and apply's first look at
// the gates: at the event that the run has started.
func (f *fixture) afterStart(change func()) {
	f.onEvent = func(e Event) {
		if e.Kind == EventStarted {
			f.mu.Lock()
			defer f.mu.Unlock()
			change()
		}
	}
}

func (f *fixture) noMoves() {
	f.t.Helper()
	if strings.Contains(f.ops(), "reassign") {
		f.t.Errorf("moves were submitted: %s", f.ops())
	}
}

func TestGateTargetsAlive(t *testing.T) {
	f, d := raising(t)
	p := f.plan(d)
	f.afterStart(func() { f.brokers[2].alive = false })
	f.stoppedBy(p, "targets_alive", "broker 2, which gets a replica, is down")
	f.noMoves()
}

func TestGateDisk(t *testing.T) {
	f, d := raising(t)
	p := f.plan(d)
	f.afterStart(func() { f.brokers[2].usable = 59_999_999 })
	f.stoppedBy(p, "disk", "60 MB are wanted for the 50 MB that arrive")
	f.noMoves()
}

func TestGateOffline(t *testing.T) {
	f, d := raising(t)
	f.topic("single", 1e6, ids(3))
	p := f.plan(d)
	f.afterStart(func() { f.brokers[3].alive = false; f.advance(0) })
	f.stoppedBy(p, "offline", "it has no leader")
	f.noMoves()
}

func TestGateMinISR(t *testing.T) {
	f, d := raising(t)
	p := f.plan(d)
	f.afterStart(func() { f.brokers[3].alive = false; f.advance(0) })
	f.stoppedBy(p, "min_isr", "1 in-sync replicas, min.insync.replicas is 2")
	f.noMoves()
}

func TestGateUnderReplicated(t *testing.T) {
	f, d := raising(t)
	delete(f.topics["other"].config, minISRConfig)
	p := f.plan(d)
	f.afterStart(func() { f.brokers[3].alive = false; f.advance(0) })
	f.stoppedBy(p, "under_replicated", "on [3] of [2 3] out of sync")
	f.noMoves()
}

func TestGateForeignMoveIsWaitedFor(t *testing.T) {
	f, d := raising(t)
	p := f.plan(d)
	f.afterStart(func() { f.foreign("orders", 0, ids(3, 1), 1e15) })
	f.stoppedBy(p, "foreign_move", "another reassignment is in flight, to [3 1]")
	f.noMoves()
	f.clean()
}

// foreign begins a move of another tool's; its partition holds size bytes.
func (s *sim) foreign(name string, p int32, to []brokerID, size float64) {
	tp := key(name, p)
	s.others[tp] = true
	s.topics[name].parts[p].size = size
	if err := s.reassign(state.Reassignment{TopicPartition: tp, Replicas: to}); err != nil {
		s.t.Fatal(err)
	}
	delete(s.submitted, tp.String()+">"+listIDs(to))
}

func TestAGateThatOpensLetsTheRunGoOn(t *testing.T) {
	f, d := raising(t)
	p := f.plan(d)
	start := f.now
	down := false
	f.tick = func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if passed := f.now.Sub(start); passed > time.Minute && down {
			f.brokers[3].alive = true
			f.advance(0)
		}
	}
	f.afterStart(func() { f.brokers[3].alive = false; f.advance(0); down = true })
	f.mustRun(p)
	f.settled(d)
	if len(f.told(EventGateWaiting)) == 0 || len(f.told(EventGateOpen)) == 0 {
		t.Errorf("the wait was not told\n%s", f.story())
	}
	if open := f.told(EventGateOpen)[0]; open.At.Sub(start) < time.Minute+10*time.Second {
		t.Errorf("the gate opened at %s, and must be clean for gate_settle (10 s) first", open.At.Sub(start))
	}
}

func TestGateMinISRChangeWaitsForTheISR(t *testing.T) {
	f := newFixture(t, 3, 3)
	f.topic("orders", 1e6, ids(1, 2))
	d := short(desired(topic("orders", 1, 2)))
	d.Topics[0].Config[minISRConfig] = "2"
	p := f.plan(d)
	f.afterStart(func() { f.brokers[2].alive = false; f.advance(0) })
	f.stoppedBy(p, "min_isr_change", "1 in-sync replicas do not bear min.insync.replicas = 2")
	if f.ops() != "" {
		t.Errorf("something was written: %s", f.ops())
	}
}

func TestGateMinISRChangeWaitsForEligibleLeaders(t *testing.T) {
	f := newFixture(t, 3, 3)
	f.topic("orders", 1e6, ids(1, 2))
	d := short(desired(topic("orders", 1, 2)))
	d.Topics[0].Config[minISRConfig] = "2"
	p := f.plan(d)
	f.afterStart(func() { f.brokers[2].alive = false; f.advance(0); f.topics["orders"].parts[0].elr = ids(2) })
	f.stoppedBy(p, "min_isr_change", "eligible leader replicas [2]")
}

func TestPostGateNamesAReplicaThatDoesNotComeInSync(t *testing.T) {
	f, _ := raising(t)
	r := newRun(t.Context(), Options{Plan: &planner.Plan{}, Cluster: f.sim, Journal: f.journal, Clock: f.sim})
	defer r.close()
	f.topic("done", 1e6, ids(1, 2))
	part := f.topics["done"].parts[0]
	m := Moving{Topic: "done", Before: ids(1), After: ids(1, 2)}
	look := func() *look {
		l, err := takeLook(t.Context(), f.sim, nil)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	check := func(gate, why string) {
		t.Helper()
		s := r.scene(look(), []Moving{m})
		s.before, s.urp = map[state.TopicPartition]int{m.Key(): 1}, map[state.TopicPartition]bool{}
		for _, h := range s.holds(postGates) {
			if h.Gate == gate && strings.Contains(h.Why, why) {
				return
			}
		}
		t.Errorf("no hold of %s that says %q: %v", gate, why, s.holds(postGates))
	}
	part.isr = ids(1)
	check("in_sync", "broker 2 is not in sync")
	part.isr, part.replicas = ids(1, 2), ids(2, 1)
	check("reached", "its replicas are [2 1], not [1 2]")
	part.replicas, part.leader = ids(1, 2), 3
	check("leader", "its leader, broker 3, is none of [1 2]")
	part.leader = state.NoLeader
	check("leader", "it has no leader")
	part.leader = 1
	f.topics["other"].parts[1].isr = ids(3)
	check("under_replicated", "on [2] of [2 3] out of sync")
}

func TestADeletionIsGatedByWhatTheTopicHolds(t *testing.T) {
	for _, c := range []struct {
		name   string
		max    int64
		change func(*fixture)
		want   string // "" where it goes
	}{
		{"empty", 0, func(*fixture) {}, ""},
		{"small enough", 1000, func(f *fixture) { f.topics["old"].parts[0].size = 1000 }, ""},
		{"too big", 999, func(f *fixture) { f.topics["old"].parts[0].size = 1000 }, "it holds 1,000 bytes, max_bytes is 999"},
		{"records not yet on disk", 0, func(f *fixture) { f.topics["old"].parts[0].latest = 3 }, "partition 0 holds records 0 to 2"},
		{"tiered", 0, func(f *fixture) { f.topics["old"].config[remoteStorageConfig] = &simValue{value: ptr("true")} }, "tiered storage"},
		{"not measurable", 0, func(f *fixture) { f.brokers[1].alive = false; f.advance(0) }, "no leader"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t, 2, 2)
			f.topic("old", 0, ids(1))
			d := short(desired())
			d.Absent = append(d.Absent, absent("old", c.max))
			p := f.plan(d)
			f.afterStart(func() { c.change(f) })
			res, err := f.run(p)
			if err != nil {
				t.Fatal(err)
			}
			gone := f.topics["old"] == nil
			if gone != (c.want == "") || (res.Exit == ExitDone) != gone {
				t.Fatalf("exit %d, gone %t\n%s", res.Exit, gone, f.story())
			}
			if c.want != "" && (len(res.Failed) != 1 || !strings.Contains(res.Failed[0].Why, c.want)) {
				t.Errorf("want %q: %+v", c.want, res.Failed)
			}
		})
	}
}

func TestNewPartitionsWaitForTheirBrokers(t *testing.T) {
	for kind, make := range map[string]func(*fixture) *config.Desired{
		"a new topic": func(*fixture) *config.Desired { return short(desired(topic("audit", 3, 2))) },
		"growth": func(f *fixture) *config.Desired {
			f.topic("audit", 1e6, ids(1, 2))
			return short(desired(topic("audit", 4, 2)))
		},
	} {
		t.Run(kind, func(t *testing.T) {
			f := newFixture(t, 3, 3)
			d := make(f)
			p := f.plan(d)
			f.afterStart(func() { f.brokers[3].alive = false; f.advance(0) })
			f.stoppedBy(p, "targets_alive", "broker 3, which gets a replica, is down")
			if f.ops() != "" {
				t.Errorf("something was written: %s", f.ops())
			}
			f.onEvent = nil
			f.restart(3)
			if res, err := f.run(nil); err != nil || res.Exit != ExitDone {
				t.Fatalf("resumed: %+v, %v", res, err)
			}
			f.clean()
			f.settled(d)
		})
	}
}

func TestAGatesMessageFoldsWhatHoldsIt(t *testing.T) {
	var holds []Hold
	for p := int32(0); p < 12; p++ {
		holds = append(holds, hold(key("orders", p), 5, "start the broker", "broker 5, which gets a replica, is down"))
	}
	holds = append(holds, hold(state.TopicPartition{}, 2, "free space on it", "it is full"))
	same(t, "orders-0, orders-1, orders-2 and 9 more: broker 5, which gets a replica, is down; broker 2: it is full", describeHolds(holds))
	holds = append(holds, hold(key("orders", 1), noBroker, "wait", "it has no leader"))
	same(t, "orders-0, orders-1, orders-2 and 9 more: broker 5, which gets a replica, is down; broker 2: it is full; and 1 more reason", describeHolds(holds))
}
