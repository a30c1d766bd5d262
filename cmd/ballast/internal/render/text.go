package render

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"ballast/config"
	"ballast/planner"
)

// How much of a plan is shown before it is folded; Options.Full shows all.
const (
	foldTopics     = 25 // topics in detail
	foldAlike      = 3  // topics in detail with the same change, where there are more than foldTopics
	foldKinds      = 50 // further kinds of change without a risk
	foldPartitions = 12 // partitions of a topic
	foldBrokers    = 40
	foldInFlight   = 10
)

// Text draws a plan for a terminal: what it does first, then what it does to
// the brokers, what it costs, what to be careful of, and a line that sums it up.
func Text(w io.Writer, p *planner.Plan, o Options) error {
	b := newWriter(w)
	t := &text{w: b, p: p, o: o}
	if o.Quiet {
		t.quietRisks()
	} else {
		t.changes()
		t.inFlight()
		t.brokers()
		t.cost()
	}
	t.diagnostics()
	t.partial()
	t.summary()
	return b.Flush()
}

// text draws one plan. A bufio.Writer keeps the first error for Flush.
type text struct {
	w      *bufio.Writer
	p      *planner.Plan
	o      Options
	ragged bool // columns are not aligned, so that a line depends on nothing but itself
}

func (t *text) line(format string, args ...any) {
	fmt.Fprintf(t.w, format, args...)
	t.w.WriteByte('\n')
}

// wrapped writes a message behind an indent, broken at spaces.
func (t *text) wrapped(indent, message string) {
	for _, line := range wrap(Safe(message), t.o.width()-len(indent)) {
		t.line("%s%s", indent, line)
	}
}

// partialPlan is the code of the warning that partial stands for.
const partialPlan = "partial_plan"

func (t *text) partial() {
	if len(t.p.Targets) == 0 {
		return
	}
	quoted := make([]string, len(t.p.Targets))
	for i, x := range t.p.Targets {
		quoted[i] = Quote(x)
	}
	t.line("%s", t.o.paint(yellow, "This plan is partial: it has only "+strings.Join(quoted, ", ")+" and leaves out whatever else differs."))
	for _, d := range t.p.Diagnostics {
		if d.Code == partialPlan {
			t.leftOut(d.Detail)
		}
	}
	t.line("")
}

// leftOut is what a partial plan depends on in what it leaves out: the lines of
// its warning below the first, which partial stands for.
func (t *text) leftOut(detail string) {
	if _, lines, more := strings.Cut(detail, "\n"); more {
		t.wrapped("  ", lines)
	}
}

// diagnostics shows warnings, and errors unless they are shown elsewhere.
func (t *text) diagnostics() {
	all := t.p.Diagnostics
	if !t.o.Full {
		all = Alike(all)
	}
	for _, d := range all {
		if d.Severity == config.SeverityError && t.o.ErrorsElsewhere || d.Code == partialPlan {
			continue
		}
		t.diagnostic(d)
	}
}

func (t *text) diagnostic(d config.Diagnostic) {
	kind, colour := "Warning", yellow
	if d.Severity == config.SeverityError {
		kind, colour = "Error", red
	}
	at := ""
	if d.File != "" {
		at = fmt.Sprintf(" (%s:%d)", Safe(d.File), d.Line)
	}
	t.line("%s%s%s", t.o.paint(colour, kind+": "), Safe(d.Summary), at)
	if d.Detail != "" {
		t.wrapped("  ", d.Detail)
	}
	t.line("")
}

func newWriter(w io.Writer) *bufio.Writer { return bufio.NewWriterSize(w, 1<<16) }
