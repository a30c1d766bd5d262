package render

import (
	"fmt"
	"strings"

	"ballast/config"
	"ballast/planner"
)

// symbols mark actions as Terraform does.
var symbols = map[planner.Action]struct {
	sign   string
	colour style
	verb   string
}{
	planner.Create: {"+", green, "will be created"},
	planner.Update: {"~", yellow, "will be changed"},
	planner.Delete: {"-", red, "will be deleted with all its data"},
}

func (t *text) changes() {
	p := t.p
	if len(p.Changes) == 0 {
		return
	}
	t.line("Changes to cluster %s as read at %s:", clusterWords(p.Cluster), Moment(p.Cluster.TakenAt))
	t.line("  %s create  %s change  %s delete", t.o.paint(green, "+"), t.o.paint(yellow, "~"), t.o.paint(red, "-"))
	t.line("")
	t.folded(t.unfolded(func(c planner.Change) { t.change(c) }))
}

// clusterWords names a cluster by its name, where it has one, and its id.
func clusterWords(c planner.Cluster) string {
	if c.Name == "" {
		return word(c.ID)
	}
	return word(c.Name) + " (" + word(c.ID) + ")"
}

// oneLine is what changes of a topic, in a few words.
func oneLine(c planner.Change) string {
	var parts []string
	if c.Partitions != nil {
		parts = append(parts, fmt.Sprintf("partitions %d -> %d", c.Partitions.Before, c.Partitions.After))
	}
	if c.ReplicationFactor != nil {
		parts = append(parts, fmt.Sprintf("replication factor %d -> %d", c.ReplicationFactor.Before, c.ReplicationFactor.After))
	}
	if n := len(c.Assignments); n > 0 {
		parts = append(parts, count(n, "partition", "partitions")+" assigned")
	}
	if n := len(c.Config); n > 0 {
		parts = append(parts, count(n, "config", "configs"))
	}
	return strings.Join(parts, ", ")
}

func (t *text) change(c planner.Change) {
	s := symbols[c.Action]
	at := ""
	if c.Source != nil {
		at = t.o.paint(dim, fmt.Sprintf("  (%s:%d)", Safe(c.Source.File), c.Source.Line))
	}
	t.line("  %s topic %s %s%s", t.o.paint(s.colour, s.sign), t.o.paint(bold, Quote(c.Topic)), s.verb, at)
	t.risks(c.Risks)
	t.shape(c)
	t.configs(c)
	if c.Action != planner.Delete {
		t.assignments(c)
	}
	t.line("")
}

// quietRisks shows what is deleted or risky, and nothing else.
func (t *text) quietRisks() {
	t.folded(riskyKinds(t.unfolded(func(c planner.Change) {
		s := symbols[c.Action]
		if c.Action == planner.Delete || len(c.Risks) > 0 {
			t.line("  %s topic %s %s", t.o.paint(s.colour, s.sign), Quote(c.Topic), s.verb)
			t.risks(c.Risks)
			t.line("")
		}
	})))
}

func (t *text) risks(risks []planner.Risk) {
	for _, r := range risks {
		colour := yellow
		if r.Severity == config.SeverityError {
			colour = red
		}
		lines := wrap(Safe(r.Message), t.o.width()-8)
		t.line("      %s %s", t.o.paint(colour, "!"), t.o.paint(colour, lines[0]))
		for _, line := range lines[1:] {
			t.line("        %s", t.o.paint(colour, line))
		}
	}
}

func (t *text) shape(c planner.Change) {
	if c.Partitions != nil {
		t.beforeAfter("partitions", c.Action, *c.Partitions)
	}
	if c.ReplicationFactor != nil {
		t.beforeAfter("replication factor", c.Action, *c.ReplicationFactor)
	}
}

func (t *text) beforeAfter(name string, action planner.Action, n planner.BeforeAfter) {
	switch action {
	case planner.Create:
		t.line("      %-19s %d", name, n.After)
	case planner.Delete:
		t.line("      %-19s %d", name, n.Before)
	default:
		t.line("      %-19s %d -> %d", name, n.Before, n.After)
	}
}
