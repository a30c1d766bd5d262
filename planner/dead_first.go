package planner

import "ballast/state"

// deadFirst is a partition's list without the replicas that go before all
// others because the replication factor falls: those on dead brokers, as many as
// there are too many. A rack rule never keeps a dead replica in a live one's
// stead: Kafka would not end such a move before the broker is back.
func (m *maker) deadFirst(p *state.Partition, rf int) []state.BrokerID {
	list := append([]state.BrokerID(nil), p.Target()...)
	for len(list) > rf {
		at := m.firstToGo(list)
		if at < 0 {
			break
		}
		list = append(list[:at], list[at+1:]...)
	}
	return list
}

// firstToGo is the place of the dead replica, on a broker that does not drain,
// whose rack holds most of the list; of several the last. -1 where none is dead.
func (m *maker) firstToGo(list []state.BrokerID) int {
	held := map[string]int{}
	for _, b := range list {
		held[m.net.rack(b)]++
	}
	at := -1
	for i, b := range list {
		if !m.net.alive(b) && !m.net.drains(b) && (at < 0 || held[m.net.rack(b)] >= held[m.net.rack(list[at])]) {
			at = i
		}
	}
	return at
}
