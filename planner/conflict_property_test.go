package planner_test

import (
	"fmt"
	"math/bits"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

// ruled is a topic under restrictions, in a cluster that may be too narrow for it.
type ruled struct {
	want            config.Topic
	cluster         *state.Snapshot
	draining, class []state.BrokerID
}

// The restrictions that a topic can be under, by what begins their names.
var ruledBy = []string{"leaders.required", "replicas.class", "replicas.brokers", "replicas.racks", "draining", "dead", "spread"}

func drawRuled(t *rapid.T) ruled {
	n := rapid.IntRange(2, 7).Draw(t, "brokers")
	x := ruled{cluster: cluster(n, rapid.IntRange(1, 3).Draw(t, "racks"))}
	some := func(name string) (out []state.BrokerID) {
		for id := range n {
			if rapid.IntRange(0, 2).Draw(t, name) > 0 {
				out = append(out, state.BrokerID(id+1))
			}
		}
		return out
	}
	x.want = want("t", 1, rapid.IntRange(1, 4).Draw(t, "rf"))
	if rapid.Bool().Draw(t, "exists") {
		all := rapid.Permutation(brokerIDs(x.cluster)).Draw(t, "replicas")
		x.cluster.Topics = append(x.cluster.Topics, topic("t", all[:rapid.IntRange(1, n).Draw(t, "now")]))
	}
	for i := range x.cluster.Brokers {
		x.cluster.Brokers[i].Alive = rapid.IntRange(0, 4).Draw(t, "dead") > 0
	}
	for id := range n {
		if rapid.IntRange(0, 4).Draw(t, "drains") == 0 {
			x.draining = append(x.draining, state.BrokerID(id+1))
		}
	}
	x.class = some("class")
	drawPlaces(t, &x.want, some)
	return x
}

func drawPlaces(t *rapid.T, w *config.Topic, some func(string) []state.BrokerID) {
	now := func(name string) bool { return rapid.IntRange(0, 2).Draw(t, name) == 0 }
	r := &w.Replicas
	if now("has class") {
		r.Class = "some"
	}
	if now("has brokers") {
		r.Brokers = append([]state.BrokerID{}, some("broker")...)
	}
	if now("has racks") {
		r.Racks = []string{"a", "b", "c"}[rapid.IntRange(0, 1).Draw(t, "from"):rapid.IntRange(1, 3).Draw(t, "to")]
	}
	if now("leads") {
		w.Leaders.Required, w.Leaders.Racks = true, []string{rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "leader")}
	}
	r.RackSpread = rapid.SampledFrom([]config.RackSpread{"", "none", "even", "distinct"}).Draw(t, "spread")
	if rapid.IntRange(0, 4).Draw(t, "per rack") == 0 {
		a := rapid.IntRange(0, w.ReplicationFactor).Draw(t, "a")
		r.PerRack = map[string]int{"a": a, "b": w.ReplicationFactor - a}
	}
}

// under is the topic planned under a set of its restrictions alone, each a bit by
// its place in ruledBy.
func (x ruled) under(set uint) *planner.Plan {
	w, s, out := x.want, *x.cluster, func(i int) bool { return set>>i&1 == 0 }
	s.Brokers = slices.Clone(s.Brokers)
	d := desired()
	d.Classes = []config.BrokerClass{{Name: "some", Brokers: x.class}}
	w.Leaders.Required = w.Leaders.Required && !out(0)
	if out(1) {
		w.Replicas.Class = ""
	}
	if out(2) {
		w.Replicas.Brokers = nil
	}
	if out(3) {
		w.Replicas.Racks = nil
	}
	if !out(4) {
		drain(d, x.draining...)
	}
	for i := range s.Brokers {
		s.Brokers[i].Alive = s.Brokers[i].Alive || out(5)
	}
	if out(6) {
		w.Replicas.PerRack, w.Replicas.RackSpread = nil, config.SpreadNone
	}
	d.Topics = []config.Topic{w}
	return planOf(d, &s)
}

// infeasible is the text of the topic's error, "" where it can be placed.
func infeasible(p *planner.Plan) string {
	for _, d := range p.Diagnostics {
		if strings.HasPrefix(d.Code, "infeasible_") {
			return d.Detail
		}
	}
	return ""
}

var saysConflict = regexp.MustCompile(`replicas? cannot be had with (.+?); (.+?)\. (\d+ more of its|Nothing is planned)`)

// setOf is the set of the restrictions that a text names.
func setOf(t *rapid.T, text string) (set uint) {
	for i, name := range ruledBy {
		found := strings.Contains(text, name)
		if name == "spread" {
			found = strings.Contains(text, "spread") || strings.Contains(text, "per_rack")
		}
		if found {
			set |= 1 << i
		}
	}
	if n := len(regexp.MustCompile(`, | and | or `).FindAllString(text, -1)) + 1; text != "" && n != bits.OnesCount(set) {
		t.Fatalf("%d restrictions found in %q: %b", n, text, set)
	}
	return set
}

// All sets of restrictions are tried, each by planning the topic anew without the
// others: what is named conflicts, no smaller set does, and what is said to help
// does help.
func TestNoSmallerSetOfRestrictionsConflicts(t *testing.T) {
	const all = 1<<7 - 1
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		x := drawRuled(t)
		detail := infeasible(x.under(all))
		if detail == "" {
			return
		}
		found++
		sets, out := []uint{0}, ""
		if said := saysConflict.FindStringSubmatch(detail); said != nil {
			sets, out = nil, said[2]
			for _, text := range strings.Split(said[1], ", nor with ") {
				sets = append(sets, setOf(t, strings.TrimSuffix(text, " together")))
			}
		} else if !strings.Contains(detail, "more than this cluster can hold at all") {
			t.Fatal(detail)
		}
		conflicts := map[uint]bool{}
		for set := range uint(all + 1) {
			conflicts[set] = infeasible(x.under(set)) != ""
		}
		if why := wrong(sets, all, conflicts); why != "" {
			t.Fatalf("%s: %s", why, detail)
		}
		if why := wrongWayOut(t, out, sets, conflicts); why != "" {
			t.Fatalf("%s: %s", why, detail)
		}
	})
	if found == 0 {
		t.Error("no topic is too narrow")
	}
}

// wrong says what is wrong with the sets named, each the smallest of what is left.
func wrong(sets []uint, all uint, conflicts map[uint]bool) string {
	left := all
	for _, named := range sets {
		if !conflicts[named] {
			return fmt.Sprintf("set %b does not conflict", named)
		}
		for set := range all + 1 {
			if set&^left == 0 && conflicts[set] && bits.OnesCount(set) < bits.OnesCount(named) {
				return fmt.Sprintf("set %b conflicts as well, and is smaller", set)
			}
		}
		left &^= named
	}
	if len(sets) > 0 && sets[0] != 0 && conflicts[left] {
		return fmt.Sprintf("what is left conflicts: %b", left)
	}
	return ""
}

// wrongWayOut says what is wrong with what is said to help.
func wrongWayOut(t *rapid.T, text string, sets []uint, conflicts map[uint]bool) string {
	const all = 1<<7 - 1
	one := uint(0) // those of which each would be enough
	for i := range ruledBy {
		if bit := uint(1) << i; len(sets) == 1 && sets[0]&bit != 0 && !conflicts[all&^bit] {
			one |= bit
		}
	}
	var said uint
	switch {
	case text == "" || text == "something of each has to change" || strings.HasPrefix(text, "without all of these"):
	case strings.HasPrefix(text, "without that") || strings.HasPrefix(text, "without any one of these"):
		said = sets[0]
	default:
		said = setOf(t, strings.TrimPrefix(text, "without "))
	}
	if said != one {
		return fmt.Sprintf("each of %b would help", one)
	}
	return ""
}
