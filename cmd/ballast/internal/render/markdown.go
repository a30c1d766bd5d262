package render

import (
	"fmt"
	"io"
	"strings"
	"time"

	"ballast/planner"
)

// MarkdownLimit is how long a comment may be on GitHub, in characters; it is
// counted in bytes here, which are never fewer.
const MarkdownLimit = 65_536

// Markdown draws a plan as a comment for a pull request. Its first line is a
// marker that stays the same for a cluster, so that the next comment can
// replace this one. Errors, deletions and risks come first and in full, the
// gravest before the mild; where the limit is hit the least important is told
// in short or cut, and the comment says what was.
//
// The last line tells how old the state was at now, see age. All other lines
// are the same for equal plans.
func Markdown(w io.Writer, p *planner.Plan, now time.Time) error {
	m := &markdown{p: p, limit: MarkdownLimit}
	foot := m.footer() + age(p.Cluster.TakenAt, now)
	m.limit -= len(foot) + cutNote
	m.head()
	m.matters()
	m.topics()
	m.brokers()
	m.details()
	_, err := io.WriteString(w, m.b.String()+m.cutLine()+foot)
	return err
}

// cutNote is what is kept free for the line that says what was cut.
const cutNote = 3000

// markdown builds one comment.
type markdown struct {
	p     *planner.Plan
	b     strings.Builder
	limit int
	cut   []string // what was left out
}

// section writes a list of items between its opening and its closing lines, as
// many as there is room for. Items are whole lines.
func (m *markdown) section(what, open string, items []string, shut string) {
	if len(items) == 0 {
		return
	}
	room := m.limit - m.b.Len() - len(open) - len(shut)
	n := 0
	for n < len(items) && len(items[n]) <= room {
		room -= len(items[n])
		n++
	}
	if n > 0 {
		m.b.WriteString(open)
		for _, item := range items[:n] {
			m.b.WriteString(item)
		}
		m.b.WriteString(shut)
	}
	if n < len(items) {
		m.cut = append(m.cut, fmt.Sprintf("%d of %d %s", len(items)-n, len(items), what))
	}
}

func (m *markdown) cutLine() string {
	if len(m.cut) == 0 {
		return ""
	}
	return "**Cut for length:** " + short(m.cut, 40) + ". The whole plan is in the saved document: `ballast show PLAN_FILE`.\n\n"
}

// head has the marker, the verdict and the summary.
func (m *markdown) head() {
	p := m.p
	fmt.Fprintf(&m.b, "<!-- ballast-plan %s -->\n", inert(p.Cluster.ID))
	fmt.Fprintf(&m.b, "### %s: %s\n\n", verdict(p), strings.TrimPrefix(strings.TrimPrefix(Summary(p), "Plan: "), "No changes. "))
	name := inert(p.Cluster.Name)
	if name == "" {
		name = "without a name"
	}
	fmt.Fprintf(&m.b, "Cluster %s (%s) as read at %s.\n\n", name, inert(p.Cluster.ID), inert(Moment(p.Cluster.TakenAt)))
	if len(p.Targets) > 0 {
		targets := make([]string, len(p.Targets))
		for i, t := range p.Targets {
			targets[i] = code(t)
		}
		fmt.Fprintf(&m.b, "> **This plan is partial:** it has only %s and leaves out whatever else differs.\n\n", short(targets, 20))
	}
}

// verdict is the plan in a word or two.
func verdict(p *planner.Plan) string {
	switch {
	case p.Errored:
		return "Errors"
	case len(p.Changes) == 0:
		return "No changes"
	case p.Summary.TopicsDelete > 0:
		return "Destroys data"
	case risksOf(p) > 0:
		return "Changes with risks"
	}
	return "Changes"
}

func risksOf(p *planner.Plan) int {
	n := 0
	for _, c := range p.Changes {
		n += len(c.Risks)
	}
	return n
}

func (m *markdown) footer() string {
	p := m.p
	files := make([]string, len(p.Config.Files))
	for i, f := range p.Config.Files {
		files[i] = code(f)
	}
	return fmt.Sprintf("<sub>%s, plan %s, configuration %s of %s</sub>\n", inert(p.Tool), code(p.Digest), code(p.Config.Digest), short(files, 20))
}

// short is a list in words, folded when long.
func short(list []string, most int) string {
	const longest = 2000
	n, size := 0, 0
	for n < len(list) && n < most && (n == 0 || size+len(list[n]) <= longest) {
		size += len(list[n])
		n++
	}
	if n == len(list) {
		return strings.Join(list, ", ")
	}
	return strings.Join(list[:n], ", ") + fmt.Sprintf(" and %d more", len(list)-n)
}
