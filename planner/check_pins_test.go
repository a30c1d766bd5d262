package planner_test

import (
	"testing"

	"ballast/config"
	"ballast/state"
)

func TestNoRackIsMissedWhereEveryPartitionIsPinned(t *testing.T) {
	w := want("t", 2, 2)
	w.Replicas.RackSpread = config.SpreadEven
	w.Replicas.Pin = map[int32][]state.BrokerID{0: on(1, 2), 1: on(2, 3)}
	p := planOf(desired(w), cluster(3, 0, topic("t", on(1, 3))))
	noErrors(t, p)
	if c := change(t, p, "t"); len(c.Assignments) != 2 {
		t.Errorf("%+v", c)
	}
	delete(w.Replicas.Pin, 1)
	diagnostic(t, planOf(desired(w), cluster(3, 0, topic("t", on(1, 3)))), "rack_missing")
}

// However many pins name a broker that is dead, that is one error.
func TestABrokerThatManyPinsMayNotNameIsToldOnce(t *testing.T) {
	w := want("t", 3, 2)
	w.Replicas.Pin = map[int32][]state.BrokerID{0: on(1, 2), 1: on(3, 2), 2: on(1, 3)}
	s := cluster(3, 0, topic("t", on(1, 3), on(1, 3), on(1, 3)))
	s.Brokers[1].Alive = false
	var got []string
	for _, d := range planOf(desired(w), s).Diagnostics {
		if d.Code == "pin_not_eligible" {
			got = append(got, d.Summary)
		}
	}
	if len(got) != 1 || got[0] != "The pins of t-0, t-1 name broker 2, which is dead" {
		t.Errorf("%q", got)
	}
}
