package drift

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

func ptr(s string) *string { return &s }

func list(ids ...state.BrokerID) []state.BrokerID { return ids }

// drifted is a plan with each kind of durable drift.
func drifted() *planner.Plan {
	return &planner.Plan{
		Cluster: planner.Cluster{ID: "abc", Name: "lab", TakenAt: "2026-01-02T00:00:00Z"},
		Summary: planner.Summary{TopicsUnmanaged: 3},
		Changes: []planner.Change{
			{Topic: "gone", Action: planner.Create, Assignments: []planner.Assignment{{After: list(1)}}},
			{Topic: "old", Action: planner.Delete},
			{
				Topic: "orders", Action: planner.Update,
				Partitions:        &planner.BeforeAfter{Before: 3, After: 4},
				ReplicationFactor: &planner.BeforeAfter{Before: 2, After: 3},
				Config:            []planner.ConfigChange{{Name: "retention.ms", Before: ptr("5"), After: ptr("10")}},
				Assignments: []planner.Assignment{
					{Partition: 0, Before: list(1, 2), After: list(1, 2, 3)},
					{Partition: 1, Before: list(1, 2), After: list(1, 3)},
					{Partition: 2, Before: list(1, 2), After: list(2, 1)},
					{Partition: 3, Before: list(1, 2), After: list(1, 2), LeaderBefore: 2, LeaderAfter: 1},
					{Partition: 4, After: list(1, 2)},
				},
			},
		},
	}
}

// ailing is a cluster with each kind of transient drift.
func ailing() *state.Snapshot {
	return &state.Snapshot{
		Brokers: []state.Broker{{ID: 1, Rack: "r1", Alive: true}, {ID: 2, Alive: false}},
		Topics: []state.Topic{{
			Name:   "orders",
			Config: map[string]state.ConfigValue{"min.insync.replicas": {Value: "2", Source: state.SourceTopic}},
			Partitions: []state.Partition{
				{ID: 0, Replicas: list(1, 2), ISR: list(1), Leader: 1, Size: state.KnownSize(10)},
				{ID: 1, Replicas: list(2, 1), ISR: list(1, 2), Leader: 1},
				{ID: 2, Replicas: list(1, 2), ISR: list(2), Leader: state.NoLeader},
				{ID: 3, Replicas: list(1, 2, 3), Adding: list(3), ISR: list(1, 2), Leader: 1},
			},
		}},
	}
}

func kinds(items []Item) (out []Kind) {
	for _, i := range items {
		out = append(out, i.Kind)
	}
	return out
}

func TestEachKindOfDriftIsTold(t *testing.T) {
	r := Make("ballast test", drifted(), ailing())
	if diff := cmp.Diff([]Kind{Missing, Present, Partitions, ReplicationFactor, Config, Placement, Order}, kinds(r.Durable)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Kind{DeadBroker, Offline, UnderMinISR, UnderReplicated, InFlight, Leader}, kinds(r.Transient)); diff != "" {
		t.Error(diff)
	}
	if !r.Drifted || r.Unmanaged != 3 {
		t.Errorf("drifted %v, unmanaged %d", r.Drifted, r.Unmanaged)
	}
	if want := []Broker{{ID: 1, Rack: "r1", Alive: true, Replicas: 4, Leaders: 3, Bytes: 10}, {ID: 2, Replicas: 4, Bytes: 10}}; !cmp.Equal(want, r.Brokers) {
		t.Error(cmp.Diff(want, r.Brokers))
	}
}

func TestWhatPassesByItselfIsNoDrift(t *testing.T) {
	if r := Make("ballast test", &planner.Plan{}, ailing()); r.Drifted || len(r.Transient) == 0 {
		t.Errorf("drifted %v, %d passing", r.Drifted, len(r.Transient))
	}
}

// retention is a plan of one config of one topic.
func retention(digest, before, after string) *planner.Plan {
	p := &planner.Plan{Config: planner.ConfigRef{Digest: digest}, Bound: planner.Bound{Overrides: map[string]map[string]string{"orders": {"flush.ms": "7"}}}}
	if before != after {
		p.Changes = []planner.Change{{Topic: "orders", Action: planner.Update, Config: []planner.ConfigChange{
			{Name: "retention.ms", Before: ptr(before), BeforeSource: state.SourceTopic, After: ptr(after), AfterSource: state.SourceTopic}}}}
	}
	return p
}

// A plan is compared by the state that it leads to, whatever it was.
func TestAnEarlierPlanTellsWhatHasChanged(t *testing.T) {
	planned := retention("a", "1", "2")
	for _, of := range []struct {
		what         string
		now, earlier *planner.Plan
		want         Origin
	}{
		{"the plan was applied, and the declaration edited", retention("b", "2", "3"), planned, FromDeclaration},
		{"the plan was applied, and the cluster changed", retention("a", "9", "2"), planned, FromCluster},
		{"the cluster changed, and a comment was edited", retention("b", "9", "2"), planned, FromCluster},
		{"both changed", retention("b", "9", "3"), planned, FromBoth},
		{"the plan was not applied", retention("a", "1", "2"), planned, Pending},
		{"the plan was not applied, and the declaration edited", retention("b", "1", "3"), planned, FromDeclaration},
		{"nothing was to do, and the cluster changed", retention("a", "9", "2"), retention("a", "2", "2"), FromCluster},
	} {
		if of.earlier.Changes == nil {
			of.earlier.Bound.Overrides["orders"]["retention.ms"] = "2"
		}
		r := Make("ballast test", of.now, ailing())
		r.CompareWithPlan("earlier.plan", of.now, of.earlier)
		if got := r.Durable[0].Origin; got != of.want {
			t.Errorf("%s: %q, want %q", of.what, got, of.want)
		}
	}
	r, earlier := Make("ballast test", drifted(), ailing()), &planner.Plan{Config: planner.ConfigRef{Digest: "other"}}
	if r.CompareWithPlan("earlier.plan", drifted(), earlier); r.Durable[0].Origin != Unknown {
		t.Errorf("a plan that says nothing of the topic tells %q", r.Durable[0].Origin)
	}
}

// An edit of an override that a plan found and left is the declaration's.
func TestAPlanTellsOfTheOverridesThatItLeft(t *testing.T) {
	now := retention("b", "7", "8")
	now.Changes[0].Config[0].Name = "flush.ms"
	r := Make("ballast test", now, ailing())
	if r.CompareWithPlan("earlier.plan", now, retention("a", "1", "2")); r.Durable[0].Origin != FromDeclaration {
		t.Errorf("%q", r.Durable[0].Origin)
	}
}

func TestAnEarlierStateTellsWhatHasChanged(t *testing.T) {
	orders := func(retention string, replicas ...state.BrokerID) *state.Snapshot {
		return &state.Snapshot{Topics: []state.Topic{{Name: "orders", Config: map[string]state.ConfigValue{"retention.ms": {Value: retention, Source: state.SourceTopic}},
			Partitions: []state.Partition{{Replicas: replicas, ISR: replicas, Leader: replicas[0]}}}}}
	}
	now := orders("9", 1, 2)
	for _, of := range []struct {
		what          string
		then          *state.Snapshot
		planned, want Origin
	}{
		{"the cluster changed", orders("2", 1, 2), "", FromCluster},
		{"the declaration changed", orders("9", 1, 2), FromDeclaration, FromDeclaration},
		{"both changed", orders("5", 1, 2), FromDeclaration, FromBoth},
	} {
		planned := &planner.Plan{}
		if of.planned != "" {
			planned = retention("", "9", "2")
		}
		r := Make("ballast test", retention("", "9", "2"), now)
		if r.CompareWithState("last.json", of.then, now, planned); r.Durable[0].Origin != of.want {
			t.Errorf("%s: %q, want %q", of.what, r.Durable[0].Origin, of.want)
		}
	}
}

func TestWhatCouldNotBeReadIsADocumentToo(t *testing.T) {
	p := &planner.Plan{Errored: true, Diagnostics: []config.Diagnostic{{Severity: config.SeverityWarning, Code: "w"}, {Severity: config.SeverityError, Code: "e"}}}
	r := Make("ballast test", p, nil)
	if !r.Errored || r.Brokers == nil || len(r.Diagnostics) != 1 || r.Diagnostics[0].Code != "e" {
		t.Errorf("%+v", r)
	}
}

func TestLabelsHaveNothingThatActsOnATerminal(t *testing.T) {
	p, s := drifted(), ailing()
	evil := "x\x1b[31m\u202e\u2066\u0085"
	p.Cluster.Name, p.Changes[0].Topic, s.Brokers[0].Rack = evil, evil, evil
	var b strings.Builder
	if err := Make("ballast test", p, s).WriteMetrics(&b, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsFunc(strings.ReplaceAll(b.String(), "\n", ""), acts) || !strings.Contains(b.String(), `topic="x�[31m���"`) {
		t.Errorf("the metrics are:\n%q", b.String())
	}
}

func metrics(t *testing.T, success time.Time) string {
	t.Helper()
	var b strings.Builder
	if err := Make("ballast test", drifted(), ailing()).WriteMetrics(&b, success); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTheLastSuccessIsReadBack(t *testing.T) {
	at := time.Unix(1_767_312_000, 0)
	if got := LastSuccess([]byte(metrics(t, at))); !got.Equal(at) {
		t.Errorf("written %v, read %v", at, got)
	}
	if never := metrics(t, time.Time{}); strings.Contains(never, lastSuccess) || !LastSuccess([]byte(never)).IsZero() {
		t.Errorf("a success that never was is told:\n%s", never)
	}
}

func TestMetricsHaveHelpAndType(t *testing.T) {
	text := metrics(t, time.Unix(1_767_312_000, 0))
	for _, want := range []string{
		`ballast_drift{cluster="lab"} 1`,
		`ballast_drift_changes{cluster="lab",kind="partitions",topic="orders"} 1`,
		`ballast_partitions_under_min_isr{cluster="lab"} 2`,
		`ballast_broker_leaders{broker="1",cluster="lab",rack="r1"} 3`,
		`ballast_last_success_timestamp_seconds{cluster="lab"} 1.767312e+09`,
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("the metrics lack %s:\n%s", want, text)
		}
	}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		name, _, _ := strings.Cut(line, "{")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if !strings.Contains(text, "# HELP "+name+" ") || !strings.Contains(text, "# TYPE "+name+" gauge\n") {
			t.Errorf("%s has no HELP or TYPE", name)
		}
	}
}
