package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ballast/planner"
	"ballast/state"
)

// expectation is a case's expect.json: what the plan, or validate, must say.
type expectation struct {
	Description   string
	Verb          string
	Args          []string
	Exit          *int
	Errors        []wantedDiagnostic
	Warnings      []wantedDiagnostic
	Diagnostics   []wantedDiagnostic
	NoErrors      bool           `json:"no_errors"`
	Summary       map[string]any // fields of the plan's summary
	Copies        *int
	Removed       *int
	LeaderMoves   *int                                    `json:"leader_moves"`
	Assignments   map[string]map[string]wantedReplicas    // topic, partition
	Config        map[string]map[string]map[string]string // topic, key, field
	Unchanged     []string
	Risks         map[string][]string
	InFlight      []map[string]any `json:"in_flight"`
	After         wantedState
	Steps         []struct{ Before, After wantedStep }
	NeverSameTime []string `json:"never_same_time"`
	SecondEmpty   bool     `json:"second_plan_empty"`
	Rules         declared
}

type wantedDiagnostic struct {
	Code, Topic, File string
	Line              int
	Mentions          []string
}

type wantedReplicas struct {
	After    []state.BrokerID
	AfterSet []state.BrokerID `json:"after_set"`
	Contains []state.BrokerID
	Excludes []state.BrokerID
}

type wantedStep struct {
	Kind  planner.Kind
	Topic string
}

// judged is a case that is being judged.
type judged struct {
	*testing.T
	dir    string
	want   expectation
	before *state.Snapshot
	plan   *planner.Plan
	exit   int
	after  *state.Snapshot // before, with all changes of the plan made
}

// TestCases runs the acceptance cases: each is a configuration, a snapshot,
// and what must come of them.
func TestCases(t *testing.T) {
	dirs, err := filepath.Glob("testdata/cases/*/expect.json")
	if err != nil || len(dirs) == 0 {
		t.Fatal("there are no cases")
	}
	for _, file := range dirs {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) { judgeCase(t, file) })
	}
}

func judgeCase(t *testing.T, file string) {
	j := &judged{T: t, dir: t.TempDir()}
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(src))
	d.DisallowUnknownFields()
	if err := d.Decode(&j.want); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(j.dir, os.DirFS(filepath.Dir(file))); err != nil {
		t.Fatal(err)
	}
	os.Remove(filepath.Join(j.dir, "expect.json"))
	if j.want.Verb == "validate" {
		j.validate()
		return
	}
	j.judgePlan()
}

// ballast runs a verb in the case's directory.
func (j *judged) ballast(args ...string) (code int, out, errOut string) {
	s, o, e := testStreams(nil)
	code = run(append([]string{"ballast"}, args...), s)
	return code, o.String(), e.String()
}

func (j *judged) planOf(snapshot string) (int, string, string) {
	args := append([]string{"plan", "-json", "-detailed-exitcode", "-snapshot", snapshot}, j.want.Args...)
	return j.ballast(append(args, j.dir)...)
}

func (j *judged) validate() {
	code, _, errOut := j.ballast("validate", j.dir)
	j.checkExit(code, errOut)
	j.checkPrinted(errOut)
}

func (j *judged) judgePlan() {
	file := filepath.Join(j.dir, "snapshot.json")
	before, _, err := state.ReadFile(file)
	if err != nil {
		j.Fatal(err)
	}
	j.before = before
	code, out, errOut := j.planOf(file)
	j.exit = code
	j.checkExit(code, errOut)
	if j.plan, err = planner.Decode(strings.NewReader(out), "plan"); err != nil {
		j.Fatal(err)
	}
	j.after = j.replayChanges()
	j.checkDocument()
	j.checkChanges()
	j.checkSummary()
	j.checkBrokers()
	j.checkSteps()
	j.checkRules()
	j.checkExpected()
	j.checkOrder(file, out)
	if j.want.SecondEmpty {
		j.checkSecond()
	}
}

func (j *judged) checkExit(code int, errOut string) {
	want := 0
	switch {
	case j.want.Exit != nil:
		want = *j.want.Exit
	case len(j.want.Errors) > 0:
		want = 1
	default:
		return
	}
	if code != want {
		j.Errorf("exit %d, want %d: %s", code, want, errOut)
	}
}

// checkOrder plans from the same snapshot in another order.
func (j *judged) checkOrder(file, first string) {
	var doc map[string]any
	src, _ := os.ReadFile(file)
	d := json.NewDecoder(bytes.NewReader(src))
	d.UseNumber()
	if err := d.Decode(&doc); err != nil {
		j.Fatal(err)
	}
	shuffle := func(list any) {
		l, _ := list.([]any)
		rand.New(rand.NewSource(7)).Shuffle(len(l), func(a, b int) { l[a], l[b] = l[b], l[a] })
	}
	shuffle(doc["brokers"])
	shuffle(doc["topics"])
	for _, t := range doc["topics"].([]any) {
		shuffle(t.(map[string]any)["partitions"])
		for _, p := range t.(map[string]any)["partitions"].([]any) {
			for _, field := range []string{"isr", "adding", "removing"} {
				shuffle(p.(map[string]any)[field])
			}
		}
	}
	shuffled, err := json.Marshal(doc)
	if err == nil {
		err = os.WriteFile(file, shuffled, 0o644)
	}
	if err != nil {
		j.Fatal(err)
	}
	if _, out, _ := j.planOf(file); out != first {
		j.Error("the plan depends on the order of the snapshot")
	}
}

// checkSecond plans again on the final state: nothing may be left.
func (j *judged) checkSecond() {
	file := filepath.Join(j.dir, "after.json")
	if err := state.WriteFile(file, j.after); err != nil {
		j.Fatal(err)
	}
	code, out, errOut := j.planOf(file)
	if code != 0 {
		j.Errorf("the second plan exits with %d: %s%s", code, errOut, firstOf(out, 400))
	}
}

func firstOf(s string, n int) string { return s[:min(n, len(s))] }

func show(tp state.TopicPartition) string { return fmt.Sprintf("%s-%d", tp.Topic, tp.Partition) }
