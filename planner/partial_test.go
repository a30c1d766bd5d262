package planner_test

import (
	"strings"
	"testing"

	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

// A plan of some topics names what it depends on in those that it leaves out.
func TestAPartialPlanSaysWhatItLeavesOut(t *testing.T) {
	d := desired(want("alpha", 1, 1), want("beta", 1, 1))
	d.Topics[0].Replicas.Balance = config.BalanceCluster
	d.Brokers = []config.Broker{{ID: 1, Drain: true, Weight: 1}}
	d.Absent = []config.AbsentTopic{{Name: "gone", MaxBytes: 1e9}}
	d.Policies = []config.Policy{{Name: "small"}}
	s := cluster(3, 0, topic("alpha", on(1)), topic("beta", on(1)), topic("gone", on(2)))
	p := planner.Make(d, s, planner.Options{Targets: []string{"topic.alpha"}, SnapshotFile: "s.json"})
	noErrors(t, p)
	detail := diagnostic(t, p, "partial_plan").Detail
	for _, want := range []string{
		`Not deleted, and still there: "gone".`,
		`Broker 1 drains and will not be empty: left out topics have replicas on it, "beta".`,
		`Balanced over the cluster with 2 left out topics fixed where they are: "alpha".`,
		`Policies judge this part alone, and not what is left out: "small".`,
	} {
		if !strings.Contains(detail, want) {
			t.Errorf("it does not say %q:\n%s", want, detail)
		}
	}
	for _, x := range p.Diagnostics {
		if x.Code == "drain_incomplete" {
			t.Errorf("it is said twice: %+v", x)
		}
	}
	if c := change(t, p, "alpha"); state.Contains(c.Assignments[0].After, 1) {
		t.Errorf("%+v", c)
	}
}

func TestAPartialPlanThatDependsOnNothingSaysOnlyThatItIsOne(t *testing.T) {
	d := desired(want("alpha", 1, 2), want("beta", 1, 1))
	p := planner.Make(d, cluster(3, 0, topic("alpha", on(1)), topic("beta", on(2))), planner.Options{Targets: []string{"topic.alpha"}, SnapshotFile: "s.json"})
	if got := diagnostic(t, p, "partial_plan").Detail; strings.Contains(got, "\n") {
		t.Errorf("it says more:\n%s", got)
	}
}
