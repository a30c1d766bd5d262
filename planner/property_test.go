package planner_test

import (
	"bytes"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"ballast/planner"
	"ballast/state"
)

func encoded(t *rapid.T, p *planner.Plan) string {
	var b bytes.Buffer
	if err := planner.Encode(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// ended is the snapshot once all moves in flight have ended.
func ended(s *state.Snapshot) *state.Snapshot {
	for i := range s.Topics {
		for j := range s.Topics[i].Partitions {
			if p := &s.Topics[i].Partitions[j]; p.InFlight() {
				s = planner.Replay(s, planner.Step{Kind: planner.Reassign, Moves: []planner.Move{{Topic: s.Topics[i].Name, Partition: p.ID, After: p.Target()}}})
			}
		}
	}
	return s
}

func noProofFailed(t *rapid.T, p *planner.Plan) {
	for _, d := range p.Diagnostics {
		if d.Code == "internal_proof" {
			t.Fatalf("%s: %s", d.Topic, d.Summary)
		}
	}
}

func TestAnyPlanIsProvedAndItsSecondPlanIsEmpty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawCluster(t)
		d := drawDesired(t, s)
		p := planner.Make(d, s, planner.Options{Tool: "test", SnapshotFile: "s.json"})
		noProofFailed(t, p)
		end := ended(s)
		for _, step := range p.Steps {
			end = planner.Replay(end, step)
		}
		again := planner.Make(d, end, planner.Options{Tool: "test", SnapshotFile: "s.json"})
		noProofFailed(t, again)
		if len(again.Changes) > 0 {
			t.Fatalf("the second plan changes %+v", again.Changes)
		}
	})
}

func TestThePlanDoesNotDependOnTheOrderOfTheSnapshot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawCluster(t)
		d := drawDesired(t, s)
		one := encoded(t, planner.Make(d, s, planner.Options{SnapshotFile: "s.json"}))
		two := encoded(t, planner.Make(d, shuffled(s, rapid.Int64().Draw(t, "seed")), planner.Options{SnapshotFile: "s.json"}))
		if one != two {
			t.Fatalf("two plans of one cluster:\n%s\n%s", one, two)
		}
	})
}

func TestAPlanIsReadBackAsItWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawCluster(t)
		doc := encoded(t, planner.Make(drawDesired(t, s), s, planner.Options{SnapshotFile: "s.json"}))
		p, err := planner.Decode(bytes.NewReader([]byte(doc)), "plan.json")
		if err != nil {
			t.Fatal(err)
		}
		if again := encoded(t, p); again != doc {
			t.Fatalf("read back as\n%s\nwas\n%s", again, doc)
		}
	})
}

// A plan is not stale before its first step, nor after any of them, and nothing
// is left of it after the last.
func TestAPlanIsNeverStaleForItsOwnSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawCluster(t)
		p := planner.Make(drawDesired(t, s), s, planner.Options{SnapshotFile: "s.json"})
		at := ended(s)
		for i := 0; ; i++ {
			if stale := planner.Check(p, at).Stale(); len(stale) > 0 {
				t.Fatalf("after %d steps: %s", i, stale[0])
			}
			if i == len(p.Steps) {
				break
			}
			at = planner.Replay(at, p.Steps[i])
		}
		if c := planner.Check(p, at); !c.Done() {
			t.Fatalf("after the last step not all is done: %+v", c.Items)
		}
	})
}

// What a batch moves never exceeds the apply block's limits, and partitions are
// added after every move of their topic.
func TestStepsKeepTheLimitsAndTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawCluster(t)
		d := drawDesired(t, s)
		p := planner.Make(d, s, planner.Options{SnapshotFile: "s.json"})
		grown := map[string]bool{}
		for _, step := range p.Steps {
			switch step.Kind {
			case planner.AddPartitions:
				grown[step.Topic] = true
			case planner.ElectLeaders:
				if len(step.Moves) > d.Apply.Elections.Count {
					t.Fatalf("step %d elects %d leaders", step.ID, len(step.Moves))
				}
			case planner.Reassign:
				if len(step.Moves) > d.Apply.MaxBatchPartitions {
					t.Fatalf("step %d moves %d partitions", step.ID, len(step.Moves))
				}
				for _, m := range step.Moves {
					if grown[m.Topic] {
						t.Fatalf("step %d moves %s-%d after its topic grew", step.ID, m.Topic, m.Partition)
					}
				}
			}
		}
	})
}

func TestMakingAPlanChangesNothingOfItsInput(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawCluster(t)
		d := drawDesired(t, s)
		was := fmt.Sprintf("%+v %+v", *s, *d)
		planner.Make(d, shuffled(s, 1), planner.Options{SnapshotFile: "s.json", Targets: []string{"topic.t1", "topic.*"}})
		p := planner.Make(d, s, planner.Options{SnapshotFile: "s.json"})
		for at, i := s, 0; i < len(p.Steps); i++ {
			at = planner.Replay(at, p.Steps[i])
		}
		if is := fmt.Sprintf("%+v %+v", *s, *d); is != was {
			t.Fatalf("was\n%s\nis\n%s", was, is)
		}
	})
}
