package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ballast/state"
	"ballast/state/sandbox"
)

// examples is what each example's plan must say, and what must hold of the
// cluster afterwards.
var examples = map[string]struct {
	says  []string
	vars  string // the -var-file, of several
	holds func(t *testing.T, s *state.Snapshot)
}{
	"quickstart": {
		says: []string{`+ topic "audit" will be created`, "replication factor  2 -> 3", "partitions          6 -> 12", "Copies:   6, the fewest possible"},
		holds: func(t *testing.T, s *state.Snapshot) {
			shaped(t, s, "orders", 6, 3)
			shaped(t, s, "payments", 12, 3)
			shaped(t, s, "audit", 3, 3)
			shaped(t, s, "sessions", 2, 3)
		},
	},
	"raise-replication-factor": {
		says:  []string{"replication factor  1 -> 3", "[5] -> [5 +6 +7]", "Copies:   6, the fewest possible", "min.insync.replicas"},
		holds: func(t *testing.T, s *state.Snapshot) { shaped(t, s, "foo", 3, 3) },
	},
	"add-partitions": {
		says: []string{"partitions          4 -> 12", "partitions          3 -> 6", "records of the same key go to other partitions"},
		holds: func(t *testing.T, s *state.Snapshot) {
			shaped(t, s, "clicks", 12, 3)
			load := map[state.BrokerID]int{}
			for _, p := range s.Topic("clicks").Partitions {
				for _, b := range p.Replicas {
					load[b]++
				}
			}
			for b := state.BrokerID(1); b <= 6; b++ {
				if load[b] != 6 {
					t.Errorf("broker %d holds %d replicas of clicks, want 6", b, load[b])
				}
			}
		},
	},
	"drain-a-broker": {
		says: []string{"Copies:   7, the fewest possible", "drain", "7 -> 0"},
		holds: func(t *testing.T, s *state.Snapshot) {
			for _, topic := range s.Topics {
				for _, p := range topic.Partitions {
					if state.Contains(p.Replicas, 6) {
						t.Errorf("%s-%d is still on broker 6", topic.Name, p.ID)
					}
				}
			}
		},
	},
	"rack-repair": {
		says: []string{"Copies:   4, the fewest possible", "rack"},
		holds: func(t *testing.T, s *state.Snapshot) {
			for _, p := range s.Topic("orders").Partitions {
				if n := racksOf(s, p.Replicas); n != 3 {
					t.Errorf("orders-%d on %v spans %d racks", p.ID, p.Replicas, n)
				}
			}
		},
	},
	"multi-environment": {
		vars: "prod.hclvars",
		says: []string{`+ topic "audit" will be created`, "partitions          6 -> 12", `~ retention.ms  "604800000" -> "2592000000"`},
		holds: func(t *testing.T, s *state.Snapshot) {
			shaped(t, s, "orders", 12, 3)
			shaped(t, s, "audit", 3, 3)
		},
	},
	"thousand-topics": {
		says: []string{"Plan: 998 to create, 1 to change, 0 to delete; 3 partitions added."},
		holds: func(t *testing.T, s *state.Snapshot) {
			shaped(t, s, "orders.eu.events", 24, 3)
			shaped(t, s, "support.us.traces", 2, 3)
			if len(s.Topics) != 1000 {
				t.Errorf("%d topics", len(s.Topics))
			}
		},
	},
	"broker-classes": {
		says: []string{"Copies:   6, the fewest possible", "[-1 8 -5] -> [+7 8 +9]"},
		holds: func(t *testing.T, s *state.Snapshot) {
			for _, topic := range s.Topics {
				for _, p := range topic.Partitions {
					for _, b := range p.Replicas {
						if (b >= 7) != (topic.Name == "payments") {
							t.Errorf("%s-%d is on %v", topic.Name, p.ID, p.Replicas)
						}
					}
				}
			}
		},
	},
	"policies": {
		says:  []string{`Warning: Policy "orders grow at night"`, "orders-us gets 2 more partitions", "Read 1 warning first."},
		holds: func(t *testing.T, s *state.Snapshot) { shaped(t, s, "orders-eu", 3, 3) },
	},
	"leader-preference": {
		says: []string{"0 to delete; 8 leaders move"},
		holds: func(t *testing.T, s *state.Snapshot) {
			for _, p := range s.Topic("orders").Partitions {
				if rackOf(s, p.Leader) != "r1" {
					t.Errorf("orders-%d is led by broker %d", p.ID, p.Leader)
				}
			}
		},
	},
}

func shaped(t *testing.T, s *state.Snapshot, name string, partitions, copies int) {
	t.Helper()
	topic := s.Topic(name)
	if topic == nil || len(topic.Partitions) != partitions {
		t.Fatalf("%s is %+v, want %d partitions", name, topic, partitions)
	}
	for _, p := range topic.Partitions {
		if len(p.Replicas) != copies || len(p.ISR) != copies {
			t.Errorf("%s-%d is on %v, in sync %v, want %d", name, p.ID, p.Replicas, p.ISR, copies)
		}
	}
}

// TestExamples plans each example, carries it out on a sandbox that begins as
// its snapshot, and finds nothing left to do.
func TestExamples(t *testing.T) {
	snapshots, _ := filepath.Glob("../../examples/*/snapshot.json")
	if len(snapshots) != len(examples) {
		t.Errorf("%d examples have a snapshot, %d are tested", len(snapshots), len(examples))
	}
	for name, want := range examples {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS("../../examples/"+name)); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(filepath.Join(dir, "README.md")); err != nil {
				t.Error(err)
			}
			box := startSandbox(t, filepath.Join(dir, "snapshot.json"))
			verb := func(wantExit int, args ...string) string {
				t.Helper()
				s, out, errOut := testStreams(map[string]string{})
				args = append(append([]string{"ballast"}, args...), dir)
				if code := run(args, s); code != wantExit {
					t.Fatalf("%s: exit %d, want %d\n%s%s", strings.Join(args, " "), code, wantExit, out, errOut)
				}
				return out.String()
			}
			bootstrap := strings.Join(box.Bootstrap(), ",")
			files, _ := filepath.Glob(filepath.Join(dir, "*.hclvars"))
			for _, file := range files {
				verb(exitDone, "validate", "-var-file", file)
			}
			var vars []string
			if want.vars != "" {
				vars = []string{"-var-file", filepath.Join(dir, want.vars)}
			}
			verb(exitDone, append([]string{"validate"}, vars...)...)
			verb(exitDone, "fmt", "-check")
			plan := verb(exitChanges, append([]string{"plan", "-detailed-exitcode", "-snapshot", filepath.Join(dir, "snapshot.json")}, vars...)...)
			for _, s := range want.says {
				if !strings.Contains(plan, s) {
					t.Errorf("the plan does not say %q:\n%s", s, plan)
				}
			}
			verb(exitDone, append([]string{"apply", "-auto-approve", "-bootstrap", bootstrap}, vars...)...)
			verb(exitDone, append([]string{"plan", "-detailed-exitcode", "-bootstrap", bootstrap}, vars...)...)
			want.holds(t, box.Snapshot())
		})
	}
}

func startSandbox(t *testing.T, file string) *sandbox.Sandbox {
	t.Helper()
	snap, _, err := state.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	box, err := sandbox.Start(sandbox.Options{Listen: "127.0.0.1:0", Snapshot: snap, Speed: 1000})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { box.Close() })
	return box
}

// TestReadmeShowsTheRealPlan holds the plan in README.md against what the
// program prints today.
func TestReadmeShowsTheRealPlan(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	s, out, _ := testStreams(nil)
	if code := run([]string{"ballast", "plan", "-snapshot", "../../examples/quickstart/snapshot.json", "../../examples/quickstart"}, s); code != exitDone {
		t.Fatalf("exit %d", code)
	}
	if !strings.Contains(string(readme), "```\n"+out.String()+"```\n") {
		t.Errorf("README.md does not have this plan:\n%s", out)
	}
}
