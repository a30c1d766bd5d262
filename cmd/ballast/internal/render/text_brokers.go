package render

import (
	"fmt"
	"strconv"
	"strings"

	"ballast/planner"
)

// brokers shows what the plan does to each broker that it touches.
func (t *text) brokers() {
	touched := touchedBrokers(t.p.Brokers)
	if len(touched) == 0 {
		return
	}
	shown := touched
	if len(shown) > foldBrokers && !t.o.Full {
		shown = shown[:foldBrokers]
	}
	tbl := table{columns: []column{
		{head: "broker"}, {head: "rack", left: true}, {head: "replicas", left: true}, {head: "at most", drop: 2},
		{head: "leaders", left: true}, {head: "bytes", left: true}, {head: "at most", drop: 2},
		{head: "in", drop: 1}, {head: "out", drop: 3}, {head: "load after", left: true, drop: 4},
	}}
	most := mostReplicas(t.p.Brokers)
	for _, b := range shown {
		tbl.add(strconv.Itoa(int(b.ID)), word(b.Rack),
			fromTo(b.Before.Replicas, b.After.Replicas), strconv.Itoa(b.Peak.Replicas),
			fromTo(b.Before.Leaders, b.After.Leaders),
			bytesFromTo(b.Before.Bytes, b.After.Bytes), Bytes(b.Peak.Bytes),
			Bytes(b.BytesIn), Bytes(b.BytesOut), bar(b.After.Replicas, most))
	}
	t.line("Brokers:")
	tbl.write(t.w, t.o, "  ")
	if n := len(touched) - len(shown); n > 0 {
		t.line("  … %s; -full shows all", more(n, "broker", "brokers"))
	}
	if n := len(t.p.Brokers) - len(touched); n > 0 {
		t.line("  %s not touched", count(n, "broker is", "brokers are"))
	}
	t.line("")
}

func touchedBrokers(all []planner.Broker) []planner.Broker {
	var out []planner.Broker
	for _, b := range all {
		if b.Before != b.After || b.Before != b.Peak || b.BytesIn != 0 || b.BytesOut != 0 {
			out = append(out, b)
		}
	}
	return out
}

func fromTo(before, after int) string {
	if before == after {
		return strconv.Itoa(after)
	}
	return fmt.Sprintf("%d -> %d", before, after)
}

func bytesFromTo(before, after int64) string {
	if before == after {
		return Bytes(after)
	}
	return Bytes(before) + " -> " + Bytes(after)
}

func mostReplicas(all []planner.Broker) int {
	most := 0
	for _, b := range all {
		most = max(most, b.After.Replicas)
	}
	return most
}

// barWidth is how many columns the fullest bar takes.
const barWidth = 10

// eighths are the blocks that a bar ends with.
var eighths = []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// bar draws a number as a bar, the greatest one as the fullest.
func bar(n, most int) string {
	if most <= 0 {
		return ""
	}
	filled := n * barWidth * 8 / most
	return strings.Repeat("█", filled/8) + eighths[filled%8]
}
