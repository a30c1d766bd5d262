package planner_test

import (
	"testing"

	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

func TestMinISRIsLoweredBeforeReplicasGoAndRaisedAfterTheyCame(t *testing.T) {
	down := planOf(desired(want("t", 1, 1, "min.insync.replicas", "1")), cluster(3, 0, with(topic("t", on(1, 2, 3)), "min.insync.replicas", "2")))
	noErrors(t, down)
	if got := kinds(down); got != "set_config(t min.insync.replicas) reassign(t)" {
		t.Error(got)
	}
	up := planOf(desired(want("t", 1, 3, "min.insync.replicas", "2")), cluster(3, 0, topic("t", on(1))))
	noErrors(t, up)
	if got := kinds(up); got != "reassign(t) set_config(t min.insync.replicas)" {
		t.Error(got)
	}
}

func TestWhatMakesDataGoComesLastUnlessSpaceIsReclaimedFirst(t *testing.T) {
	s := cluster(3, 0, topic("gone", on(1)), topic("kept", on(1, 2)))
	d := desired(want("kept", 2, 3, "retention.ms", "1000", "max.message.bytes", "2000000"))
	d.Absent = []config.AbsentTopic{{Name: "gone", MaxBytes: 100}}
	p := planOf(d, s)
	noErrors(t, p)
	if got := kinds(p); got != "set_config(kept max.message.bytes) reassign(kept) add_partitions(kept) set_config(kept retention.ms) delete_topic(gone)" {
		t.Error(got)
	}
	d.Apply.ReclaimFirst = true
	if got := kinds(planOf(d, s)); got != "set_config(kept max.message.bytes) set_config(kept retention.ms) delete_topic(gone) reassign(kept) add_partitions(kept)" {
		t.Error(got)
	}
}

func TestTopicsWithoutMovesDoNotWaitForThoseOfOthers(t *testing.T) {
	s := cluster(3, 0, topic("grown", on(1)), topic("raised", on(1)))
	p := planOf(desired(want("fresh", 1, 1), want("grown", 2, 1), want("raised", 2, 2)), s)
	noErrors(t, p)
	if got := kinds(p); got != "create_topic(fresh) add_partitions(grown) reassign(raised) add_partitions(raised)" {
		t.Error(got)
	}
}

func TestElectionsAreSpacedOut(t *testing.T) {
	s := cluster(2, 0, topic("t", on(1, 2), on(1, 2), on(1, 2), on(1, 2)))
	for i := range s.Topics[0].Partitions {
		s.Topics[0].Partitions[i].Leader = 2
	}
	w := want("t", 4, 2)
	w.Leaders.Brokers = on(1)
	d := desired(w)
	d.Apply.Elections.Count = 3
	p := planOf(d, s)
	noErrors(t, p)
	if got := kinds(p); got != "elect_leaders(t) elect_leaders(t)" || len(p.Steps[0].Moves) != 3 {
		t.Error(got)
	}
	if p.Estimate.Seconds != 10 || p.Summary.LeadersMoved != 4 {
		t.Errorf("%+v %+v", p.Estimate, p.Summary)
	}
}

func TestUnderKeepALeaderNotAtHomeIsOnlyTold(t *testing.T) {
	s := cluster(2, 0, topic("t", on(1, 2)))
	s.Topics[0].Partitions[0].Leader = 2
	p := planOf(desired(want("t", 1, 2)), s)
	unchanged(t, p, "t")
	diagnostic(t, p, "leader_not_preferred")
}

func TestPartitionsUnderMinISRAreMovedFirst(t *testing.T) {
	s := cluster(4, 0, with(topic("a", on(1, 2)), "min.insync.replicas", "2"), with(topic("b", on(1, 4)), "min.insync.replicas", "2"))
	s.Brokers[3].Alive = false
	s.Topics[1].Partitions[0].ISR = on(1)
	d := drain(desired(want("a", 1, 2, "min.insync.replicas", "2"), want("b", 1, 2, "min.insync.replicas", "2")), 2, 4)
	d.Apply.MaxBatchPartitions = 1
	p := planOf(d, s)
	noErrors(t, p)
	if got := kinds(p); got != "reassign(b) reassign(a)" {
		t.Error(got)
	}
}

func TestWhatWaitsForAMoveInFlightComesLast(t *testing.T) {
	s := cluster(3, 0, topic("a", on(1, 2)), topic("b", on(1)))
	p := &s.Topics[0].Partitions[0]
	p.Replicas, p.ISR, p.Adding, p.Removing = on(2, 3, 1), on(1), on(2, 3), on(1)
	got := planOf(desired(want("a", 2, 1), want("b", 1, 2)), s)
	noErrors(t, got)
	if k := kinds(got); k != "reassign(b) reassign(a) add_partitions(a) elect_leaders(a)" {
		t.Error(k)
	}
	a := change(t, got, "a").Assignments[0]
	if len(a.Before) != 2 || len(a.After) != 1 || a.Reasons[0] != planner.ReasonInFlight {
		t.Errorf("%+v", a)
	}
	if f := got.InFlight; len(f) != 1 || f[0].Topic != "a" || len(f[0].Target) != 2 || f[0].Ours {
		t.Errorf("%+v", f)
	}
}

func TestAStepTellsWhatItCosts(t *testing.T) {
	s := cluster(3, 0, topic("t", on(1), on(1)))
	for i := range s.Topics[0].Partitions {
		s.Topics[0].Partitions[i].Size = state.KnownSize(100_000_000)
	}
	p := planOf(desired(want("t", 2, 3)), s)
	noErrors(t, p)
	step := p.Steps[0]
	if step.Bytes != 400_000_000 || step.Throttle != 50_000_000 || step.Seconds != 8 {
		t.Errorf("%+v", step)
	}
	if e := p.Estimate; e.Bytes != 400_000_000 || e.Seconds != 8 || *e.BottleneckBroker != 1 {
		t.Errorf("%+v", e)
	}
	if b := p.Brokers[0]; b.BytesOut != 400_000_000 || b.BytesIn != 0 || b.Before.Replicas != 2 || b.After.Replicas != 2 {
		t.Errorf("%+v", b)
	}
}

func TestTheWorstMomentCountsWhatComesAndWhatGoes(t *testing.T) {
	p := planOf(drain(desired(want("t", 2, 1)), 1), cluster(2, 0, topic("t", on(1), on(1))))
	noErrors(t, p)
	one, two := p.Brokers[0], p.Brokers[1]
	if one.Peak.Replicas != 2 || one.After.Replicas != 0 || two.Before.Replicas != 0 || two.Peak.Replicas != 2 || two.Peak.Bytes != 200 {
		t.Errorf("%+v %+v", one, two)
	}
}

func TestWithoutRoomOnDiskThePlanIsErroredAndSaysHowMuchIsMissing(t *testing.T) {
	s := cluster(2, 0, topic("t", on(1)))
	s.Brokers[1].LogDirs = []state.LogDir{{Path: "/d", Total: state.KnownSize(1000), Usable: state.KnownSize(110)}}
	p := planOf(drain(desired(want("t", 1, 1)), 1), s)
	d := diagnostic(t, p, "disk_full")
	if d.Severity != config.SeverityError || !p.Errored {
		t.Errorf("%+v", d)
	}
	if riskCodes(change(t, p, "t")) != "disk_headroom" {
		t.Error(riskCodes(change(t, p, "t")))
	}
}

// A move in flight that ends as wanted is no change, and yet min.insync.replicas
// is only raised after it: its lists have to bear the new value.
func TestMinISRIsRaisedAfterAStepThatWaitsForMovesInFlight(t *testing.T) {
	moving := topic("orders", on(1, 2), on(2, 3))
	p0 := &moving.Partitions[0]
	p0.Adding, p0.ISR = on(2), on(1)
	p := planOf(desired(want("orders", 2, 2, "min.insync.replicas", "2")), cluster(3, 0, moving))
	noErrors(t, p)
	if len(p.Steps) != 2 || p.Steps[0].Kind != planner.Reassign || p.Steps[1].Kind != planner.SetConfig {
		t.Fatalf("%+v", p.Steps)
	}
	if m := p.Steps[0].Moves; len(m) != 1 || m[0].Partition != 0 || len(m[0].Before) != 2 || len(m[0].After) != 2 || p.Steps[0].Bytes != 0 {
		t.Errorf("%+v", p.Steps[0])
	}
	if c := change(t, p, "orders"); len(c.Assignments) != 0 || !p.InFlight[0].Wanted {
		t.Errorf("%+v %+v", c, p.InFlight)
	}
}
