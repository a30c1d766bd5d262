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
