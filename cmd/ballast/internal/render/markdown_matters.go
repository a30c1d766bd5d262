package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ballast/config"
	"ballast/planner"
)

// matter is one line that a reviewer has to see: an error, a deletion, a risk,
// a warning. Matters of a heading and a code can be told in one line.
type matter struct {
	heading string
	what    string // in a note of what was cut, "risks"
	code    string
	name    string // of a topic, as code, or ""
	line    string
	weight  int // what is told first, and in short last
}

// longestMatter is how much of a message is told; what is longer can be read in
// the plan.
const longestMatter = 2000

// The weights of what is no risk. Risks lie between, see gravity.
const (
	weightError    = -3
	weightDeletion = -2
	weightWarning  = 1000
)

// matters writes what must be seen. While it is too long, the lightest code of
// which there are several is told in one line.
func (m *markdown) matters() {
	groups := grouped(append(m.diagnostics(), m.risks()...))
	room := m.limit - m.b.Len()
	for i := len(groups) - 1; i >= 0 && lengthOf(groups) > room; i-- {
		if g := groups[i]; len(g) > 1 {
			groups[i] = []matter{folded(g)}
			m.cut = append(m.cut, fmt.Sprintf("%s of %s told in one line", count(len(g), g[0].what, g[0].what+"s"), code(g[0].code)))
		}
	}
	heading := ""
	for _, g := range groups {
		open := ""
		if g[0].heading != heading {
			if open = "**" + g[0].heading + "**\n\n"; heading != "" {
				open = "\n" + open
			}
			heading = g[0].heading
		}
		items := make([]string, len(g))
		for i := range g {
			items[i] = g[i].line
		}
		m.section(g[0].what+"s", open, items, "")
	}
	if heading != "" {
		m.b.WriteString("\n")
	}
}

// grouped puts matters of a weight and code together, what weighs most first.
func grouped(all []matter) (groups [][]matter) {
	slices.SortStableFunc(all, func(a, b matter) int {
		return cmp.Or(cmp.Compare(a.weight, b.weight), cmp.Compare(a.code, b.code))
	})
	for i := range all {
		if n := len(groups); n > 0 && groups[n-1][0].weight == all[i].weight && groups[n-1][0].code == all[i].code {
			groups[n-1] = append(groups[n-1], all[i])
		} else {
			groups = append(groups, []matter{all[i]})
		}
	}
	return groups
}

// lengthOf is how long the groups are, with some room for each heading.
func lengthOf(groups [][]matter) (n int) {
	for _, g := range groups {
		n += 30
		for i := range g {
			n += len(g[i].line)
		}
	}
	return n
}

// folded tells a group in one line: how many there are, and the first in full.
func folded(g []matter) matter {
	var names []string
	for i := range g {
		if g[i].name != "" {
			names = append(names, g[i].name)
		}
	}
	first := g[0]
	of := ""
	if len(names) > 0 {
		of = ": " + short(names, 10)
	}
	first.line = fmt.Sprintf("- **%s** %s%s. The first: %s", count(len(g), first.what, first.what+"s"), code(first.code), of, strings.TrimPrefix(first.line, "- "))
	return first
}

// risks are the deletions and the risks of all changes.
func (m *markdown) risks() (out []matter) {
	for _, c := range m.p.Changes {
		name := code(c.Topic)
		if c.Action == planner.Delete {
			out = append(out, matter{heading: "Destroys", what: "deletion", code: topicDeleted, name: name, weight: weightDeletion, line: deletion(c)})
		}
		for _, r := range c.Risks {
			if c.Action == planner.Delete && r.Code == topicDeleted {
				continue
			}
			out = append(out, matter{heading: "Risks", what: "risk", code: r.Code, name: name, weight: gravity(r),
				line: fmt.Sprintf("- %s: %s (%s)\n", name, told(r.Message), code(r.Code))})
		}
	}
	return out
}

const topicDeleted = "topic_deleted"

// deletion tells of a topic that goes, with its risk where the plan has it.
func deletion(c planner.Change) string {
	for _, r := range c.Risks {
		if r.Code == topicDeleted {
			return fmt.Sprintf("- topic %s is deleted with all its data: %s (%s)\n", code(c.Topic), told(r.Message), code(topicDeleted))
		}
	}
	return fmt.Sprintf("- topic %s is deleted with all its data\n", code(c.Topic))
}

// diagnostics are the errors and the warnings.
func (m *markdown) diagnostics() (out []matter) {
	for _, d := range m.p.Diagnostics {
		if d.Code == partialPlan {
			continue
		}
		is := matter{heading: "Errors", what: "error", code: d.Code, weight: weightError}
		if d.Severity != config.SeverityError {
			is.heading, is.what, is.weight = "Warnings", "warning", weightWarning
		}
		if d.Topic != "" {
			is.name = code(d.Topic)
		}
		at, detail := "", ""
		if d.File != "" {
			at = fmt.Sprintf(" (%s:%d)", code(d.File), d.Line)
		}
		if d.Detail != "" {
			detail = ": " + told(d.Detail)
		}
		is.line = fmt.Sprintf("- %s%s%s\n", told(d.Summary), at, detail)
		out = append(out, is)
	}
	return out
}

// told is a message that does nothing, as much of it as a comment has room for.
func told(message string) string {
	runes := []rune(message)
	if len(runes) <= longestMatter {
		return inert(message)
	}
	return inert(string(runes[:longestMatter])) + " …"
}
