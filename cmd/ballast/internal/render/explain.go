package render

import (
	"fmt"
	"io"
	"strings"

	"ballast/planner"
)

// foldOthers is how many brokers are shown that a replica could be on instead.
const foldOthers = 8

// Explanation draws why a partition's replicas are where a plan puts them.
func Explanation(w io.Writer, e *planner.Explanation, o Options) error {
	b := newWriter(w)
	t := &text{w: b, o: o}
	before, after := t.replicas(e.Before, e.After, "-", red), t.replicas(e.After, e.Before, "+", green)
	t.line("%s partition %d: %s -> %s%s", Quote(e.Topic), e.Partition, before.text, after.text, reasonsOf(e))
	t.line("")
	for _, d := range e.Failed {
		t.diagnostic(d)
	}
	if len(e.Rules) > 0 {
		t.line("Rules in force for it:")
		for _, r := range e.Rules {
			t.bullet("  - ", r)
		}
		t.line("")
	}
	for _, r := range e.Replicas {
		t.explained(r)
	}
	return b.Flush()
}

func reasonsOf(e *planner.Explanation) string {
	if len(e.Reasons) == 0 {
		return ""
	}
	words := make([]string, len(e.Reasons))
	for i, r := range e.Reasons {
		words[i] = reasonWord(r)
	}
	return "  (" + strings.Join(words, ", ") + ")"
}

// bullet writes a text behind a mark, its further lines below its beginning.
func (t *text) bullet(mark, message string) {
	for i, line := range wrap(Safe(message), t.o.width()-len(mark)) {
		if i > 0 {
			mark = spaces(len(mark))
		}
		t.line("%s%s", mark, line)
	}
}

func (t *text) explained(r planner.ExplainedReplica) {
	kept := "new"
	if r.Kept {
		kept = "kept"
	}
	t.line("%s", t.o.paint(bold, fmt.Sprintf("Broker %d%s, %s", r.Broker, inRack(r.Rack), kept)))
	t.wrapped("  ", r.Why)
	for i, a := range r.Others {
		if i == foldOthers && !t.o.Full {
			t.line("  … %s; -full shows all", more(len(r.Others)-i, "broker", "brokers"))
			break
		}
		t.bullet(fmt.Sprintf("  instead %d%s: ", a.Broker, inRack(a.Rack)), a.Verdict)
	}
	t.line("")
}

func inRack(rack string) string {
	if rack == "" {
		return ""
	}
	return " in " + word(rack)
}
