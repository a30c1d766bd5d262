package render

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"

	"ballast/planner"
)

// topics is the table of all changes.
func (m *markdown) topics() {
	var items []string
	for _, c := range m.p.Changes {
		copies := 0
		for _, a := range c.Assignments {
			if len(a.Before) > 0 {
				copies += len(minus(a.After, a.Before))
			}
		}
		items = append(items, fmt.Sprintf("| %s | %s | %s | %s | %s | %s |\n", actionWord(c.Action), code(c.Topic),
			pair(c.Partitions, c.Action), pair(c.ReplicationFactor, c.Action), number(copies), number(len(c.Config))))
	}
	m.section("topics", "| | topic | partitions | replication factor | copies | configs |\n|---|---|---|---|--:|--:|\n", items, "\n")
}

func actionWord(a planner.Action) string {
	switch a {
	case planner.Create:
		return "create"
	case planner.Update:
		return "change"
	}
	return "**delete**"
}

func pair(n *planner.BeforeAfter, action planner.Action) string {
	switch {
	case n == nil:
		return ""
	case action == planner.Create:
		return fmt.Sprint(n.After)
	case action == planner.Delete:
		return fmt.Sprint(n.Before)
	}
	return fmt.Sprintf("%d → %d", n.Before, n.After)
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func (m *markdown) brokers() {
	var items []string
	for _, b := range touchedBrokers(m.p.Brokers) {
		items = append(items, fmt.Sprintf("| %d | %s | %s | %d | %s | %s | %s | %s |\n", b.ID, code(b.Rack),
			arrow(fmt.Sprint(b.Before.Replicas), fmt.Sprint(b.After.Replicas)), b.Peak.Replicas,
			arrow(fmt.Sprint(b.Before.Leaders), fmt.Sprint(b.After.Leaders)),
			arrow(Bytes(b.Before.Bytes), Bytes(b.After.Bytes)), Bytes(b.BytesIn), Bytes(b.BytesOut)))
	}
	open := "<details><summary>Brokers and cost</summary>\n\n" + m.cost() + "| broker | rack | replicas | at most | leaders | bytes | in | out |\n|--:|---|---|--:|---|---|--:|--:|\n"
	m.section("brokers", open, items, "\n</details>\n\n")
}

func arrow(before, after string) string {
	if before == after {
		return after
	}
	return before + " → " + after
}

// cost is the text view's lines of steps, copies and traffic, as a list.
func (m *markdown) cost() string {
	var out strings.Builder
	for _, line := range costLines(m.p) {
		out.WriteString("- " + line + "\n")
	}
	return out.String() + "\n"
}

// costLines are the text view's lines of steps, copies and traffic.
func costLines(p *planner.Plan) []string {
	var b bytes.Buffer
	t := &text{w: bufio.NewWriter(&b), p: p, o: Options{Width: 1 << 20}}
	t.cost()
	t.w.Flush()
	var out []string
	for _, line := range strings.Split(b.String(), "\n") {
		if line != "" {
			out = append(out, strings.Join(strings.Fields(line), " "))
		}
	}
	return out
}

// details has each change as the text view draws it, within a fence. No line
// of it can close the fence: each begins with spaces or a sign of ours.
func (m *markdown) details() {
	var items []string
	for _, c := range m.p.Changes {
		var b bytes.Buffer
		t := &text{w: bufio.NewWriter(&b), p: m.p, o: Options{Width: 120}}
		t.change(c)
		t.w.Flush()
		items = append(items, b.String())
	}
	open := fmt.Sprintf("<details><summary>Details of %s</summary>\n\n```text\n", count(len(items), "topic", "topics"))
	m.section("details", open, items, "```\n\n</details>\n\n")
}
