package planner_test

import (
	"bytes"
	"fmt"
	"strconv"
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
		grown, at := map[string]bool{}, ended(s)
		for _, step := range p.Steps {
			was := at.Topic(step.Topic)
			at = planner.Replay(at, step)
			switch step.Kind {
			case planner.AddPartitions:
				grown[step.Topic] = true
				if n := len(was.Partitions[0].Replicas); len(step.Moves[0].After) != n {
					t.Fatalf("step %d adds partitions of %d replicas, and partition 0 has %d", step.ID, len(step.Moves[0].After), n)
				}
			case planner.ElectLeaders:
				if len(step.Moves) > d.Apply.Elections.Count {
					t.Fatalf("step %d elects %d leaders", step.ID, len(step.Moves))
				}
			case planner.Reassign:
				if len(step.Moves) > d.Apply.MaxBatchPartitions {
					t.Fatalf("step %d moves %d partitions", step.ID, len(step.Moves))
				}
				onto := map[state.BrokerID]int{}
				for _, m := range step.Moves {
					if grown[m.Topic] {
						t.Fatalf("step %d moves %s-%d after its topic grew", step.ID, m.Topic, m.Partition)
					}
					for _, b := range m.After {
						if !state.Contains(m.Before, b) {
							onto[b]++
						}
						if onto[b] > d.Apply.MaxMovesPerBroker {
							t.Fatalf("step %d copies more than %d replicas onto broker %d", step.ID, d.Apply.MaxMovesPerBroker, b)
						}
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

// Judged apart from the proof: between any two steps a partition that had a
// live replica has one, and one with enough in-sync replicas for its topic's
// min.insync.replicas has enough, unless the end itself has fewer.
func TestEveryStateOnTheWayIsSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawCluster(t)
		p := planner.Make(drawDesired(t, s), s, planner.Options{SnapshotFile: "s.json"})
		states := []*state.Snapshot{ended(s)}
		for _, step := range p.Steps {
			states = append(states, planner.Replay(states[len(states)-1], step))
		}
		last := states[len(states)-1]
		for i := 1; i < len(states); i++ {
			for _, topic := range states[i].Topics {
				was, end := states[i-1].Topic(topic.Name), last.Topic(topic.Name)
				if was != nil && end != nil {
					safe(t, p.Steps[i-1], was, &topic, end)
				}
			}
		}
	})
}

func safe(t *rapid.T, step planner.Step, was, is, end *state.Topic) {
	for i := range was.Partitions {
		before, after, final := len(was.Partitions[i].ISR), len(is.Partitions[i].ISR), len(end.Partitions[i].ISR)
		if before > 0 && after == 0 {
			t.Fatalf("step %d (%s): %s-%d has no live replica", step.ID, step.Kind, is.Name, i)
		}
		if before >= minISROf(was) && after < minISROf(is) && final >= minISROf(end) {
			t.Fatalf("step %d (%s): %s-%d has %d in sync, min ISR %d", step.ID, step.Kind, is.Name, i, after, minISROf(is))
		}
	}
}

func minISROf(t *state.Topic) int {
	n, err := strconv.Atoi(t.Config["min.insync.replicas"].Value)
	if err != nil {
		return 1
	}
	return n
}

// A snapshot may come from anywhere. Whatever it says, there is a plan, or an
// error in it, and never a panic.
func TestNoSnapshotMakesThePlannerPanic(t *testing.T) {
	ids := rapid.SliceOfN(rapid.Map(rapid.Int32Range(-1, 9), func(n int32) state.BrokerID { return state.BrokerID(n) }), 0, 3)
	rapid.Check(t, func(t *rapid.T) {
		s := drawCluster(t)
		d := drawDesired(t, s)
		for i := range s.Topics {
			for j := range s.Topics[i].Partitions {
				p := &s.Topics[i].Partitions[j]
				switch rapid.IntRange(0, 7).Draw(t, "what") {
				case 0:
					p.ISR = ids.Draw(t, "isr")
				case 1:
					p.Leader = state.BrokerID(rapid.Int32Range(-2, 9).Draw(t, "leader"))
				case 2:
					p.Adding = ids.Draw(t, "adding")
				case 3:
					p.Removing = ids.Draw(t, "removing")
				case 4:
					p.Replicas = ids.Draw(t, "replicas")
				case 5:
					p.Offline = ids.Draw(t, "offline")
				}
			}
		}
		p := planner.Make(d, s, planner.Options{SnapshotFile: "s.json"})
		if _, err := planner.Decode(bytes.NewReader([]byte(encoded(t, p))), "p"); err != nil {
			t.Fatal(err)
		}
		if len(p.Brokers) > 0 { // else the snapshot was refused
			planner.Check(p, s)
		}
	})
}
