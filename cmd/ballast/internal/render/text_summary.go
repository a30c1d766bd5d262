package render

import (
	"fmt"
	"strings"

	"ballast/config"
	"ballast/planner"
)

// summary is the last line of a plan's text.
func (t *text) summary() {
	line, colour := Summary(t.p), bold
	if t.p.Errored {
		colour = red
	}
	t.line("%s", t.o.paint(colour, line))
}

// Summary sums a plan up in one line.
func Summary(p *planner.Plan) string {
	parts := []string{summaryOfChanges(p)}
	if n := risky(p); n > 0 {
		parts = append(parts, "Read "+count(n, "warning", "warnings")+" first.")
	}
	if n := errorsOf(p); n > 0 {
		parts = append(parts, count(n, "error", "errors")+": this plan cannot be applied.")
	}
	return strings.Join(parts, " ")
}

func summaryOfChanges(p *planner.Plan) string {
	s := p.Summary
	if len(p.Changes) == 0 {
		if p.Errored {
			return "Plan: nothing could be planned."
		}
		return "No changes. " + asDeclared(s)
	}
	line := fmt.Sprintf("Plan: %d to create, %d to change, %d to delete", s.TopicsCreate, s.TopicsUpdate, s.TopicsDelete)
	var costs []string
	if s.ReplicasAdded > 0 {
		costs = append(costs, fmt.Sprintf("%s (%s)", count(s.ReplicasAdded, "copy", "copies"), toCopy(s.BytesToCopy, p.Estimate.UnknownSizes)))
	}
	if s.ReplicasRemoved > 0 {
		costs = append(costs, count(s.ReplicasRemoved, "replica removed", "replicas removed"))
	}
	if s.PartitionsAdded > 0 {
		costs = append(costs, count(s.PartitionsAdded, "partition added", "partitions added"))
	}
	if s.LeadersMoved > 0 {
		costs = append(costs, count(s.LeadersMoved, "leader moves", "leaders move"))
	}
	if s.ConfigsChanged > 0 {
		costs = append(costs, count(s.ConfigsChanged, "config", "configs"))
	}
	if len(costs) > 0 {
		line += "; " + strings.Join(costs, ", ")
	}
	return line + "."
}

// asDeclared says what a plan without changes looked at.
func asDeclared(s planner.Summary) string {
	line := "No topic is declared."
	if s.TopicsUnchanged > 0 {
		line = count(s.TopicsUnchanged, "declared topic is", "declared topics are") + " as declared."
	}
	if s.TopicsUnmanaged > 0 {
		line += " " + count(s.TopicsUnmanaged, "other is", "others are") + " left alone."
	}
	return line
}

func risky(p *planner.Plan) int {
	n := 0
	for _, c := range p.Changes {
		n += len(c.Risks)
	}
	for _, d := range p.Diagnostics {
		if d.Severity == config.SeverityWarning && d.Code != partialPlan {
			n++
		}
	}
	return n
}

func errorsOf(p *planner.Plan) int {
	n := 0
	for _, d := range p.Diagnostics {
		if d.Severity == config.SeverityError {
			n++
		}
	}
	return n
}
