package render

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

// noon is when the comments of the tests are written.
var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func comment(t *testing.T, p *planner.Plan) string {
	t.Helper()
	var b strings.Builder
	if err := Markdown(&b, p, noon); err != nil {
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

// What a reviewer must not miss is never cut for what comes by the thousand.
func TestGraveMattersAreNeverCutForMildOnes(t *testing.T) {
	p := sample()
	for i := range 1500 {
		p.Changes = append(p.Changes, planner.Change{Topic: fmt.Sprintf("keyed-%04d", i), Action: planner.Update, Partitions: &planner.BeforeAfter{Before: 3, After: 6},
			Risks: []planner.Risk{{Code: "keys_remapped", Severity: config.SeverityWarning, Message: strings.Repeat("records of a key go elsewhere ", 9)}}})
		p.Diagnostics = append(p.Diagnostics, config.Diagnostic{Severity: config.SeverityWarning, Code: "mild", Summary: strings.Repeat("a warning ", 9)})
	}
	p.Changes = append(p.Changes, planner.Change{Topic: "zebra", Action: planner.Update,
		Risks: []planner.Risk{{Code: "unclean_leader_election", Severity: config.SeverityWarning, Message: "records may be lost"}}})
	p.Diagnostics = append(p.Diagnostics, config.Diagnostic{Severity: config.SeverityError, Code: "bad", Summary: "This is wrong"})
	p.Errored = true
	got := comment(t, p)
	last := -1
	for _, want := range []string{"**Errors**", "- This is wrong", "**Destroys**", "<code>old</code>", "**Risks**", "- <code>zebra</code>: records may be lost (<code>unclean&#95;leader&#95;election</code>)",
		"- **1,500 risks** <code>keys", "**Warnings**", "- **1,500 warnings**", "| create | <code>audit</code> |", "**Cut for length:**", "1,500 risks of <code>keys", "ballast show PLAN_FILE"} {
		at := strings.Index(got, want)
		if at <= last {
			t.Fatalf("%q is at %d, after %d:\n%s", want, at, last, firstBytes(got, 4000))
		}
		last = at
	}
	if len(got) > MarkdownLimit {
		t.Errorf("%d characters", len(got))
	}
}

func firstBytes(s string, n int) string { return s[:min(n, len(s))] }

// However much there is of everything, a comment is one that can be posted.
func TestNoPlanIsTooLongForAComment(t *testing.T) {
	p := sample()
	long := strings.Repeat("<\u202e|", 30_000)
	for i := range 3000 {
		p.Targets = append(p.Targets, strings.Repeat("t", 249))
		p.Config.Files = append(p.Config.Files, strings.Repeat("f", 249))
		p.Changes = append(p.Changes, planner.Change{Topic: fmt.Sprintf("%0249d", i), Action: planner.Delete, Risks: []planner.Risk{{Code: "topic_deleted", Message: "gone"}}})
	}
	for i := range 40 {
		p.Diagnostics = append(p.Diagnostics, config.Diagnostic{Severity: config.SeverityError, Code: fmt.Sprint("code-", i), Summary: long, Detail: long})
	}
	if got := comment(t, p); len(got) > MarkdownLimit || !strings.Contains(got, "**Cut for length:**") {
		t.Errorf("%d characters", len(got))
	}
}

func TestACommentTellsTheAgeOfTheStateOnALineOfItsOwn(t *testing.T) {
	p := sample()
	body := func(at time.Time) (string, string) {
		var b strings.Builder
		if err := Markdown(&b, p, at); err != nil {
			t.Fatal(err)
		}
		body, line, _ := strings.Cut(b.String(), AgeLine)
		return body, line
	}
	taken := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	first, _ := body(taken)
	for after, want := range map[time.Duration]string{59 * time.Minute: "less than an hour", time.Hour: "1 hour", 47 * time.Hour: "47 hours", 72 * time.Hour: "3 days", -time.Hour: "none, it was read later"} {
		rest, line := body(taken.Add(after))
		if !strings.HasPrefix(line, want) {
			t.Errorf("after %s the age is %q, want %q", after, line, want)
		}
		if rest != first {
			t.Errorf("after %s another line is different too", after)
		}
	}
}
