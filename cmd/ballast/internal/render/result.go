package render

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"ballast/apply"
	"ballast/planner"
	"ballast/state"
)

// Result draws how a run ended: what was done, and where it stopped what is
// left, what goes on and what to type next. Again is what a command that goes
// on has to be given.
func Result(w io.Writer, r apply.Result, again string, o Options) error {
	b := bufio.NewWriter(w)
	t := &text{w: b, o: o}
	t.line("")
	switch done := counts(r.Counts); {
	case r.Exit != apply.ExitDone:
		t.stopped(r, again)
	case done == nothing:
		t.line("%s", t.o.paint(green, "Done: nothing was left to do."))
	default:
		t.line("%s", t.o.paint(green, "Done: "+done+" in "+elapsed(r.Elapsed)+"."))
	}
	if already := counts(r.Already); already != nothing {
		t.line("Already as wanted: %s.", already)
	}
	return b.Flush()
}

// nothing is what counts says where all counts are 0.
const nothing = "nothing"

// counts says what was carried out.
func counts(s planner.Summary) string {
	var parts []string
	for _, c := range []struct {
		n         int
		one, many string
	}{
		{s.TopicsCreate, "topic created", "topics created"},
		{s.TopicsUpdate, "topic changed", "topics changed"},
		{s.TopicsDelete, "topic deleted", "topics deleted"},
		{s.ReplicasAdded, "replica copied", "replicas copied"},
		{s.ReplicasRemoved, "replica removed", "replicas removed"},
		{s.PartitionsAdded, "partition added", "partitions added"},
		{s.LeadersMoved, "leader moved", "leaders moved"},
		{s.ConfigsChanged, "config changed", "configs changed"},
	} {
		if c.n > 0 {
			parts = append(parts, count(c.n, c.one, c.many))
		}
	}
	if s.BytesToCopy > 0 {
		parts = append(parts, Bytes(s.BytesToCopy)+" copied")
	}
	return joined(parts, nothing)
}

func (t *text) stopped(r apply.Result, again string) {
	t.line("%s", t.o.paint(red, "Stopped part way: "+Safe(r.Reason)))
	t.line("  Done so far: %s, in %s.", counts(r.Counts), elapsed(r.Elapsed))
	t.holds(r.Holds)
	t.goesOn(r)
	t.left("Not begun", r.Left)
	t.left("Put off", r.Deferred)
	t.left("Failed", r.Failed)
	t.line("")
	if again != "" {
		again = " " + Safe(again)
	}
	if r.CanResume {
		t.line("To go on:           ballast apply -resume%s", again)
	}
	if r.CanCancel {
		t.line("To take moves back: ballast cancel%s", again)
	}
}

func (t *text) holds(holds []apply.Hold) {
	if len(holds) == 0 {
		return
	}
	longest := 0.0
	for _, h := range holds {
		longest = max(longest, h.Seconds)
	}
	t.line("  Held up, for %s, by:", Seconds(int64(longest)))
	writeHolds(t.w, holds, t.o, "    ")
}

func (t *text) goesOn(r apply.Result) {
	if len(r.InFlight) > 0 {
		t.line("  These moves go on:")
	}
	for i, m := range r.InFlight {
		if t.foldedAt(i, len(r.InFlight)) {
			break
		}
		t.line("    %s partition %d%s", Quote(m.Topic), m.Partition, AddsRemoves(m.Adding, m.Removing))
	}
	if n := len(r.Throttles); n > 0 {
		t.line("  %s of this run stay on until it is resumed or cancelled.", count(n, "throttle", "throttles"))
	}
}

func (t *text) left(title string, items []apply.Left) {
	if len(items) > 0 {
		t.line("  %s:", title)
	}
	for i, l := range items {
		if t.foldedAt(i, len(items)) {
			return
		}
		t.line("    %s%s", leftOf(l), because(l.Why))
	}
}

// leftOf is a part of a plan in words: its step, where it is of one, what that
// does, and to what.
func leftOf(l apply.Left) string {
	var parts []string
	if l.Step > 0 {
		parts = append(parts, fmt.Sprintf("step %d,", l.Step))
	}
	if what := stepWords[l.Kind]; what != "" {
		if l.Topic == "" {
			what = strings.TrimSuffix(what, " of")
		}
		parts = append(parts, what)
	}
	if l.Topic != "" {
		parts = append(parts, "topic "+Quote(l.Topic))
	}
	switch n := len(l.Partitions); {
	case n == 1:
		parts = append(parts, fmt.Sprintf("partition %d", l.Partitions[0]))
	case n > 1 && n <= 8:
		parts = append(parts, "partitions "+numbers(l.Partitions))
	case n > 8:
		parts = append(parts, count(n, "partition", "partitions"))
	}
	return strings.Join(parts, " ")
}

// stepWords say what a step does to its topic.
var stepWords = map[planner.Kind]string{
	planner.CreateTopic:   "creation of",
	planner.SetConfig:     "configs of",
	planner.AddPartitions: "new partitions of",
	planner.Reassign:      "moves of",
	planner.ElectLeaders:  "elections of",
	planner.DeleteTopic:   "deletion of",
}

// numbers is a list of ids in words, "1, 2, 3".
func numbers[T ~int32](ids []T) string {
	parts := make([]string, len(ids))
	for i, id := range ids {
		parts[i] = strconv.Itoa(int(id))
	}
	return strings.Join(parts, ", ")
}

// AddsRemoves says which brokers' replicas a move adds and removes.
func AddsRemoves(adding, removing []state.BrokerID) string {
	s := ""
	if len(adding) > 0 {
		s += ", adding a replica on " + brokersWords(adding)
	}
	if len(removing) > 0 {
		s += ", removing that on " + brokersWords(removing)
	}
	return s
}

func brokersWords(ids []state.BrokerID) string {
	if len(ids) == 1 {
		return "broker " + numbers(ids)
	}
	return "brokers " + numbers(ids)
}

func because(why string) string {
	if why == "" {
		return ""
	}
	return ": " + Safe(why)
}

// foldedAt says whether a list is folded at its i-th item, and then writes how
// many are not shown.
func (t *text) foldedAt(i, n int) bool {
	if i != foldInFlight || t.o.Full {
		return false
	}
	t.line("    … %s", more(n-i, "of them", "of them"))
	return true
}

// CancelResult draws what a cancel has taken back, and what it could not.
func CancelResult(w io.Writer, r apply.CancelResult, o Options) error {
	b := bufio.NewWriter(w)
	t := &text{w: b, o: o}
	t.line("%s taken back, %s put back.", count(len(r.Canceled), "move", "moves"), count(len(r.Restored), "throttle value", "throttle values"))
	if n := len(r.Throttles); n > 0 {
		t.line("%s of ballast's own stay on: cancel again once the moves and brokers they are for are done or back.", count(n, "throttle value", "throttle values"))
	}
	if n := len(r.Others); n > 0 {
		t.line("%s not ballast's: left alone; -all takes them back too.", count(n, "move is", "moves are"))
	}
	if n := len(r.Unordered); n > 0 {
		t.line("%s another preferred leader than before: the order before is not known of moves that ballast did not begin.", count(n, "partition may have", "partitions may have"))
	}
	t.left("Not taken back", r.Refused)
	if r.Reason != "" {
		t.line("%s", t.o.paint(red, "Stopped: "+Safe(r.Reason)))
	}
	return b.Flush()
}

// ElectResult draws how many preferred leaders lead, and which could not.
func ElectResult(w io.Writer, r apply.ElectResult, o Options) error {
	b := bufio.NewWriter(w)
	t := &text{w: b, o: o}
	t.line("%s.", count(len(r.Elected), "preferred leader leads", "preferred leaders lead"))
	t.left("Not elected", r.Left)
	if len(r.Left) > 0 {
		t.line("Where a broker is dead or a replica not in sync, make it so, and run ballast elect again.")
	}
	if r.Reason != "" {
		t.line("%s", t.o.paint(red, "Stopped: "+Safe(r.Reason)))
	}
	return b.Flush()
}
