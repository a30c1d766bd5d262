package planner_test

import (
	"strings"
	"testing"

	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

// Each of these conflicts needs all that it names, and nothing else.
func TestTheSmallestConflictIsNamed(t *testing.T) {
	distinct, racked, classed, drained := want("t", 1, 3), want("t", 1, 3), want("t", 1, 3), want("t", 1, 3)
	distinct.Replicas = config.Replicas{RackSpread: config.SpreadDistinct, Racks: []string{"a", "b"}}
	racked.Replicas = config.Replicas{RackSpread: config.SpreadNone, Racks: []string{"a"}}
	classed.Replicas = config.Replicas{RackSpread: config.SpreadNone, Racks: []string{"a", "b", "c"}, Class: "ssd"}
	drained.Replicas = config.Replicas{RackSpread: config.SpreadDistinct}
	for says, d := range map[string]*config.Desired{
		`3 replicas cannot be had with replicas.racks (2) and replicas.rack_spread = "distinct" together; without any one of these they could.`: desired(distinct),
		`3 replicas cannot be had with replicas.racks (1); without that they could.`:                                                            desired(racked),
		`3 replicas cannot be had with replicas.class = "ssd"; without that they could.`:                                                        desired(classed),
		`3 replicas cannot be had with 2 draining brokers and replicas.rack_spread = "distinct" together; without any one of these they could.`: drain(desired(drained), 3, 6),
		`9 replicas are more than this cluster can hold at all.`:                                                                                desired(want("t", 1, 9)),
	} {
		conflictSays(t, d, cluster(6, 3), says)
	}
}

// ssd is a class of the two brokers in rack b.
var ssd = []config.BrokerClass{{Name: "ssd", Racks: []string{"b"}}}

func conflictSays(t *testing.T, d *config.Desired, s *state.Snapshot, says string) *planner.Plan {
	t.Helper()
	d.Classes = ssd
	p := planOf(d, s)
	if text := strings.Join(codes(p), "\n"); !strings.Contains(text, says) {
		t.Errorf("%q is not said:\n%s", says, text)
	}
	return p
}

// The class alone is too narrow. Brokers 1 to 5, broker 3 draining and distinct
// racks conflict as well, and none of these three can be missed for that: leaving
// out one restriction after the other, the class first, would end with them.
func TestAConflictOfOneIsNamedBeforeOneOfThree(t *testing.T) {
	w := want("t", 1, 3)
	w.Replicas = config.Replicas{RackSpread: config.SpreadDistinct, Brokers: on(1, 2, 3, 4, 5)}
	three := `replicas.brokers (5), 1 draining broker and replicas.rack_spread = "distinct" together`
	conflictSays(t, drain(desired(w), 3), cluster(6, 3), "3 replicas cannot be had with "+three+"; without any one of these they could.")
	w.Replicas.Class = "ssd"
	conflictSays(t, drain(desired(w), 3), cluster(6, 3), `3 replicas cannot be had with replicas.class = "ssd", nor with `+three+"; something of each has to change.")
}

// Racks a and b conflict with the spread, and with the leader's rack: without
// them all is well, without either of the others it is not.
func TestOnlyARestrictionThatHelpsIsSaidToHelp(t *testing.T) {
	w := want("t", 1, 3)
	w.Replicas = config.Replicas{RackSpread: config.SpreadDistinct, Racks: []string{"a", "b"}}
	w.Leaders = config.Leaders{Racks: []string{"c"}, Required: true}
	conflictSays(t, desired(w), cluster(6, 3),
		`3 replicas cannot be had with leaders.required and replicas.racks (2) together; without replicas.racks (2) they could.`)
}

// One broker is dead and drains: it is of use to nobody before both are over.
func TestABrokerThatIsDeadAndDrainsIsBoth(t *testing.T) {
	s := cluster(3, 0)
	s.Brokers[2].Alive = false
	conflictSays(t, drain(desired(want("t", 1, 3)), 3), s,
		"3 replicas cannot be had with 1 draining broker, nor with 1 dead broker; something of each has to change.")
}

func TestATopicThatOnlyLeavesDrainingBrokersKeepsItsRacks(t *testing.T) {
	s := cluster(6, 2, topic("t", on(1, 3, 2, 4)))
	s.Brokers[5].Alive = false
	d := drain(desired(), 2)
	d.Unmanaged.Replicas = config.UnmanagedDrain
	conflictSays(t, d, s, "4 replicas of t-0 cannot be spread over racks as they are now: rack \"b\" has to hold 2 and can hold 1")
	conflictSays(t, d, s, "4 replicas cannot be had with 1 draining broker, 1 dead broker and the present spread over racks together; without any one of these they could.")
}

// An error is at the line of what has to change.
func TestAConflictIsToldAtItsLine(t *testing.T) {
	line := func(n int) config.Source { return config.Source{File: "main.hcl", Line: n} }
	w := want("t", 1, 3)
	w.Lines["replicas.class"], w.Lines["replicas.racks"], w.Lines["replicas.rack_spread"] = line(8), line(9), line(10)
	for _, c := range []struct {
		replicas config.Replicas
		line     int
	}{
		{config.Replicas{RackSpread: config.SpreadNone, Class: "ssd"}, 8},
		{config.Replicas{RackSpread: config.SpreadNone, Racks: []string{"a"}}, 9},
		{config.Replicas{RackSpread: config.SpreadDistinct, Racks: []string{"a", "b"}}, 10},
		{config.Replicas{RackSpread: config.SpreadDistinct, Class: "ssd"}, 8},
	} {
		w.Replicas = c.replicas
		p := conflictSays(t, desired(w), cluster(6, 3), "cannot be had")
		if d := p.Diagnostics[0]; d.Line != c.line {
			t.Errorf("%+v: line %d, want %d: %s", c.replicas, d.Line, c.line, d.Detail)
		}
	}
	p := conflictSays(t, desired(want("t", 1, 9)), cluster(6, 3), "at all")
	if d := p.Diagnostics[0]; d.Line != 7 {
		t.Errorf("line %d: %+v", d.Line, d)
	}
}
