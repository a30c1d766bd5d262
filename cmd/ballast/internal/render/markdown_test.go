package render

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"ballast/planner"
	"ballast/state"
)

func comment(t *testing.T, p *planner.Plan) string {
	t.Helper()
	var b strings.Builder
	if err := Markdown(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestCommentOpensWithItsMarkerAndVerdict(t *testing.T) {
	lines := strings.Split(comment(t, sample()), "\n")
	if lines[0] != "<!-- ballast-plan abc -->" {
		t.Errorf("marker %q", lines[0])
	}
	if want := "### Destroys data: 1 to create, 1 to change, 1 to delete"; !strings.HasPrefix(lines[1], want) {
		t.Errorf("verdict %q", lines[1])
	}
}

func TestCommentSaysWhatDestroysAndRisksFirst(t *testing.T) {
	got := comment(t, sample())
	last := -1
	for _, want := range []string{"**Destroys**", "<code>old</code> is deleted", "**Risks**", "old values of a key are deleted", "**Warnings**", "| create | <code>audit</code> |", "<details>", "<sub>"} {
		at := strings.Index(got, want)
		if at <= last {
			t.Fatalf("%q is at %d, after %d:\n%s", want, at, last, got)
		}
		last = at
	}
}

func TestEqualPlansGiveEqualComments(t *testing.T) {
	first := comment(t, sample())
	if second := comment(t, sample()); second != first {
		t.Error("two comments differ")
	}
}

func TestNamesAreInertInAComment(t *testing.T) {
	p := sample()
	evil := "x`|</code></details><img src=x onerror=alert(1)>@octocat #1 [a](http://b) www.c.d **e** -->\n```\n# f\x1b[31m"
	p.Changes[0].Topic, p.Changes[1].Risks[0].Message, p.Brokers[0].Rack = evil, evil, evil
	p.Changes[1].Topic, p.Changes[2].Topic = evil, evil
	p.Cluster.Name, p.Cluster.ID, p.Diagnostics[0].Summary, p.Targets = evil, evil, evil, []string{evil}
	p.Config.Files = []string{evil}
	got := comment(t, p)
	outside := regexp.MustCompile("(?s)```text\n.*?\n```").ReplaceAllString(got, "")
	for _, bad := range []string{"<img", "@octocat", "](", "www.c", "**e**", "\x1b", " #1 "} {
		if strings.Contains(outside, bad) {
			t.Errorf("%q is in the comment", bad)
		}
	}
	if n := strings.Count(got, "\n```"); n != 2 {
		t.Errorf("%d fences, want an opening and a closing one", n)
	}
	if strings.Count(outside, "-->") != 1 {
		t.Error("a name ends the marker")
	}
	for _, line := range strings.Split(got, "\n") {
		if n := strings.Count(line, "|"); strings.HasPrefix(line, "|") && n != 7 && n != 9 {
			t.Errorf("a row of %d bars: %s", n, line)
		}
	}
}

func TestLongCommentsAreCutAndSaySo(t *testing.T) {
	p := sample()
	for i := range 5000 {
		p.Changes = append(p.Changes, planner.Change{Topic: fmt.Sprintf("topic-%d", i), Action: planner.Update,
			Assignments: []planner.Assignment{{Before: []state.BrokerID{1}, After: []state.BrokerID{2}}}})
	}
	got := comment(t, p)
	if len(got) > MarkdownLimit {
		t.Errorf("%d characters", len(got))
	}
	if len(got) < MarkdownLimit/2 {
		t.Errorf("only %d characters are used", len(got))
	}
	for _, want := range []string{"**Cut for length:**", "of 5003 topics", "5003 of 5003 details", "ballast show PLAN_FILE", "<sub>"} {
		if !strings.Contains(got, want) {
			t.Errorf("the comment lacks %q", want)
		}
	}
}
