package planner_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/config"
	"ballast/planner"
)

func TestEligibleBrokersAreAliveStayAndAreAllowed(t *testing.T) {
	s := cluster(6, 2) // racks a, b in turn
	s.Brokers[0].Alive = false
	d := drain(desired(), 2)
	d.Brokers = append(d.Brokers, config.Broker{ID: 3, Weight: 2})
	all := []planner.EligibleBroker{{ID: 3, Rack: "a", Weight: 2}, {ID: 4, Rack: "b", Weight: 1}, {ID: 5, Rack: "a", Weight: 1}, {ID: 6, Rack: "b", Weight: 1}}
	if diff := cmp.Diff(all, planner.Eligible(d, s, &config.Topic{Name: "t"})); diff != "" {
		t.Error(diff)
	}
	only := &config.Topic{Name: "t", Replicas: config.Replicas{Racks: []string{"b"}}}
	if diff := cmp.Diff([]planner.EligibleBroker{all[1], all[3]}, planner.Eligible(d, s, only)); diff != "" {
		t.Error(diff)
	}
}
