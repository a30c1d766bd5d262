package planner

import (
	"ballast/config"
	"ballast/state"
)

// EligibleBroker is a broker that a topic's replicas may be put on.
type EligibleBroker struct {
	ID     state.BrokerID
	Rack   string // "" where it has none
	Weight int    // 1 is an even share
}

// Eligible are the brokers that a topic's replicas may be put on, by id: those
// that are alive, do not drain, and are in its racks, brokers and class.
func Eligible(d *config.Desired, s *state.Snapshot, t *config.Topic) []EligibleBroker {
	m := prepare(d, s, Options{})
	out := []EligibleBroker{}
	for _, b := range m.eligible(t) {
		id := m.net.ids[b]
		out = append(out, EligibleBroker{ID: id, Rack: m.net.rack(id), Weight: int(m.net.broker[b].Weight)})
	}
	return out
}
