package render

import (
	"fmt"
	"io"
	"strings"

	"ballast/cmd/ballast/internal/consumers"
)

// ConsumersMarkdown draws the same as Consumers for a comment: the topics, and of
// each group what becomes of it and of its members.
func ConsumersMarkdown(w io.Writer, d *consumers.Document) error {
	b := newWriter(w)
	t := &text{w: b, o: Options{}}
	t.line("### Consumer groups")
	for _, x := range d.Topics {
		t.line("- %s", inert(resizedWords(x)))
	}
	for _, u := range d.Unread {
		t.line("- :warning: broker %s did not tell its groups: %s", inert(u.Name), inert(u.Reason))
	}
	if len(d.Groups) == 0 {
		t.line("\nNo group is concerned, of those that may be described here.")
	}
	for i := range d.Groups {
		t.groupMarkdown(&d.Groups[i])
	}
	return b.Flush()
}

func (t *text) groupMarkdown(g *consumers.Group) {
	t.line("\n#### %s\n\n%s", code(g.Group), inert(groupWords(g)))
	if g.Error != "" {
		t.line("\n:warning: %s", inert(g.Error))
	}
	for i := range g.Forecasts {
		f := &g.Forecasts[i]
		t.line("\nUnder %s: **%s** Now %s; after: %s. %s\n", code(f.Assignor), inert(moveWords(f)), inert(spreadWords(*g.Now)), inert(spreadWords(f.After)), inert(pauseWords(f)))
		t.line("| member | now | after | gains | loses |\n|---|---|---|---|---|")
		names := memberNames(g, false)
		for n, c := range f.Members {
			if n == foldMembers {
				t.line("\n%s", more(len(f.Members)-n, "member", "members"))
				break
			}
			t.line("| %s | %s | %s | %d | %d |", code(names[c.ID]), inert(fmt.Sprintf("%d: %s", len(c.Before), t.runs(c.Before))), inert(fmt.Sprintf("%d: %s", len(c.After), t.runs(c.After))), len(c.Gained), len(c.Lost))
		}
	}
	if len(g.Unassigned) > 0 {
		t.line("\nNobody reads now: %s.", inert(t.runs(g.Unassigned)))
	}
	if len(g.Missing) > 0 {
		t.line("\nNot there now, and subscribed to: %s.", inert(strings.Join(g.Missing, ", ")))
	}
	for _, note := range g.Notes {
		t.line("\n%s", inert(note))
	}
}
