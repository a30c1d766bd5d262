package render

import (
	"fmt"
	"strings"

	"ballast/config"
)

// foldDiagnostics is from how many topics on an error is told once that is the same
// of each.
const foldDiagnostics = 3

// Alike folds errors of rules that cannot be met, where several topics cannot for
// the same cause: the first stays, and names the others with their lines. It changes
// nothing of what it is given.
func Alike(all []config.Diagnostic) (out []config.Diagnostic) {
	same := map[string][]config.Diagnostic{}
	for _, d := range all {
		same[causeOf(d)] = append(same[causeOf(d)], d)
	}
	told := map[string]bool{}
	for _, d := range all {
		cause := causeOf(d)
		group := same[cause]
		switch {
		case !strings.HasPrefix(d.Code, "infeasible_") || len(group) < foldDiagnostics:
			out = append(out, d)
		case !told[cause]:
			told[cause] = true
			d.Detail += "\n" + sameOf(group)
			out = append(out, d)
		}
	}
	return out
}

// causeOf is what errors have in common that are told once.
func causeOf(d config.Diagnostic) string {
	return strings.Join([]string{string(d.Severity), d.Code, d.Detail}, "\x00")
}

// sameOf names the topics of a group but the first.
func sameOf(group []config.Diagnostic) string {
	var names []string
	for _, d := range group[1:] {
		name := Quote(d.Topic)
		if d.File != "" && (d.File != group[0].File || d.Line != group[0].Line) {
			name += fmt.Sprintf(" (%s:%d)", Safe(d.File), d.Line)
		}
		names = append(names, name)
	}
	return fmt.Sprintf("The same of %s: %s. To be told of each: -full", count(len(names), "more topic", "more topics"), short(names, 10))
}
