package render

import (
	"fmt"
	"strings"

	"github.com/mattn/go-runewidth"
	"github.com/sergi/go-diff/diffmatchpatch"

	"ballast/planner"
	"ballast/state"
)

// longValue is where a config's value is shown as what differs, in columns.
const longValue = 60

func (t *text) configs(c planner.Change) {
	width := 0
	for _, k := range c.Config {
		width = max(width, runewidth.StringWidth(Safe(k.Name)))
	}
	for _, k := range c.Config {
		sign, colour := configSign(k)
		name := runewidth.FillRight(Safe(k.Name), width)
		t.line("      %s %s  %s", t.o.paint(colour, sign), name, t.configValues(k))
	}
}

// configSign tells an override that appears, changes, or is reset.
func configSign(k planner.ConfigChange) (string, style) {
	switch {
	case k.AfterSource != state.SourceTopic:
		return "-", red
	case k.Before == nil || k.BeforeSource != state.SourceTopic:
		return "+", green
	}
	return "~", yellow
}

func (t *text) configValues(k planner.ConfigChange) string {
	if k.Before != nil && k.After != nil && len(*k.Before) > longValue && len(*k.After) > longValue {
		return inlineDiff(*k.Before, *k.After) + sourceNote(k.AfterSource)
	}
	after := value(k.After) + sourceNote(k.AfterSource)
	if k.Pins {
		after += ", which pins the inherited value"
	}
	if k.Before == nil && k.BeforeSource == "" {
		return after
	}
	return value(k.Before) + sourceNote(k.BeforeSource) + " -> " + after
}

func value(v *string) string {
	if v == nil {
		return "unknown"
	}
	if runewidth.StringWidth(*v) > 3*longValue {
		return fmt.Sprintf("%s… (%d characters)", Quote(runewidth.Truncate(*v, 3*longValue, "")), len([]rune(*v)))
	}
	return Quote(*v)
}

// sourceNote names where a value comes from, unless it is the topic's own.
func sourceNote(s state.ConfigSource) string {
	if s == state.SourceTopic || s == "" {
		return ""
	}
	return " (" + word(string(s)) + ")"
}

// inlineDiff shows two long values as one, with what goes as [-…-] and what
// comes as {+…+}, and long equal parts shortened.
func inlineDiff(before, after string) string {
	d := diffmatchpatch.New()
	var b strings.Builder
	for _, part := range d.DiffCleanupSemantic(d.DiffMain(before, after, false)) {
		q := Quote(part.Text)
		q = q[1 : len(q)-1]
		switch part.Type {
		case diffmatchpatch.DiffDelete:
			b.WriteString("[-" + q + "-]")
		case diffmatchpatch.DiffInsert:
			b.WriteString("{+" + q + "+}")
		default:
			b.WriteString(shorten(q, 24))
		}
	}
	return `"` + b.String() + `"`
}

// shorten keeps the ends of a text.
func shorten(s string, keep int) string {
	r := []rune(s)
	if len(r) <= 2*keep+3 {
		return s
	}
	return string(r[:keep]) + "…" + string(r[len(r)-keep:])
}
