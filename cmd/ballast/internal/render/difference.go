package render

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"

	"ballast/planner"
)

// Difference draws how one plan differs from another, as a unified diff of
// what they decide.
func Difference(w io.Writer, nameA string, a *planner.Plan, nameB string, b *planner.Plan, o Options) error {
	return UnifiedDiff(w, nameA, decision(a), nameB, decision(b), o)
}

// decision is the part of a plan's text that says what is done: no bytes, no
// time, no load.
func decision(p *planner.Plan) string {
	d := *p
	d.Changes = append([]planner.Change(nil), p.Changes...)
	for i := range d.Changes {
		d.Changes[i] = withoutSizes(d.Changes[i])
	}
	var b bytes.Buffer
	t := &text{w: newWriter(&b), p: &d, o: Options{Full: true, Width: 1 << 20}, ragged: true}
	t.line("cluster %s", word(p.Cluster.ID))
	for _, c := range d.Changes {
		t.change(c)
	}
	t.w.Flush()
	return b.String()
}

// withoutSizes takes out of a change what does not belong to the decision.
func withoutSizes(c planner.Change) planner.Change {
	c.Source, c.Risks = nil, nil
	c.Assignments = append([]planner.Assignment(nil), c.Assignments...)
	for i := range c.Assignments {
		c.Assignments[i].Bytes = nil
	}
	return c
}

// around is how many equal lines a unified diff shows around what differs.
const around = 3

// UnifiedDiff writes what differs between two texts, as diff -u does. It
// writes nothing where they are equal.
func UnifiedDiff(w io.Writer, nameA, a, nameB, b string, o Options) error {
	if a == b {
		return nil
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s\n%s\n", o.paint(bold, "--- "+word(nameA)), o.paint(bold, "+++ "+word(nameB)))
	lines := diffLines(a, b)
	for _, h := range hunks(lines) {
		writeHunk(&out, lines, h, o)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// diffLine is a line of a diff, and where it stands in both texts.
type diffLine struct {
	op   diffmatchpatch.Operation
	text string
	a, b int // lines before it, in each text
}

func diffLines(a, b string) []diffLine {
	d := diffmatchpatch.New()
	charsA, charsB, lines := d.DiffLinesToRunes(a, b)
	var out []diffLine
	n, m := 0, 0
	for _, part := range d.DiffCharsToLines(d.DiffMainRunes(charsA, charsB, false), lines) {
		for _, line := range strings.SplitAfter(part.Text, "\n") {
			if line == "" {
				continue
			}
			out = append(out, diffLine{part.Type, strings.TrimSuffix(line, "\n"), n, m})
			if part.Type != diffmatchpatch.DiffInsert {
				n++
			}
			if part.Type != diffmatchpatch.DiffDelete {
				m++
			}
		}
	}
	return out
}

// hunk is a range of diff lines, from and to.
type hunk struct{ from, to int }

func hunks(lines []diffLine) []hunk {
	var out []hunk
	for i, l := range lines {
		if l.op == diffmatchpatch.DiffEqual {
			continue
		}
		from, to := max(0, i-around), min(len(lines), i+around+1)
		if n := len(out); n > 0 && from <= out[n-1].to {
			out[n-1].to = to
			continue
		}
		out = append(out, hunk{from, to})
	}
	return out
}

func writeHunk(w io.Writer, lines []diffLine, h hunk, o Options) {
	var a, b int
	for _, l := range lines[h.from:h.to] {
		if l.op != diffmatchpatch.DiffInsert {
			a++
		}
		if l.op != diffmatchpatch.DiffDelete {
			b++
		}
	}
	first := lines[h.from]
	fmt.Fprintf(w, "%s\n", o.paint(dim, fmt.Sprintf("@@ -%d,%d +%d,%d @@", startOf(first.a, a), a, startOf(first.b, b), b)))
	for _, l := range lines[h.from:h.to] {
		switch l.op {
		case diffmatchpatch.DiffInsert:
			fmt.Fprintf(w, "%s\n", o.paint(green, "+"+l.text))
		case diffmatchpatch.DiffDelete:
			fmt.Fprintf(w, "%s\n", o.paint(red, "-"+l.text))
		default:
			fmt.Fprintf(w, " %s\n", l.text)
		}
	}
}

// startOf is the first line of a hunk's side, as diff counts: the line before
// it where the side is empty.
func startOf(before, length int) int {
	if length == 0 {
		return before
	}
	return before + 1
}
