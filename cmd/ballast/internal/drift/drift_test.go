package drift

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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

func TestAnEarlierStateTellsWhatHasChanged(t *testing.T) {
	earlier := drifted()
	earlier.Changes = earlier.Changes[:2]
	r := Make("ballast test", drifted(), ailing())
	r.Compare("last.json", earlier)
	for _, i := range r.Durable {
		want := FromCluster
		if i.Kind == Missing || i.Kind == Present {
			want = FromDeclaration
		}
		if i.Origin != want {
			t.Errorf("%s of %s has changed with the %s, want the %s", i.Kind, i.Topic, i.Origin, want)
		}
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
