package planner_test

import (
	"strings"
	"testing"

	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

// halfDead has orders to be raised from one replica to two, and another topic
// with a replica on broker 3, which is down.
func halfDead(other ...state.BrokerID) *state.Snapshot {
	s := cluster(4, 0, topic("orders", on(1)), topic("other", other))
	s.Brokers[2].Alive = false
	p := &s.Topics[1].Partitions[0]
	p.ISR = []state.BrokerID{other[0]}
	return s
}

func TestAPlanTellsThatApplyWillWaitForADeadBroker(t *testing.T) {
	d := desired(want("orders", 1, 2))
	d.Topics[0].Replicas.Pin = map[int32][]state.BrokerID{0: on(1, 2)}
	got := diagnostic(t, planOf(d, halfDead(1, 3)), "apply_waits")
	if got.Severity != config.SeverityWarning || got.Summary != "Apply will wait at step 1, as 1 partition is not in sync" ||
		!strings.Contains(got.Detail, "other-0: replicas on broker 3 are out of sync") || !strings.Contains(got.Detail, "Start broker 3 first") {
		t.Errorf("%+v", got)
	}
}

func TestAPlanForetellsNoWaitWhereNoneComes(t *testing.T) {
	d := desired(want("orders", 1, 2))
	d.Topics[0].Replicas.Pin = map[int32][]state.BrokerID{0: on(1, 2)}
	for name, p := range map[string]*planner.Plan{
		"other brokers":     planOf(d, halfDead(4, 3)),
		"the plan mends it": planOf(with2(d, "other"), halfDead(1, 3)),
		"nothing moves":     planOf(desired(want("orders", 1, 1)), halfDead(1, 3)),
	} {
		for _, w := range p.Diagnostics {
			if w.Code == "apply_waits" {
				t.Errorf("%s: %+v", name, w)
			}
		}
	}
}

// with2 declares another topic, of two replicas, and lets broker 3 drain.
func with2(d *config.Desired, name string) *config.Desired {
	out := *d
	out.Topics = append([]config.Topic{want(name, 1, 2)}, d.Topics...)
	out.Brokers = []config.Broker{{ID: 3, Drain: true}}
	return &out
}
