package planner

import (
	"fmt"

	"ballast/state"
)

// warnNames: a rack or broker that a topic's rules name and the cluster does
// not have, which is a mistake of the pen more often than a plan for later.
func warnNames(m *maker) {
	for _, t := range m.subjects {
		if t.role != declared {
			continue
		}
		r, l := &t.want.Replicas, &t.want.Leaders
		m.warnRacks(t, "replicas.racks", r.Racks)
		m.warnRacks(t, "replicas.per_rack", sortedRacks(r.PerRack))
		m.warnRacks(t, "leaders.racks", l.Racks)
		m.warnBrokers(t, "replicas.brokers", r.Brokers)
		m.warnBrokers(t, "leaders.brokers", l.Brokers)
	}
}

func sortedRacks(perRack map[string]int) []string {
	set := map[string]string{}
	for rack := range perRack {
		set[rack] = ""
	}
	return sortedKeys(set)
}

func (m *maker) warnRacks(t *subject, attribute string, racks []string) {
	for _, rack := range racks {
		if m.hasRack(rack) {
			continue
		}
		m.warn("rack_without_brokers", t.name, t.want.At(attribute), fmt.Sprintf("Topic %q names rack %s, in which there is no broker", t.name, quoted(rack)),
			"The cluster's racks are "+m.rackNames()+".")
	}
}

// hasRack says whether any broker is in the rack.
func (m *maker) hasRack(rack string) bool {
	i, ok := m.net.rackAt[rack]
	if !ok {
		return false
	}
	for _, b := range m.net.broker {
		if b.Rack == i {
			return true
		}
	}
	return false
}

func (m *maker) rackNames() string {
	var names []string
	for _, rack := range m.net.racks {
		if m.hasRack(rack) {
			names = append(names, rack)
		}
	}
	if len(names) == 0 {
		return "none: no broker has one"
	}
	return some(names)
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
