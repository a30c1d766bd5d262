package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/cmd/ballast/internal/consumers"
	"ballast/state"
	"ballast/state/sandbox"
)

// grouped is a cluster with a topic of 5 partitions, a group of two that reads it,
// and a configuration by which it has 8.
type grouped struct {
	*testing.T
	box *sandbox.Sandbox // nil: it is a real one
	dir string
}

func newGrouped(t *testing.T, assignor string) *grouped {
	t.Helper()
	snap := sandbox.Empty(3, 3)
	orders := state.Topic{Name: "orders"}
	for i := range int32(5) {
		r := []state.BrokerID{state.BrokerID(i%3 + 1)}
		orders.Partitions = append(orders.Partitions, state.Partition{ID: i, Replicas: r, ISR: r, Leader: r[0], Size: state.KnownSize(1)})
	}
	snap.Topics = append(snap.Topics, orders)
	box, err := sandbox.Start(sandbox.Options{Snapshot: snap, Speed: 1000})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { box.Close() })
	leave, err := joinMembers(box.Bootstrap(), "billing", assignor, "orders", 2)
	t.Cleanup(leave)
	if err != nil {
		t.Fatal(err)
	}
	g := &grouped{t, box, t.TempDir()}
	g.configure(box.Bootstrap())
	return g
}

func (g *grouped) configure(bootstrap []string) {
	g.Helper()
	config := "cluster \"c\" {\n  bootstrap = [\"" + strings.Join(bootstrap, `", "`) + "\"]\n}\ntopic \"orders\" {\n  partitions = 8\n  replication_factor = 1\n}\n"
	if err := os.WriteFile(filepath.Join(g.dir, "main.hcl"), []byte(config), 0o644); err != nil {
		g.Fatal(err)
	}
}

// ballast runs a verb, and gives its exit code and what it prints.
func (g *grouped) ballast(verb string, more ...string) (int, string) {
	g.Helper()
	s, out, errOut := testStreams(nil)
	code := run(append(append([]string{"ballast", verb}, more...), g.dir), s)
	if errOut.Len() > 0 && code == exitError {
		g.Log(errOut)
	}
	return code, out.String()
}

// consumers gives the group's part of the document, which is as its schema says.
func (g *grouped) consumers(code int, more ...string) consumers.Group {
	g.Helper()
	got, out := g.ballast("consumers", append([]string{"-json", "-group", "billing"}, more...)...)
	if got != code {
		g.Fatalf("exit %d: %s", got, out)
	}
	isOf(g.T, schemaOf(g.T, "consumers"), "consumers", out)
	var d consumers.Document
	if err := json.Unmarshal([]byte(out), &d); err != nil || len(d.Groups) != 1 {
		g.Fatal(err, out)
	}
	return d.Groups[0]
}

func TestWhatConsumersForeseesIsWhatTheGroupHasAfterApply(t *testing.T) {
	for _, assignor := range []string{"range", "roundrobin"} {
		newGrouped(t, assignor).comesAsForeseen()
	}
}

// comesAsForeseen carries the plan out, and holds what the group then has
// against what was foreseen.
func (g *grouped) comesAsForeseen() {
	g.Helper()
	foreseen := g.consumers(exitDone)
	if len(foreseen.Forecasts) != 1 || !foreseen.Forecasts[0].Own || foreseen.Forecasts[0].After.Partitions != 8 {
		g.Fatalf("%+v", foreseen)
	}
	if code, out := g.ballast("apply", "-auto-approve"); code != exitDone {
		g.Fatalf("apply exits with %d: %s", code, out)
	}
	want, got := map[string][]state.TopicPartition{}, map[string][]state.TopicPartition{}
	for _, c := range foreseen.Forecasts[0].Members {
		want[c.ID] = c.After
	}
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		clear(got)
		for _, m := range g.consumers(exitDone).Members {
			got[m.ID] = m.Assigned
		}
		if cmp.Equal(want, got) {
			return
		}
	}
	g.Errorf("foreseen, and not so: %s", cmp.Diff(want, got))
}

func TestAGroupThatMayNotBeReadIsSaidToBe(t *testing.T) {
	g := newGrouped(t, "range")
	defer g.box.FailNext(15, state.CodeGroupAuthorization, 0)() // DescribeGroups
	if got := g.consumers(exitError); !strings.Contains(got.Error, "needs Describe on the group") || len(got.Members) > 0 {
		t.Errorf("%+v", got)
	}
}

func TestWhatADeletionDoesToItsReadersIsSaid(t *testing.T) {
	g := newGrouped(t, "cooperative-sticky")
	text, err := os.ReadFile(filepath.Join(g.dir, "main.hcl"))
	if err != nil {
		t.Fatal(err)
	}
	absent := strings.Split(string(text), "topic ")[0] + "absent_topic \"orders\" {\n  max_bytes = 1000\n}\n"
	if err := os.WriteFile(filepath.Join(g.dir, "main.hcl"), []byte(absent), 0o644); err != nil {
		t.Fatal(err)
	}
	got := g.consumers(exitDone)
	if len(got.Forecasts) != 1 || len(got.Forecasts[0].Gone) != 5 || got.Forecasts[0].After.Idle != 2 || !strings.Contains(strings.Join(got.Notes, "\n"), "the plan deletes: orders") {
		t.Errorf("%+v", got)
	}
}

func TestBrokersThatDoNotListTheirGroupsAreSaid(t *testing.T) {
	g := newGrouped(t, "range")
	defer g.box.FailNext(16, 31, 0)() // ListGroups
	got := g.consumers(exitDone)      // it was named, so that no list is needed
	if len(got.Forecasts) != 1 {
		t.Errorf("%+v", got)
	}
	if _, out := g.ballast("consumers"); !strings.Contains(out, "did not tell its groups") {
		t.Errorf("%s", out)
	}
}
