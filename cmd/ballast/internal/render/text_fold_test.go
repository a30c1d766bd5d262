package render

import (
	"fmt"
	"strings"
	"testing"

	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

// grown is a plan in which that many topics grow alike, with the same risk.
func grown(n int) *planner.Plan {
	p := &planner.Plan{}
	for i := range n {
		c := planner.Change{Topic: fmt.Sprintf("topic-%04d", i), Action: planner.Update, Partitions: &planner.BeforeAfter{Before: 8, After: 12},
			Risks: []planner.Risk{{Code: "keys_remapped", Severity: config.SeverityWarning, Message: "keys of " + fmt.Sprint(i) + " go elsewhere"}}}
		for id := range int32(4) {
			c.Assignments = append(c.Assignments, planner.Assignment{Partition: 8 + id, After: []state.BrokerID{1, 2, 3}})
		}
		p.Changes = append(p.Changes, c)
	}
	return p
}

func TestTopicsThatChangeAlikeAreCounted(t *testing.T) {
	p := grown(1500)
	p.Changes[700].Risks[0].Severity = config.SeverityError
	p.Changes[900] = planner.Change{Topic: "topic-0900", Action: planner.Delete, Partitions: &planner.BeforeAfter{Before: 8}}
	got := draw(t, p, Options{})
	for _, want := range []string{
		`topic "topic-0000" will be changed`, "keys of 2 go elsewhere", "keys of 700 go elsewhere", `topic "topic-0900" will be deleted`,
		"and 1,495 more topics; -full shows them in detail:", "1,495 topics: partitions 8 -> 12, 5,980 partitions assigned", "keys_remapped",
		"topic-0003 … topic-0699 (697), topic-0701 … topic-0899 (199), topic-0901 … topic-1499 (599)",
	} {
		if !strings.Contains(strings.Join(strings.Fields(got), " "), want) {
			t.Errorf("it does not say %q:\n%s", want, got)
		}
	}
	full := draw(t, p, Options{Full: true})
	if few, all := strings.Count(got, "\n"), strings.Count(full, "\n"); few > 80 || all < 1500*7 {
		t.Errorf("%d lines, with -full %d", few, all)
	}
	if quiet := draw(t, p, Options{Quiet: true}); strings.Count(quiet, "\n") > 40 || !strings.Contains(quiet, "topic-0901") {
		t.Errorf("-quiet:\n%s", quiet)
	}
}

func TestWithAFewChangesAllAreShown(t *testing.T) {
	if got := draw(t, grown(foldTopics), Options{}); strings.Contains(got, "more topics") || strings.Count(got, "will be changed") != foldTopics {
		t.Errorf("got:\n%s", got)
	}
}

func TestDifferentChangesAreDifferentKinds(t *testing.T) {
	p := &planner.Plan{}
	for i := range 200 {
		p.Changes = append(p.Changes, planner.Change{Topic: fmt.Sprintf("t%d-x", i), Action: planner.Update, Partitions: &planner.BeforeAfter{Before: 1, After: 2 + i%4}})
	}
	got := draw(t, p, Options{})
	for to := range 4 {
		if want := fmt.Sprintf("47 topics: partitions 1 -> %d", 2+to); !strings.Contains(got, want) {
			t.Errorf("it does not say %q:\n%s", want, got)
		}
	}
}
