package planner_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

func write(t testing.TB, p *planner.Plan) string {
	t.Helper()
	var b bytes.Buffer
	if err := planner.Encode(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// busy is a plan with something of everything.
func busy() *planner.Plan {
	s := cluster(4, 2, topic("gone", on(1)), with(topic("t", on(1, 2), on(2, 3)), "retention.ms", "1000"))
	s.Topics[1].Partitions[0].Adding = on(2)
	d := desired(want("fresh", 1, 2, "min.insync.replicas", "1"), keyed(want("t", 3, 3)))
	d.Absent = []config.AbsentTopic{{Name: "gone", MaxBytes: 100}}
	d.Topics[1].Leaders.Balance = config.BalanceTopic
	return planOf(d, s)
}

func TestNothingOfADocumentCanBeCutOff(t *testing.T) {
	doc := write(t, busy())
	for n := range len(doc) - 1 {
		if _, err := planner.Decode(strings.NewReader(doc[:n]), "p.plan"); err == nil {
			t.Fatalf("a plan of %d bytes was read from its first %d", len(doc), n)
		}
	}
}

func TestNothingOfADocumentCanBeEdited(t *testing.T) {
	doc := write(t, busy())
	for i := range doc {
		if doc[i] < '0' || doc[i] > '9' {
			continue
		}
		edited := doc[:i] + string('0'+(doc[i]-'0'+1)%10) + doc[i+1:]
		if _, err := planner.Decode(strings.NewReader(edited), "p.plan"); err == nil {
			t.Fatalf("read although byte %d was changed: …%s…", i, edited[max(0, i-40):i+10])
		}
	}
}

func TestARefusalNamesTheFileAndWhatToDo(t *testing.T) {
	doc := write(t, busy())
	for name, bad := range map[string]string{
		"is empty":      " ",
		"truncated":     doc[:len(doc)/2],
		"not a plan":    `{"format":"ballast-snapshot","version":1}`,
		"has version 2": strings.Replace(doc, `"version":1`, `"version":2`, 1),
		"unknown field": strings.Replace(doc, `"errored"`, `"surprise":1,"errored"`, 1),
		"was edited":    strings.Replace(doc, `"after":3`, `"after":4`, 1),
		"follows":       doc + "{}",
		"is not JSON":   "plan",
	} {
		_, err := planner.Decode(strings.NewReader(bad), "p.plan")
		if err == nil || !strings.Contains(err.Error(), name) || !strings.HasPrefix(err.Error(), "p.plan: ") || !strings.Contains(err.Error(), "ballast plan") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSpaceBetweenValuesIsNoEdit(t *testing.T) {
	doc := write(t, busy())
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(doc), "", "  "); err != nil {
		t.Fatal(err)
	}
	p, err := planner.Decode(&b, "p.plan")
	if err != nil {
		t.Fatal(err)
	}
	if write(t, p) != doc {
		t.Error("an indented plan is written back as another")
	}
}

func TestListsAreNeverNull(t *testing.T) {
	for _, p := range []*planner.Plan{
		busy(), planner.Errored(planner.Options{}, nil), planner.Make(nil, &state.Snapshot{}, planner.Options{}), planOf(desired(), cluster(0, 0)),
	} {
		var doc map[string]any
		if err := json.Unmarshal([]byte(write(t, p)), &doc); err != nil {
			t.Fatal(err)
		}
		for _, field := range []string{"changes", "in_flight", "brokers", "steps", "diagnostics"} {
			if _, ok := doc[field].([]any); !ok {
				t.Errorf("%s is %v", field, doc[field])
			}
		}
	}
}

func TestWithoutAConfigurationThereIsStillADocument(t *testing.T) {
	o := planner.Options{Tool: "ballast test", ConfigDiagnostics: []config.Diagnostic{{Severity: config.SeverityError, Code: "syntax", Summary: "no"}}}
	for _, p := range []*planner.Plan{planner.Errored(o, nil), planner.Make(nil, cluster(1, 0), o)} {
		if _, err := planner.Decode(strings.NewReader(write(t, p)), "p"); err != nil || !p.Errored || len(p.Diagnostics) != 1 {
			t.Errorf("%v: %+v", err, p)
		}
	}
}

func TestTheSameDecisionHasTheSameDigest(t *testing.T) {
	plan := func(change func(s *state.Snapshot, d *config.Desired)) string {
		s := cluster(4, 0, topic("t", on(1, 2), on(2, 3)), topic("u", on(1)))
		d := desired(want("t", 2, 3), want("u", 1, 2))
		change(s, d)
		return planOf(d, s).Digest
	}
	is := plan(func(*state.Snapshot, *config.Desired) {})
	for name, same := range map[string]func(s *state.Snapshot, d *config.Desired){
		"sizes":     func(s *state.Snapshot, d *config.Desired) { s.Topics[0].Partitions[1].Size = state.KnownSize(99_000) },
		"no sizes":  func(s *state.Snapshot, d *config.Desired) { s.Topics[0].Partitions[1].Size = state.Size{} },
		"batches":   func(s *state.Snapshot, d *config.Desired) { d.Apply.MaxBatchPartitions = 1 },
		"throttle":  func(s *state.Snapshot, d *config.Desired) { d.Apply.Throttle.BytesPerSecond = 5 },
		"a comment": func(s *state.Snapshot, d *config.Desired) { d.Topics[0].Source.Line++; d.Digest = "x" },
	} {
		if got := plan(same); got != is {
			t.Errorf("%s: another digest", name)
		}
	}
	for name, other := range map[string]func(s *state.Snapshot, d *config.Desired){
		"cluster":  func(s *state.Snapshot, d *config.Desired) { s.ClusterID = "x" },
		"copies":   func(s *state.Snapshot, d *config.Desired) { d.Topics[1].ReplicationFactor = 3 },
		"config":   func(s *state.Snapshot, d *config.Desired) { d.Topics[0].Config["flush.ms"] = "5" },
		"replicas": func(s *state.Snapshot, d *config.Desired) { s.Topics[1].Partitions[0].Replicas = on(3) },
	} {
		if got := plan(other); got == is {
			t.Errorf("%s: the same digest", name)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(write(f, busy())))
	f.Add([]byte(write(f, planner.Errored(planner.Options{}, nil))))
	f.Add([]byte(`{"format":"ballast-plan","version":1,"steps":[{"moves":null}],"changes":[{"config":[{}]}]}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		p, err := planner.Decode(bytes.NewReader(src), "fuzzed")
		if err != nil {
			return
		}
		again, err := planner.Decode(strings.NewReader(write(t, p)), "again")
		if err != nil || again.Digest != p.Digest {
			t.Fatalf("read once, and then: %v", err)
		}
	})
}
