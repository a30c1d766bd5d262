package render

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

func ptr[T any](v T) *T { return &v }

func draw(t *testing.T, p *planner.Plan, o Options) string {
	t.Helper()
	var b strings.Builder
	if err := Text(&b, p, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// sample is a plan with one of everything.
func sample() *planner.Plan {
	return &planner.Plan{
		Cluster: planner.Cluster{ID: "abc", Name: "prod", TakenAt: "2026-01-01T00:00:00Z"},
		Summary: planner.Summary{TopicsCreate: 1, TopicsUpdate: 1, TopicsDelete: 1, ReplicasAdded: 1, ReplicasRemoved: 1, LeadersMoved: 1, ConfigsChanged: 2, BytesToCopy: 1_200_000_000},
		Optimality: planner.Optimality{
			ReplicaCopies: planner.Against{Planned: 1, LowerBound: 1},
		},
		Changes: []planner.Change{
			{
				Topic: "audit", Action: planner.Create, Source: &planner.Source{File: "topics.hcl", Line: 12},
				Partitions:        &planner.BeforeAfter{After: 1},
				ReplicationFactor: &planner.BeforeAfter{After: 3},
				Config:            []planner.ConfigChange{{Name: "retention.ms", After: ptr("1000"), AfterSource: state.SourceTopic}},
				Assignments:       []planner.Assignment{{After: []state.BrokerID{1, 3, 5}, LeaderBefore: -1, LeaderAfter: 1, Reasons: []planner.Reason{planner.ReasonNew}}},
			},
			{
				Topic: "orders", Action: planner.Update, Source: &planner.Source{File: "topics.hcl", Line: 3},
				ReplicationFactor: &planner.BeforeAfter{Before: 2, After: 3},
				Config: []planner.ConfigChange{
					{Name: "min.insync.replicas", Before: ptr("1"), BeforeSource: state.SourceDefault, After: ptr("2"), AfterSource: state.SourceTopic},
					{Name: "cleanup.policy", Before: ptr("compact"), BeforeSource: state.SourceTopic, After: ptr("delete"), AfterSource: state.SourceDefault},
				},
				Assignments: []planner.Assignment{
					{Partition: 9, Before: []state.BrokerID{1, 2}, After: []state.BrokerID{1, 2, 5}, LeaderBefore: 1, LeaderAfter: 1, Bytes: ptr(int64(1_200_000_000)), Reasons: []planner.Reason{planner.ReasonReplicationFactor}},
					{Partition: 10, Before: []state.BrokerID{1, 2, 3}, After: []state.BrokerID{2, 1}, LeaderBefore: 1, LeaderAfter: 2, Reasons: []planner.Reason{planner.ReasonReplicationFactor, planner.ReasonLeader}},
				},
				Risks: []planner.Risk{{Code: "cleanup_policy", Severity: config.SeverityWarning, Message: "old values of a key are deleted"}},
			},
			{Topic: "old", Action: planner.Delete, Partitions: &planner.BeforeAfter{Before: 4}},
		},
		Brokers: []planner.Broker{
			{ID: 1, Rack: "r1", Before: planner.Load{Replicas: 2, Leaders: 2, Bytes: 2e9}, Peak: planner.Load{Replicas: 3, Leaders: 2, Bytes: 2e9}, After: planner.Load{Replicas: 3, Leaders: 1, Bytes: 2e9}},
			{ID: 5, Rack: "ラック", Peak: planner.Load{Replicas: 1, Bytes: 12e8}, After: planner.Load{Replicas: 1, Bytes: 12e8}, BytesIn: 12e8},
			{ID: 6, Rack: "r2"},
		},
		Steps: []planner.Step{
			{ID: 1, Kind: planner.CreateTopic, Topic: "audit"},
			{ID: 2, Kind: planner.Reassign, Bytes: 12e8},
			{ID: 3, Kind: planner.SetConfig, Topic: "orders"},
			{ID: 4, Kind: planner.DeleteTopic, Topic: "old"},
		},
		Estimate: planner.Estimate{Bytes: 12e8, Seconds: 24, BottleneckBroker: ptr(state.BrokerID(5))},
		Apply:    planner.Settings{Throttle: 50e6},
		Diagnostics: []config.Diagnostic{
			{Severity: config.SeverityWarning, Code: "x", Summary: "Broker 4 is dead", Detail: "Its replicas stay where they are.", File: "cluster.hcl", Line: 7},
		},
	}
}

const sampleText = `Changes to cluster prod (abc) as read at 2026-01-01T00:00:00Z:
  + create  ~ change  - delete

  + topic "audit" will be created  (topics.hcl:12)
      partitions          1
      replication factor  3
      + retention.ms  "1000"
      0  [] -> [+1 +3 +5]

  ~ topic "orders" will be changed  (topics.hcl:3)
      ! old values of a key are deleted
      replication factor  2 -> 3
      + min.insync.replicas  "1" (default) -> "2"
      - cleanup.policy       "compact" -> "delete" (default)
       9  [1 2]    -> [1 2 +5]  1.2 GB, replication factor
      10  [1 2 -3] -> [2 1]     leader 1 -> 2, replication factor, leader

  - topic "old" will be deleted with all its data
      partitions          4

Brokers:
  broker  rack    replicas  at most  leaders  bytes          at most      in  out  load after
       1  r1      2 -> 3          3  2 -> 1   2.0 GB          2.0 GB     0 B  0 B  ██████████
       5  ラック  0 -> 1          1  0        0 B -> 1.2 GB   1.2 GB  1.2 GB  0 B  ███▎
  1 broker is not touched

Steps:    4: 1 topic created, 1 change of configs, 1 batch of moves, 1 topic deleted
Copies:   1, the fewest possible
Traffic:  1.2 GB to copy, about 24s at 50 MB/s a broker; broker 5 is the busiest

Warning: Broker 4 is dead (cluster.hcl:7)
  Its replicas stay where they are.

Plan: 1 to create, 1 to change, 1 to delete; 1 copy (1.2 GB), 1 replica removed, 1 leader moves, 2 configs. Read 2 warnings first.
`

func TestPlanReadsAsAReviewerNeedsIt(t *testing.T) {
	if got := draw(t, sample(), Options{}); got != sampleText {
		t.Errorf("got:\n%s\nwant:\n%s", got, sampleText)
	}
}

func TestColourOnlyWhereItIsAskedFor(t *testing.T) {
	if s := draw(t, sample(), Options{}); strings.Contains(s, "\x1b") {
		t.Error("an escape code without colour")
	}
	coloured := draw(t, sample(), Options{Color: true})
	if !strings.Contains(coloured, "\x1b[32m+5\x1b[0m") {
		t.Error("a replica that is added is not green")
	}
	if got := stripColour(coloured); got != sampleText {
		t.Errorf("colour changes more than colour:\n%s", got)
	}
}

func stripColour(s string) string {
	for _, x := range []style{bold, dim, red, green, yellow, reset} {
		s = strings.ReplaceAll(s, string(x), "")
	}
	return s
}

func TestNamesCannotCommandTheTerminal(t *testing.T) {
	p := sample()
	evil := "a\x1b]0;x\x07\u202eb\r\nc"
	p.Changes[0].Topic = evil
	p.Changes[0].Config[0].After = ptr(evil)
	p.Changes[1].Risks[0].Message = evil
	p.Brokers[0].Rack = evil
	p.Cluster.Name = evil
	p.Diagnostics[0].Summary = evil
	p.Targets = []string{evil}
	p.InFlight = []planner.InFlight{{Topic: evil}}
	for _, r := range draw(t, p, Options{}) {
		if r != '\n' && (r < ' ' || r == '\u202e') {
			t.Fatalf("%U is printed", r)
		}
	}
}

func TestLongPlansAreFoldedAndFullShowsAll(t *testing.T) {
	p := &planner.Plan{}
	for i := range 300 {
		c := planner.Change{Topic: fmt.Sprintf("t%03d", i), Action: planner.Update}
		for n := range int32(40) {
			c.Assignments = append(c.Assignments, planner.Assignment{Partition: n, Before: []state.BrokerID{1}, After: []state.BrokerID{2}})
		}
		p.Changes = append(p.Changes, c)
	}
	p.Changes[299].Risks = []planner.Risk{{Code: "x", Message: "beware"}}
	folded := draw(t, p, Options{})
	for _, want := range []string{"… 28 more partitions; -full shows all", "and 296 more topics; -full shows them in detail:", "296 topics: replicas or leaders, 11,840 partitions assigned", "t003 … t298 (296)", "beware"} {
		if !strings.Contains(folded, want) {
			t.Errorf("folded text lacks %q", want)
		}
	}
	if n := strings.Count(draw(t, p, Options{Full: true}), "[-1] -> [+2]"); n != 300*40 {
		t.Errorf("-full shows %d of %d partitions", n, 300*40)
	}
}

func TestLongValuesShowWhatDiffers(t *testing.T) {
	list := func(mid string) *string { return ptr(strings.Repeat("0:1,", 20) + mid + strings.Repeat("9:9,", 20)) }
	p := sample()
	p.Changes[1].Config = []planner.ConfigChange{{Name: "k", Before: list("5:1,"), BeforeSource: state.SourceTopic, After: list("7:2,"), AfterSource: state.SourceTopic}}
	got := draw(t, p, Options{})
	if !strings.Contains(got, "[-5:1-]{+7:2+}") {
		t.Errorf("no difference shown:\n%s", got)
	}
}

func TestNarrowTerminalsLoseTheLeastImportantColumns(t *testing.T) {
	got := draw(t, sample(), Options{Width: 60})
	for _, line := range strings.Split(got, "\n") {
		if strings.HasPrefix(line, "  broker") && (strings.Contains(line, "out") || !strings.Contains(line, "bytes")) {
			t.Errorf("columns are %q", line)
		}
	}
}

func TestLengthsOfTimeHaveTwoUnits(t *testing.T) {
	for n, want := range map[int64]string{0: "0s", 59: "59s", 60: "1m", 90: "1m30s", 3600: "1h", 19200: "5h20m", 360000: "4d4h"} {
		if got := Seconds(n); got != want {
			t.Errorf("Seconds(%d) = %q, want %q", n, got, want)
		}
	}
}

// Bytes and times that leave out copies of unknown size say so.
func TestUnknownSizesAreNotCalledZeroBytes(t *testing.T) {
	for bytes, want := range map[int64][]string{
		0:             {"Traffic:  of unknown size, and so how long it takes is not known", "1 copy (of unknown size)"},
		1_200_000_000: {"Traffic:  at least 1.2 GB to copy (the sizes of 2 partitions are not known), at least 1m", "1 copy (at least 1.2 GB)"},
	} {
		p := sample()
		p.Summary.BytesToCopy, p.Estimate = bytes, planner.Estimate{Bytes: bytes, Seconds: bytes / 20_000_000, UnknownSizes: 2}
		text := draw(t, p, Options{Width: 200})
		var page strings.Builder
		if err := Markdown(&page, p, time.Time{}); err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%q is not in\n%s", w, text)
			}
			if w = strings.ReplaceAll(w, "  ", " "); !strings.Contains(page.String(), w) {
				t.Errorf("%q is not in\n%s", w, page.String())
			}
		}
	}
}
