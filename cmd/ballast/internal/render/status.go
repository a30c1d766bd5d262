package render

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"ballast/apply"
	"ballast/state"
)

// Status draws a cluster's state for an operator: what is wrong first.
func Status(w io.Writer, r *apply.Report, o Options) error {
	b := newWriter(w)
	t := &text{w: b, o: o}
	t.line("Cluster %s at %s", word(r.ClusterID), r.TakenAt.UTC().Format(time.RFC3339))
	t.line("")
	t.health(r)
	t.run(r)
	t.moves(r.Moves)
	t.throttles(r.Throttles)
	t.brokerStatus(r.Brokers)
	t.unread(r.Unread)
	t.line("")
	t.line("%s", t.o.paint(bold, statusSummary(r)))
	return b.Flush()
}

func (t *text) health(r *apply.Report) {
	for _, h := range []struct {
		what   string
		list   []state.TopicPartition
		colour style
	}{
		{"Without a leader", r.Offline, red},
		{"Under min ISR", r.UnderMinISR, red},
		{"One failure from min ISR", r.AtMinISR, yellow},
		{"Under-replicated", r.UnderReplicated, yellow},
		{"Not led by the preferred leader", r.NotPreferred, plain},
	} {
		if len(h.list) > 0 {
			t.line("%s %s", t.o.paint(h.colour, fmt.Sprintf("%s (%d):", h.what, len(h.list))), t.partitions(h.list))
		}
	}
}

// partitions is a list of partitions in words, folded when long.
func (t *text) partitions(list []state.TopicPartition) string {
	shown := list
	if len(shown) > foldInFlight && !t.o.Full {
		shown = shown[:foldInFlight]
	}
	parts := make([]string, len(shown))
	for i, tp := range shown {
		parts[i] = word(tp.String())
	}
	s := strings.Join(parts, ", ")
	if n := len(list) - len(shown); n > 0 {
		s += fmt.Sprintf(" and %d more", n)
	}
	return s
}

func (t *text) run(r *apply.Report) {
	if r.JournalError != "" {
		t.line("%s", t.o.paint(yellow, "The journal cannot be read, so nothing counts as ballast's: "+Safe(r.JournalError)))
	}
	if !r.Unfinished {
		return
	}
	if r.Holder != nil {
		t.line("%s", t.o.paint(yellow, "An apply is at work: "+Safe(r.Holder.String())))
		t.line("  Let it end, or interrupt it once: what is in flight then goes on, and `ballast apply -resume` too.")
		return
	}
	note := ""
	if r.Note != "" {
		note = ": " + Safe(r.Note)
	}
	t.line("%s", t.o.paint(yellow, "An apply has not ended"+note))
	t.line("  Go on with `ballast apply -resume`, or take back what is in flight with `ballast cancel`.")
}

func (t *text) moves(moves []apply.MoveStatus) {
	if len(moves) == 0 {
		return
	}
	t.line("Moves in flight (%d):", len(moves))
	for i, m := range moves {
		if t.foldedAt(i, len(moves)) {
			return
		}
		t.line("  %s partition %d to %v%s (%s)", Quote(m.Topic), m.Partition, m.Target, AddsRemoves(m.Adding, m.Removing), whose(m.Ours))
		for _, c := range m.Copies {
			t.line("    broker %d: %s", c.Broker, copyLine(c))
		}
	}
}

func whose(ours bool) string {
	if ours {
		return "ballast's"
	}
	return "another tool's"
}

func copyLine(c apply.CopyStatus) string {
	var parts []string
	switch {
	case !c.Alive:
		parts = append(parts, "dead")
	case c.InSync:
		parts = append(parts, "in sync")
	}
	if c.Bytes != nil && c.Of != nil {
		parts = append(parts, Bytes(*c.Bytes)+" of "+Bytes(*c.Of))
	}
	if c.Rate != nil {
		parts = append(parts, Bytes(int64(*c.Rate))+"/s")
	}
	if c.Left != nil {
		parts = append(parts, Seconds(int64(*c.Left))+" left")
	}
	return joined(parts, "nothing is known of it")
}

// Throttles draws the cluster's replication throttles and whose they are.
func Throttles(w io.Writer, list []apply.ThrottleStatus, o Options) error {
	b := newWriter(w)
	t := &text{w: b, o: o}
	t.throttles(list)
	if len(list) == 0 {
		t.line("No replication throttle is set.")
	}
	return b.Flush()
}

func (t *text) throttles(list []apply.ThrottleStatus) {
	if len(list) == 0 {
		return
	}
	t.line("Throttles (%d):", len(list))
	for i, x := range list {
		if t.foldedAt(i, len(list)) {
			return
		}
		t.line("  %s %s = %s (%s)", Resource(x.Resource), Safe(x.Name), value(&x.Value), whose(x.Ours))
	}
}

// Resource names what a config belongs to.
func Resource(r state.ConfigResource) string {
	switch {
	case r.Type == state.TopicResource:
		return "topic " + Quote(r.Name)
	case r.Name == "":
		return "all brokers"
	}
	return "broker " + word(r.Name)
}

func (t *text) brokerStatus(brokers []apply.BrokerStatus) {
	tbl := table{columns: []column{
		{head: "broker"}, {head: "rack", left: true}, {head: "state", left: true}, {head: "replicas"}, {head: "leading"},
		{head: "bytes"}, {head: "free", drop: 1}, {head: "log dirs", left: true, drop: 2},
	}}
	for _, b := range brokers {
		tbl.add(strconv.Itoa(int(b.ID)), word(b.Rack), aliveWord(b.Alive), strconv.Itoa(b.Replicas), strconv.Itoa(b.Leaders),
			known(b.Bytes), free(b.LogDirs), dirWords(b.LogDirs))
	}
	t.line("Brokers:")
	tbl.write(t.w, t.o, "  ")
}

func aliveWord(alive bool) string {
	if alive {
		return "alive"
	}
	return "DEAD"
}

func known(n *int64) string {
	if n == nil {
		return "unknown"
	}
	return Bytes(*n)
}

// free is what the online log dirs have left, where all of them say so.
func free(dirs []state.LogDir) string {
	var sum int64
	for _, d := range dirs {
		if !d.Usable.Known {
			return "unknown"
		}
		sum += d.Usable.Bytes
	}
	if len(dirs) == 0 {
		return "unknown"
	}
	return Bytes(sum)
}

func dirWords(dirs []state.LogDir) string {
	parts := make([]string, len(dirs))
	for i, d := range dirs {
		parts[i] = word(d.Path)
		if d.Offline {
			parts[i] += " OFFLINE"
		}
	}
	return joined(parts, "unknown")
}

func (t *text) unread(list []state.Unread) {
	for i, u := range list {
		if t.foldedAt(i, len(list)) {
			return
		}
		t.line("%s %s: %s", t.o.paint(yellow, "Could not read"), Unread(u), Safe(u.Reason))
	}
}

// Unread names what of a cluster could not be read.
func Unread(u state.Unread) string {
	switch u.What {
	case "topic_config":
		return "the configs of topic " + Quote(u.Name)
	case "broker_config":
		return "the configs of broker " + word(u.Name)
	case "log_dirs":
		return "the log dirs of broker " + word(u.Name)
	case "metadata":
		return "the present metadata of broker " + word(u.Name)
	case "reassignments":
		return "the moves in flight"
	case "fenced_brokers":
		return "the fenced brokers"
	case "topic":
		return "topic " + Quote(u.Name)
	}
	return word(u.What) + " of " + Quote(u.Name)
}

func statusSummary(r *apply.Report) string {
	dead := 0
	for _, b := range r.Brokers {
		if !b.Alive {
			dead++
		}
	}
	parts := []string{fmt.Sprintf("%s alive", count(len(r.Brokers)-dead, "broker", "brokers"))}
	for _, c := range []struct {
		n    int
		what string
	}{{dead, "dead"}, {len(r.Offline), "offline"}, {len(r.UnderMinISR), "under min ISR"}, {len(r.UnderReplicated), "under-replicated"}} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	parts = append(parts, count(len(r.Moves), "move", "moves")+" in flight", count(len(r.Throttles), "throttle", "throttles"))
	return "Status: " + strings.Join(parts, ", ") + "."
}
