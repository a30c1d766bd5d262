package planner

import (
	"fmt"

	"ballast/config"
	"ballast/state"
)

// warnNames: a rack or broker that a topic's rules name and that the cluster
// does not have, where that moves nothing: a preference for leaders, and what a
// broker block declares for later. What would move replicas is an error, see
// checkNames. A drain of a broker that there is not moves nothing either.
func warnNames(m *maker) {
	for _, b := range m.d.Brokers {
		if _, ok := m.net.index[b.ID]; b.Drain && !ok {
			m.warn("broker_not_registered", "", b.Source, fmt.Sprintf("Broker %d is to drain and is not registered", b.ID),
				"Brokers of this cluster are "+join(m.registered())+". If it has left, its block can go.")
		}
	}
	for _, t := range m.subjects {
		if t.role != declared || t.failed {
			continue
		}
		r, l := &t.want.Replicas, &t.want.Leaders
		m.warnRacks(t, "replicas.racks", r.Racks)
		m.warnRacks(t, "replicas.per_rack", usedRacks(r.PerRack))
		m.warnRacks(t, "leaders.racks", l.Racks)
		m.warnBrokers(t, "replicas.brokers", r.Brokers)
		m.warnBrokers(t, "leaders.brokers", l.Brokers)
	}
}

func (m *maker) warnRacks(t *subject, attribute string, racks []string) {
	for _, rack := range racks {
		if m.hasRack(rack) {
			continue
		}
		m.warn("rack_without_brokers", t.name, t.want.At(attribute), fmt.Sprintf("Topic %q names rack %s, in which there is no broker", t.name, quoted(rack)),
			m.racksThereAre(rack))
	}
}

// hasRack says whether any broker is in the rack.
func (m *maker) hasRack(rack string) bool {
	i, ok := m.net.rackAt[rack]
	return ok && m.net.inhabited(i)
}

func (m *maker) rackNames() string {
	names := m.net.racksWithBrokers()
	if len(names) == 0 {
		return "none: no broker has one"
	}
	return some(names)
}

// racksThereAre lists the cluster's racks, and the one that was probably meant.
func (m *maker) racksThereAre(given string) string {
	out := "The cluster's racks are " + m.rackNames() + "."
	if near := config.Nearest(given, m.net.racksWithBrokers()); near != "" {
		out += " Did you mean " + quoted(near) + "?"
	}
	return out
}

func (m *maker) warnBrokers(t *subject, attribute string, ids []state.BrokerID) {
	for _, id := range ids {
		if i, ok := m.net.index[id]; !ok || m.net.live[i] == nil {
			m.warn("broker_not_registered", t.name, t.want.At(attribute), fmt.Sprintf("Topic %q names broker %d, which is not registered", t.name, id),
				"Brokers of this cluster are "+join(m.registered())+".")
		}
	}
}

func (m *maker) registered() []state.BrokerID {
	var out []state.BrokerID
	for i, b := range m.net.live {
		if b != nil {
			out = append(out, m.net.ids[i])
		}
	}
	return out
}
