package render

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"ballast/planner/sizing"
)

// Size draws how many partitions a throughput needs, why, and the limits.
func Size(w io.Writer, r *sizing.Report, o Options) error {
	b := newWriter(w)
	t := &text{w: b, o: o}
	growth := ""
	if r.Growth != 1 {
		growth = fmt.Sprintf(", grown by %s", humanize.Ftoa(r.Growth))
	}
	t.line("Topic %s at %s/s%s, %s, on %s%s", Quote(r.Topic), Bytes(r.Demand), growth,
		count(r.RF, "replica", "replicas"), count(r.Brokers, "broker", "brokers"), inRacks(r.Racks))
	t.line("")
	t.needs(r)
	t.limits(r)
	for _, c := range r.Checks {
		if c.Unchecked != "" {
			t.bullet("- ", "Not checked, "+checkWords[c.Code]+": "+c.Unchecked+".")
		}
	}
	t.sizeNotes(r)
	t.line("")
	t.w.WriteString(r.HCL)
	return b.Flush()
}

// sizeNotes says what a person has to know to trust the figures.
func (t *text) sizeNotes(r *sizing.Report) {
	if r.Brokers > 1 {
		t.bullet("- ", "One dead: what brokers bear once its replicas have been put on the others, by the same rules; the broker whose death is worst.")
	}
	for _, c := range r.Checks {
		if c.Code == "network_in" && c.Unchecked == "" {
			t.bullet("- ", "Network is what this topic takes: what others take of it is not known.")
		}
	}
	if r.Existing > 0 && r.Partitions > r.Existing {
		t.bullet("- ", fmt.Sprintf("The topic has %s: when it grows, records of the same key go to other partitions than before.", count(r.Existing, "partition", "partitions")))
	}
	if len(r.Needs) > 1 && r.Needs[1].Code == "consumers" {
		t.bullet("- ", fmt.Sprintf("A consumer group needs %s at least to keep up, and no more than %s can read at a time.", count(r.Consumers, "member", "members"), humanize.Comma(int64(r.Partitions))))
	}
}

func inRacks(n int) string {
	if n == 0 {
		return ""
	}
	return " in " + count(n, "rack", "racks")
}

var needWords = map[string]string{
	"producers": "producers, at %s/s a partition",
	"consumers": "consumers, at %s/s a partition",
	"members":   "members of the largest consumer group",
	"existing":  "there already",
}

func (t *text) needs(r *sizing.Report) {
	tbl := table{columns: []column{{head: "partitions are needed for", left: true}, {head: "at least"}}}
	for _, n := range r.Needs {
		words := needWords[n.Code]
		if strings.Contains(words, "%s") {
			words = fmt.Sprintf(words, Bytes(n.Rate))
		}
		tbl.add(words, strconv.Itoa(n.Partitions))
	}
	tbl.write(t.w, t.o, "  ")
	t.line("")
	t.line("%s", t.o.paint(bold, count(r.Partitions, "partition", "partitions")+multipleWords(r)))
	t.line("")
}

// multipleWords says why the number is not the one that is needed.
func multipleWords(r *sizing.Report) string {
	switch r.MultipleOf {
	case sizing.OfBrokers:
		return fmt.Sprintf(": a multiple of the %s, so that each leads as many", count(r.Multiple, "broker", "brokers"))
	case sizing.OfWeights:
		return fmt.Sprintf(": a multiple of %d, what the weights of the brokers add up to, so that each leads by its own", r.Multiple)
	case sizing.OfRacks:
		return fmt.Sprintf(": a multiple of the %s, so that each leads as many; fewer are needed than there are brokers", count(r.Multiple, "rack", "racks"))
	case sizing.OfGiven:
		return fmt.Sprintf(": a multiple of %d, as asked", r.Multiple)
	}
	return ""
}

var checkWords = map[string]string{
	"replication_factor": "replicas of a partition",
	"replicas":           "replicas per broker",
	"network_in":         "network into a broker",
	"network_out":        "network out of a broker",
	"disk":               "space on a log dir",
	"consumers":          "read by one member",
	"request":            "partitions in one request",
}

func (t *text) limits(r *sizing.Report) {
	tbl := table{columns: []column{
		{head: "check", left: true}, {head: "all alive"}, {head: "limit"}, {head: "one dead"}, {head: "limit"}, {head: "verdict", left: true}, {head: "worst on", left: true, drop: 1},
	}}
	for _, c := range r.Checks {
		alive, limit := measureCells(c.Alive, c.Unit)
		dead, deadLimit := measureCells(c.Dead, c.Unit)
		tbl.add(checkWords[c.Code], alive, limit, dead, deadLimit, strings.ToUpper(verdictWord(c.Verdict)), worstOn(c))
	}
	tbl.write(t.w, t.o, "  ")
	t.line("")
}

func verdictWord(v sizing.Verdict) string {
	if v == sizing.Unchecked {
		return "?"
	}
	return string(v)
}

func measureCells(m *sizing.Measure, unit sizing.Unit) (value, limit string) {
	if m == nil {
		return "-", "-"
	}
	return inUnit(m.Value, unit), inUnit(m.Limit, unit)
}

func inUnit(n int64, unit sizing.Unit) string {
	switch unit {
	case sizing.Bytes:
		return Bytes(n)
	case sizing.BytesPerSecond:
		return Bytes(n) + "/s"
	}
	return humanize.Comma(n)
}

// worstOn names the broker that is nearest to its limit.
func worstOn(c sizing.Check) string {
	switch {
	case c.Dead != nil && c.Dead.Broker != nil && c.Dead.Failed != nil:
		return fmt.Sprintf("broker %d, with %d dead", *c.Dead.Broker, *c.Dead.Failed)
	case c.Alive != nil && c.Alive.Broker != nil:
		return fmt.Sprintf("broker %d", *c.Alive.Broker)
	}
	return ""
}

// BrokenLimits says in words which limits a size breaks, and what helps.
func BrokenLimits(r *sizing.Report) string {
	var lines []string
	for _, c := range r.Checks {
		m, when := c.Alive, ""
		if c.Verdict != sizing.Broken {
			continue
		}
		if m == nil || m.Value <= m.Limit {
			m, when = c.Dead, fmt.Sprintf(" with broker %d dead", *c.Dead.Failed)
		}
		lines = append(lines, fmt.Sprintf("%s%s: %s, and the limit is %s. %s", checkWords[c.Code], when, inUnit(m.Value, c.Unit), inUnit(m.Limit, c.Unit), remedies[c.Code]))
	}
	return strings.Join(lines, "\n")
}

var remedies = map[string]string{
	"replication_factor": "Fewer replicas, or more brokers.",
	"replicas":           "More brokers, or fewer partitions by a faster producer and consumer; -max-replicas is another limit.",
	"network_in":         "More brokers, or fewer replicas.",
	"network_out":        "More brokers, fewer consumer groups, or consumers that fetch from followers.",
	"disk":               "A shorter -retention, more brokers, or larger log dirs.",
	"consumers":          "More members in the group, or faster ones.",
	"request":            "Create it smaller, and grow it in several steps.",
}
