package planner_test

import (
	"testing"

	"ballast/planner"
	"ballast/state"
)

// A broker too full for what is to arrive is an error; the moves that wait for
// space are planned within the limits all the same.
func TestMovesWithoutDiskSpaceKeepTheBatchLimits(t *testing.T) {
	s := cluster(3, 0, topic("orders", on(1), on(1), on(1), on(1), on(1)))
	s.Brokers[1].LogDirs = []state.LogDir{{Path: "/d", Total: state.KnownSize(1000), Usable: state.KnownSize(10)}}
	d := desired(want("orders", 5, 2))
	d.Topics[0].Replicas.Brokers = on(1, 2)
	d.Apply.MaxMovesPerBroker = 1
	p := planOf(d, s)
	diagnostic(t, p, "disk_full")
	moved := 0
	for _, step := range p.Steps {
		if step.Kind != planner.Reassign {
			continue
		}
		moved += len(step.Moves)
		if len(step.Moves) > 1 {
			t.Errorf("step %d copies %d partitions onto broker 2, max_moves_per_broker is 1", step.ID, len(step.Moves))
		}
	}
	if moved != 5 {
		t.Errorf("%d partitions are moved, want 5", moved)
	}
}

// An override that the plan sets may hide the only place that showed what other
// topics inherit; the plan from its end then knows less, which is no mistake.
func TestAnInheritedValueThatThePlanHidesDoesNotFailItsProof(t *testing.T) {
	shows, falls := topic("shows", on(1, 2, 3)), with(topic("falls", on(1, 2)), "min.insync.replicas", "2")
	shows.Config["min.insync.replicas"] = state.ConfigValue{Value: "2", Source: state.SourceCluster}
	p := planOf(desired(want("falls", 1, 1), want("shows", 1, 3, "min.insync.replicas", "1")), cluster(3, 0, falls, shows))
	diagnostic(t, p, "rf_below_min_isr")
	for _, d := range p.Diagnostics {
		if d.Code == "internal_proof" {
			t.Errorf("%+v", d)
		}
	}
	unchanged(t, p, "falls")
}
