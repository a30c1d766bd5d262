package planner_test

import (
	"strings"
	"testing"

	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

func TestDeletionStopsAtItsGate(t *testing.T) {
	unknown, remote := topic("unknown", on(1)), with(topic("remote", on(1)), "remote.storage.enable", "true")
	unknown.Partitions[0].Size = state.Size{}
	s := cluster(2, 0, topic("fits", on(1, 2), on(2, 1)), topic("large", on(1)), remote, unknown)
	d := desired()
	for _, name := range []string{"fits", "gone", "large", "remote", "unknown"} {
		d.Absent = append(d.Absent, config.AbsentTopic{Name: name, MaxBytes: 200, Source: config.Source{File: "main.hcl", Line: 3}})
	}
	d.Absent[2].MaxBytes = 99
	p := planOf(d, s)
	if p.Summary.TopicsDelete != 1 || riskCodes(change(t, p, "fits")) != "topic_deleted" || *p.Steps[0].MaxBytes != 200 {
		t.Errorf("%+v %+v", p.Summary, p.Steps)
	}
	for code, topic := range map[string]string{"absent_topic_too_large": "large", "absent_topic_remote": "remote", "absent_topic_size_unknown": "unknown"} {
		if got := diagnostic(t, p, code); got.Topic != topic || got.Line != 3 || got.Severity != config.SeverityError {
			t.Errorf("%+v", got)
		}
		unchanged(t, p, topic)
	}
}

func TestATargetLeavesAllOthersAndTheirErrorsOut(t *testing.T) {
	d := desired(want("alpha", 1, 2), want("beta", 1, 9))
	s := cluster(3, 0, topic("alpha", on(1)), topic("beta", on(2)), topic("theirs", on(3)))
	o := planner.Options{Targets: []string{"topic.al*"}, SnapshotFile: "s.json",
		ConfigDiagnostics: []config.Diagnostic{{Severity: config.SeverityError, Code: "x", Topic: "beta"}}}
	p := planner.Make(d, s, o)
	noErrors(t, p)
	diagnostic(t, p, "partial_plan")
	change(t, p, "alpha")
	unchanged(t, p, "beta")
	if p.Summary.TopicsUnmanaged != 1 || len(p.Targets) != 1 {
		t.Errorf("%+v %v", p.Summary, p.Targets)
	}
	p = planner.Make(d, s, planner.Options{Targets: []string{"topic.nothing"}})
	if d := diagnostic(t, p, "target_unknown"); d.Severity != config.SeverityError {
		t.Errorf("%+v", d)
	}
}

func TestFewerPartitionsAreRefusedAtTheirLine(t *testing.T) {
	p := planOf(desired(want("t", 1, 3)), cluster(3, 0, topic("t", on(1), on(2))))
	if d := diagnostic(t, p, "partitions_lowered"); d.Line != 6 || d.File != "main.hcl" {
		t.Errorf("%+v", d)
	}
	unchanged(t, p, "t")
}

func TestANewTopicHasToSayHowManyPartitionsAndCopies(t *testing.T) {
	p := planOf(desired(want("a", 0, 1), want("b", 1, 0)), cluster(1, 0))
	diagnostic(t, p, "partitions_missing")
	diagnostic(t, p, "replication_factor_missing")
}

func TestADrainingBrokerThatUndeclaredTopicsHoldIsTold(t *testing.T) {
	s := cluster(3, 0, topic("mine", on(1, 2)), topic("theirs", on(1)))
	d := drain(desired(want("mine", 1, 2)), 1)
	p := planOf(d, s)
	noErrors(t, p)
	unchanged(t, p, "theirs")
	if w := diagnostic(t, p, "drain_incomplete"); !strings.Contains(w.Detail, "theirs") || w.Line != 1 {
		t.Errorf("%+v", w)
	}
	d.Unmanaged.Replicas = config.UnmanagedDrain
	p = planOf(d, s)
	noErrors(t, p)
	if a := change(t, p, "theirs").Assignments[0]; state.Contains(a.After, 1) || a.Reasons[0] != planner.ReasonDrain {
		t.Errorf("%+v", a)
	}
	d.Unmanaged.Exclude = []string{"th*"}
	unchanged(t, planOf(d, s), "theirs")
}

func TestDrainingUndeclaredTopicsDoesNothingElse(t *testing.T) {
	theirs := with(topic("theirs", on(1, 4), on(1, 2)), "retention.ms", "1")
	d := drain(desired(), 2)
	d.Unmanaged.Replicas = config.UnmanagedDrain
	p := planOf(d, cluster(6, 3, theirs))
	noErrors(t, p)
	c := change(t, p, "theirs")
	if len(c.Config) > 0 || len(c.Assignments) != 1 || c.Assignments[0].Partition != 1 {
		t.Errorf("%+v", c)
	}
	if after := c.Assignments[0].After; after[0] != 1 || after[1] == 4 {
		t.Errorf("%v puts both copies into one rack", after)
	}
}

func TestUndeclaredTopicsCanBePlacedByTheDefaults(t *testing.T) {
	d := desired()
	d.Unmanaged.Replicas = config.UnmanagedPlace
	d.Defaults.Replicas.RackSpread = config.SpreadEven
	p := planOf(d, cluster(4, 2, with(topic("theirs", on(1, 3)), "retention.ms", "1")))
	noErrors(t, p)
	c := change(t, p, "theirs")
	if len(c.Config) > 0 || c.Assignments[0].Reasons[0] != planner.ReasonRack || p.Summary.ReplicasAdded != 1 {
		t.Errorf("%+v", c)
	}
}

func TestBrokersWithoutARackAreNamed(t *testing.T) {
	s := cluster(3, 2, topic("t", on(1)))
	s.Brokers[2].Rack = ""
	p := planOf(desired(want("t", 1, 2)), s)
	if d := diagnostic(t, p, "rack_missing"); !strings.Contains(d.Summary, "3") {
		t.Errorf("%+v", d)
	}
	unchanged(t, p, "t")
	none := want("t", 1, 2)
	none.Replicas.RackSpread = config.SpreadNone
	noErrors(t, planOf(desired(none), s))
}

func TestAPartitionWaitsForTheRackOfADeadBroker(t *testing.T) {
	s := cluster(4, 2, topic("t", on(1, 5)), topic("u", on(1, 2)))
	s.Topics[0].Partitions[0].ISR = on(1)
	d := desired(want("t", 1, 3), want("u", 1, 3))
	p := planOf(d, s)
	noErrors(t, p)
	unchanged(t, p, "t")
	change(t, p, "u")
	if w := diagnostic(t, p, "rack_unknown"); !strings.Contains(w.Detail, "t-0") || !strings.Contains(w.Summary, "5") {
		t.Errorf("%+v", w)
	}
	d.Brokers = []config.Broker{{ID: 5, Rack: "b", Weight: 1}}
	change(t, planOf(d, s), "t")
}

func TestAPinNamesBrokersThatMayBeUsed(t *testing.T) {
	s := cluster(4, 0, topic("t", on(1, 2)))
	s.Brokers[3].Alive = false
	for why, pin := range map[string]map[int32][]state.BrokerID{
		"pin_no_partition": {7: on(1, 2)},
		"pin_length":       {0: on(1)},
		"pin_repeats":      {0: on(1, 1)},
		"pin_not_eligible": {0: on(1, 4)},
	} {
		w := want("t", 1, 2)
		w.Replicas.Pin = pin
		p := planOf(desired(w), s)
		diagnostic(t, p, why)
		unchanged(t, p, "t")
	}
	w := want("t", 1, 2)
	w.Replicas.Pin = map[int32][]state.BrokerID{0: on(3, 1)}
	p := planOf(desired(w), s)
	noErrors(t, p)
	if a := change(t, p, "t").Assignments[0]; a.After[0] != 3 || a.Reasons[0] != planner.ReasonPin {
		t.Errorf("%+v", a)
	}
}

func TestAllMistakesOfPinsAreToldAtOnce(t *testing.T) {
	s := cluster(4, 0, topic("t", on(1, 2)))
	s.Brokers[3].Alive = false
	w := want("t", 1, 2)
	w.Replicas.Pin = map[int32][]state.BrokerID{0: on(1, 1, 4), 7: on(4)}
	p := planOf(desired(w), s)
	got := map[string]int{}
	for _, d := range p.Diagnostics {
		got[d.Code]++
	}
	if got["pin_no_partition"] != 1 || got["pin_length"] != 2 || got["pin_repeats"] != 1 || got["pin_not_eligible"] != 1 {
		t.Errorf("%v", got)
	}
}

func TestTheLastLiveReplicaIsNeverGivenUp(t *testing.T) {
	s := cluster(2, 0, topic("t", on(1, 2)))
	s.Brokers[1].Alive = false
	s.Topics[0].Partitions[0].ISR = on(1)
	p := planOf(drain(desired(want("t", 1, 1)), 1), s)
	if d := diagnostic(t, p, "infeasible_enough_brokers"); d.Summary != "t-0 wants 1 replica, and only 0 of its brokers can hold one" {
		t.Error(d.Summary)
	}
	unchanged(t, p, "t")
}

func TestRulesThatCannotBeMetAreCountedOut(t *testing.T) {
	w := want("wide", 1, 3)
	w.Replicas.RackSpread = config.SpreadDistinct
	p := planOf(drain(desired(w), 3), cluster(4, 2))
	d := diagnostic(t, p, "infeasible_rack_spread_distinct")
	for _, part := range []string{"3", "2", `rack "a": 1`, `rack "b": 2`, "1 drain"} {
		if !strings.Contains(d.Summary+d.Detail, part) {
			t.Errorf("%q is not in %+v", part, d)
		}
	}
}

func TestNamesThatTheClusterDoesNotHaveAreTold(t *testing.T) {
	w := want("t", 1, 1)
	w.Leaders.Racks = []string{"a", "A"}
	w.Leaders.Brokers = on(1, 99)
	p := planOf(desired(w), cluster(2, 2, topic("t", on(1))))
	noErrors(t, p)
	diagnostic(t, p, "rack_without_brokers")
	diagnostic(t, p, "broker_not_registered")
	p = planOf(drain(desired(), 66), cluster(2, 2))
	noErrors(t, p)
	if d := diagnostic(t, p, "broker_not_registered"); !strings.Contains(d.Summary, "66") {
		t.Errorf("%+v", d)
	}
}

func TestNamesThatWouldMoveReplicasAreRefusedAtTheirLine(t *testing.T) {
	s := cluster(6, 3, topic("t", on(1)), topic("u", on(2)))
	for what, bind := range map[string]func(*config.Desired, *config.Topic){
		`rack "bb"`: func(_ *config.Desired, w *config.Topic) { w.Replicas.Racks = []string{"a", "bb"} },
		`rack "cc"`: func(_ *config.Desired, w *config.Topic) { w.Replicas.PerRack = map[string]int{"cc": 1, "none": 0} },
		"broker 99": func(_ *config.Desired, w *config.Topic) { w.Replicas.Brokers = on(1, 99) },
		`rack "dd"`: func(d *config.Desired, w *config.Topic) {
			w.Replicas.Class = "far"
			d.Classes = []config.BrokerClass{{Name: "far", Racks: []string{"dd"}}}
		},
		"broker 98": func(d *config.Desired, w *config.Topic) {
			w.Replicas.Class = "far"
			d.Classes = []config.BrokerClass{{Name: "far", Brokers: on(98, 2)}}
		},
	} {
		d := desired(want("t", 1, 1), want("u", 1, 1), want("v", 1, 1))
		bind(d, &d.Topics[0])
		bind(d, &d.Topics[1])
		p := planOf(d, s)
		var said []config.Diagnostic
		for _, x := range p.Diagnostics {
			if x.Severity == config.SeverityError {
				said = append(said, x)
			}
		}
		if len(said) != 1 || !strings.Contains(said[0].Summary, what) {
			t.Errorf("%s: %+v", what, said)
		}
		unchanged(t, p, "t")
		unchanged(t, p, "u")
		change(t, p, "v")
	}
}

func TestABrokerBlockDeclaresWhatIsYetToCome(t *testing.T) {
	w := want("t", 1, 1)
	w.Replicas.Brokers, w.Replicas.Racks = on(1, 9), []string{"a", "z"}
	d := desired(w)
	d.Brokers = []config.Broker{{ID: 9, Rack: "z", Weight: 1}}
	p := planOf(d, cluster(2, 2, topic("t", on(1))))
	noErrors(t, p)
	diagnostic(t, p, "rack_without_brokers")
	diagnostic(t, p, "broker_not_registered")
}

func TestAnotherClusterIsRefused(t *testing.T) {
	d := desired(want("t", 1, 1))
	d.Cluster.ClusterID = "other"
	p := planOf(d, cluster(1, 0))
	diagnostic(t, p, "cluster_id_mismatch")
	if len(p.Changes)+len(p.Steps) > 0 {
		t.Errorf("%+v", p.Changes)
	}
}

func TestALeaderThatMayNotBeReachedByOrderIsNamed(t *testing.T) {
	w := want("t", 2, 1)
	w.Leaders.Racks = []string{"b"}
	p := planOf(desired(w), cluster(4, 2, topic("t", on(1), on(2))))
	noErrors(t, p)
	unchanged(t, p, "t")
	if d := diagnostic(t, p, "leaders_no_replica"); !strings.Contains(d.Detail, "t-0") || strings.Contains(d.Detail, "t-1") {
		t.Errorf("%+v", d)
	}
}

func TestNumbersOutOfAllBoundsAreRefused(t *testing.T) {
	for code, w := range map[string]config.Topic{
		"partitions_too_many":       want("t", 2_000_000_000, 1),
		"infeasible_enough_brokers": want("t", 1, 2_000_000_000),
	} {
		for _, s := range []*state.Snapshot{cluster(2, 0), cluster(2, 0, topic("t", on(1)))} {
			p := planOf(desired(w), s)
			diagnostic(t, p, code)
			unchanged(t, p, "t")
		}
	}
	p := planOf(desired(want("t", 1, 1)), cluster(0, 0))
	diagnostic(t, p, "infeasible_enough_brokers")
}

func TestASnapshotThatMakesNoSenseIsRefused(t *testing.T) {
	twice := cluster(2, 0, topic("t", on(1)), topic("t", on(2)))
	gap := cluster(2, 0, topic("t", on(1)))
	gap.Topics[0].Partitions[0].ID = 4
	repeats := cluster(2, 0, topic("t", on(1, 1)))
	none := cluster(2, 0, topic("t", on(1)))
	none.Topics[0].Partitions[0].Replicas = nil
	for _, s := range []*state.Snapshot{twice, gap, repeats, none} {
		p := planOf(desired(want("t", 2, 1)), s)
		diagnostic(t, p, "snapshot_malformed")
	}
}

func TestWhereFewestBytesLeaveBrokersUnevenThePlanSaysWhatElseThereIs(t *testing.T) {
	live := topic("t", on(1), on(1), on(1), on(2), on(2), on(2))
	for i, n := range []int64{1, 1000, 1000, 1, 1000, 1000} {
		live.Partitions[i].Size = state.KnownSize(n)
	}
	w := want("t", 6, 1)
	w.Replicas.Balance = config.BalanceTopic
	p := planOf(desired(w), cluster(3, 0, live))
	noErrors(t, p)
	if d := diagnostic(t, p, "bytes_uneven"); p.Summary.BytesToCopy != 2 || !strings.Contains(d.Summary, "between 2 B and 2.0 kB") || !strings.Contains(d.Detail, "1.0 kB would be copied") && !strings.Contains(d.Detail, "2.0 kB would be copied") {
		t.Errorf("%+v %+v", p.Summary, d)
	}
	w.Replicas.BalanceBy = config.ByBytes
	for _, d := range planOf(desired(w), cluster(3, 0, live)).Diagnostics {
		if d.Code == "bytes_uneven" {
			t.Errorf("%+v", d)
		}
	}
}
