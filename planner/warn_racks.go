package planner

import (
	"fmt"

	"ballast/config"
	"ballast/state"
)

// unknownRack notes a partition that waits for a dead broker's rack.
func (m *maker) unknownRack(t *subject, p int32, b state.BrokerID) {
	if m.waiting == nil {
		m.waiting = map[state.BrokerID][]string{}
	}
	m.waiting[b] = append(m.waiting[b], partitionName(t.name, p))
}

func warnUnknownRacks(m *maker) {
	for _, b := range m.net.ids {
		if names := m.waiting[b]; len(names) > 0 {
			m.warn("rack_unknown", "", config.Source{}, fmt.Sprintf("The rack of dead broker %d is not known", b),
				fmt.Sprintf("These partitions have a replica there and wait, since their rack rule cannot be judged: %s. Declare broker \"%d\" { rack = \"…\" }, or let it drain.", partitionsOf(names), b))
		}
	}
}

// warnRacksDiffer: the cluster's word on a rack goes before the configuration's.
func warnRacksDiffer(m *maker) {
	for _, b := range m.d.Brokers {
		if live := m.s.Broker(b.ID); live != nil && b.Rack != "" && live.Rack != "" && b.Rack != live.Rack {
			m.warn("rack_differs", "", b.Source, fmt.Sprintf("Broker %d is in rack %s, declared is %s", b.ID, quoted(live.Rack), quoted(b.Rack)),
				"The plan goes by the cluster. A rack is declared for a broker that is down and whose rack the cluster has forgotten.")
		}
	}
}
