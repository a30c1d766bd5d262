package render

import (
	"fmt"
	"strings"

	"ballast/planner"
)

// inFlight shows the moves that already run.
func (t *text) inFlight() {
	if len(t.p.InFlight) == 0 {
		return
	}
	t.line("Already moving:")
	for i, m := range t.p.InFlight {
		if i == foldInFlight && !t.o.Full {
			t.line("  … %s; -full shows all", more(len(t.p.InFlight)-i, "move", "moves"))
			break
		}
		whose := "another tool's"
		if m.Ours {
			whose = "ballast's"
		}
		t.line("  %s partition %d to %v%s (%s)", Quote(m.Topic), m.Partition, m.Target, AddsRemoves(m.Adding, m.Removing), whose)
	}
	t.line("")
}

// cost shows the steps, the copies beside the fewest possible, bytes and time.
func (t *text) cost() {
	if len(t.p.Steps) == 0 {
		return
	}
	t.labelled("Steps:", stepsLine(t.p.Steps))
	if c := t.p.Optimality.ReplicaCopies; c.Planned > 0 {
		t.labelled("Copies:", fmt.Sprint(c.Planned)+least(c))
	}
	if m := t.p.Optimality.LeaderMoves; m.Planned > 0 {
		t.labelled("Leaders:", fmt.Sprintf("%d move%s", m.Planned, least(m)))
	}
	if e := t.p.Estimate; e.Bytes > 0 || e.UnknownSizes > 0 {
		t.labelled("Traffic:", estimateLine(e, t.p.Apply))
	}
	t.line("")
}

// labelled writes a label and a text beside it, wrapped.
func (t *text) labelled(label, message string) {
	for i, line := range wrap(message, t.o.width()-10) {
		if i > 0 {
			label = ""
		}
		t.line("%-9s %s", label, line)
	}
}

// least says what is known of the fewest possible.
func least(a planner.Against) string {
	switch {
	case a.LowerBound == a.Planned:
		return ", the fewest possible"
	case a.LowerBound == 1:
		return "; at least 1 is needed"
	case a.LowerBound > 0:
		return fmt.Sprintf("; at least %d are needed", a.LowerBound)
	}
	return ""
}

// stepOrder is the order in which kinds of steps are counted.
var stepOrder = []struct {
	kind      planner.Kind
	one, many string
}{
	{planner.CreateTopic, "topic created", "topics created"},
	{planner.SetConfig, "change of configs", "changes of configs"},
	{planner.Reassign, "batch of moves", "batches of moves"},
	{planner.AddPartitions, "topic grown", "topics grown"},
	{planner.ElectLeaders, "election of leaders", "elections of leaders"},
	{planner.DeleteTopic, "topic deleted", "topics deleted"},
}

func stepsLine(steps []planner.Step) string {
	n := map[planner.Kind]int{}
	for _, s := range steps {
		n[s.Kind]++
	}
	var parts []string
	for _, k := range stepOrder {
		if n[k.kind] > 0 {
			parts = append(parts, count(n[k.kind], k.one, k.many))
		}
	}
	return fmt.Sprintf("%d: %s", len(steps), strings.Join(parts, ", "))
}

func estimateLine(e planner.Estimate, a planner.Settings) string {
	s := toCopy(e.Bytes, e.UnknownSizes) + " to copy"
	switch {
	case e.UnknownSizes > 0 && e.Bytes == 0:
		return "of unknown size, and so how long it takes is not known"
	case e.UnknownSizes > 0:
		s += fmt.Sprintf(" (the sizes of %s are not known), at least %s", count(e.UnknownSizes, "partition", "partitions"), Seconds(e.Seconds))
	case e.Seconds > 0:
		s += ", about " + Seconds(e.Seconds)
	}
	switch {
	case a.ThrottleNetwork > 0:
		s += fmt.Sprintf(" at %d to %d %% of %s a broker", a.ThrottleStartPercent, a.ThrottleMaxPercent, Rate(a.ThrottleNetwork))
	case a.Throttle > 0:
		s += " at " + Rate(a.Throttle) + " a broker"
	default:
		s += " without a throttle"
	}
	if e.BottleneckBroker != nil {
		s += fmt.Sprintf("; broker %d is the busiest", *e.BottleneckBroker)
	}
	return s
}

// toCopy is the bytes of copies of which some may be of unknown size.
func toCopy(bytes int64, unknown int) string {
	switch {
	case unknown > 0 && bytes == 0:
		return "of unknown size"
	case unknown > 0:
		return "at least " + Bytes(bytes)
	}
	return Bytes(bytes)
}
