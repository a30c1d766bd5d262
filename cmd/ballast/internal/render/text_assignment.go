package render

import (
	"fmt"
	"strconv"
	"strings"

	"ballast/planner"
	"ballast/state"
)

// reasonWords says a reason as a reviewer reads it.
var reasonWords = map[planner.Reason]string{
	planner.ReasonNew:               "new",
	planner.ReasonReplicationFactor: "replication factor",
	planner.ReasonRack:              "rack",
	planner.ReasonBrokerSet:         "brokers",
	planner.ReasonDrain:             "drain",
	planner.ReasonBalance:           "balance",
	planner.ReasonLeader:            "leader",
	planner.ReasonPin:               "pin",
	planner.ReasonInFlight:          "after the move in flight",
}

func (t *text) assignments(c planner.Change) {
	shown := c.Assignments
	if len(shown) > foldPartitions+1 && !t.o.Full {
		shown = shown[:foldPartitions]
	}
	rows := make([]assignmentRow, len(shown))
	var widths [3]int
	for i, a := range shown {
		rows[i] = t.assignmentRow(a)
		for j, cell := range rows[i].cells {
			widths[j] = max(widths[j], cell.width)
		}
	}
	if t.ragged {
		widths = [3]int{}
	}
	for _, r := range rows {
		t.line("      %s%s  %s -> %s%s", spaces(widths[0]-r.cells[0].width), r.cells[0].text,
			r.cells[1].text+spaces(widths[1]-r.cells[1].width), r.cells[2].text, tail(r, widths[2]))
	}
	if n := len(c.Assignments) - len(shown); n > 0 {
		t.line("      … %s; -full shows all", more(n, "partition", "partitions"))
	}
}

func tail(r assignmentRow, width int) string {
	if r.note == "" {
		return ""
	}
	return spaces(width-r.cells[2].width) + "  " + r.note
}

func spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }

// painted is a text and the columns that it takes without its colours.
type painted struct {
	text  string
	width int
}

type assignmentRow struct {
	cells [3]painted // partition, before, after
	note  string
}

func (t *text) assignmentRow(a planner.Assignment) assignmentRow {
	id := strconv.Itoa(int(a.Partition))
	return assignmentRow{
		cells: [3]painted{
			{id, len(id)},
			t.replicas(a.Before, a.After, "-", red),
			t.replicas(a.After, a.Before, "+", green),
		},
		note: t.o.paint(dim, assignmentNote(a)),
	}
}

// replicas writes a list with a sign before each broker that the other lacks.
func (t *text) replicas(list, other []state.BrokerID, sign string, colour style) painted {
	var b strings.Builder
	width := 2
	b.WriteByte('[')
	for i, id := range list {
		if i > 0 {
			b.WriteByte(' ')
			width++
		}
		s, c := strconv.Itoa(int(id)), plain
		if !state.Contains(other, id) {
			s, c = sign+s, colour
		}
		b.WriteString(t.o.paint(c, s))
		width += len(s)
	}
	b.WriteByte(']')
	return painted{b.String(), width}
}

// assignmentNote has the size, the leader where it moves, and the reasons.
func assignmentNote(a planner.Assignment) string {
	var parts []string
	if a.Bytes != nil && *a.Bytes > 0 {
		parts = append(parts, Bytes(*a.Bytes))
	}
	if len(a.Before) > 0 && a.LeaderBefore != a.LeaderAfter {
		parts = append(parts, fmt.Sprintf("leader %s -> %s", leader(a.LeaderBefore), leader(a.LeaderAfter)))
	}
	for _, r := range a.Reasons {
		if len(a.Before) == 0 && r == planner.ReasonNew {
			continue
		}
		parts = append(parts, reasonWord(r))
	}
	return strings.Join(parts, ", ")
}

func leader(id state.BrokerID) string {
	if id == state.NoLeader {
		return "none"
	}
	return strconv.Itoa(int(id))
}

func reasonWord(r planner.Reason) string {
	if w, ok := reasonWords[r]; ok {
		return w
	}
	return word(string(r))
}

// minus is what the first list has and the second lacks.
func minus(list, other []state.BrokerID) []state.BrokerID {
	var out []state.BrokerID
	for _, b := range list {
		if !state.Contains(other, b) {
			out = append(out, b)
		}
	}
	return out
}
