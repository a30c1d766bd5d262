package planner

import (
	"sort"

	"ballast/config"
	"ballast/planner/placement"
	"ballast/state"
)

// network has the brokers and racks on the indices that placement counts in:
// brokers by id, registered or only named by a replica list; racks by name.
type network struct {
	ids    []state.BrokerID
	index  map[state.BrokerID]int16
	racks  []string // by rack index
	rackAt map[string]int16
	broker []placement.Broker // by broker index
	live   []*state.Broker    // by broker index; nil for one that is only named
}

func newNetwork(d *config.Desired, s *state.Snapshot) *network {
	n := &network{index: map[state.BrokerID]int16{}, rackAt: map[string]int16{}}
	declared := map[state.BrokerID]*config.Broker{}
	for i := range d.Brokers {
		declared[d.Brokers[i].ID] = &d.Brokers[i]
	}
	n.ids = brokerIDs(s)
	registered := map[state.BrokerID]*state.Broker{}
	for i := range s.Brokers {
		registered[s.Brokers[i].ID] = &s.Brokers[i]
	}
	racks := make([]string, len(n.ids))
	for i, id := range n.ids {
		n.index[id] = int16(i)
		n.live = append(n.live, registered[id])
		racks[i] = rackOf(registered[id], declared[id])
	}
	n.nameRacks(racks, d)
	for i, id := range n.ids {
		n.broker = append(n.broker, n.placed(n.live[i], declared[id], racks[i]))
	}
	return n
}

// brokerIDs are all ids that the snapshot knows, sorted.
func brokerIDs(s *state.Snapshot) []state.BrokerID {
	seen := map[state.BrokerID]bool{}
	for i := range s.Brokers {
		seen[s.Brokers[i].ID] = true
	}
	for i := range s.Topics {
		for j := range s.Topics[i].Partitions {
			for _, b := range s.Topics[i].Partitions[j].Replicas {
				seen[b] = true
			}
		}
	}
	out := make([]state.BrokerID, 0, len(seen))
	for id := range seen {
		out = append(out, id)
	}
	sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })
	return out
}

// rackOf is the rack that the cluster shows, or else the declared one: metadata
// forgets the rack of a broker that is down.
func rackOf(b *state.Broker, d *config.Broker) string {
	if b != nil && b.Rack != "" {
		return b.Rack
	}
	if d != nil {
		return d.Rack
	}
	return ""
}

// nameRacks gives every rack an index: the brokers' and those that rules count in.
func (n *network) nameRacks(racks []string, d *config.Desired) {
	seen := map[string]bool{}
	for _, r := range racks {
		seen[r] = true
	}
	for i := range d.Topics {
		for r := range d.Topics[i].Replicas.PerRack {
			seen[r] = true
		}
	}
	for r := range d.Defaults.Replicas.PerRack {
		seen[r] = true
	}
	delete(seen, "")
	for r := range seen {
		n.racks = append(n.racks, r)
	}
	sort.Strings(n.racks)
	for i, r := range n.racks {
		n.rackAt[r] = int16(i)
	}
}

func (n *network) placed(b *state.Broker, d *config.Broker, rack string) placement.Broker {
	out := placement.Broker{Rack: -1, Alive: b != nil && b.Alive, Weight: 1}
	if rack != "" {
		out.Rack = n.rackAt[rack]
	}
	if d != nil {
		out.Drains = d.Drain
		out.Weight = int64(max(1, d.Weight))
	}
	return out
}

// alive says whether the broker with this id is alive.
func (n *network) alive(id state.BrokerID) bool {
	i, ok := n.index[id]
	return ok && n.broker[i].Alive
}

// drains says whether nothing may stay on the broker.
func (n *network) drains(id state.BrokerID) bool {
	i, ok := n.index[id]
	return ok && n.broker[i].Drains
}

// rack is the broker's rack, "" where it has none or it is unknown.
func (n *network) rack(id state.BrokerID) string {
	if i, ok := n.index[id]; ok && n.broker[i].Rack >= 0 {
		return n.racks[n.broker[i].Rack]
	}
	return ""
}

// rackless are the live brokers without a rack; all says whether no live one has any.
func (n *network) rackless() (ids []state.BrokerID, all bool) {
	alive := 0
	for i, b := range n.broker {
		if b.Alive {
			alive++
			if b.Rack < 0 {
				ids = append(ids, n.ids[i])
			}
		}
	}
	return ids, len(ids) == alive
}

// inhabited says whether any broker is in the rack with this index.
func (n *network) inhabited(rack int16) bool {
	for _, b := range n.broker {
		if b.Rack == rack {
			return true
		}
	}
	return false
}

// racksWithBrokers are the names of the racks that any broker is in.
func (n *network) racksWithBrokers() []string {
	var names []string
	for i, rack := range n.racks {
		if n.inhabited(int16(i)) {
			names = append(names, rack)
		}
	}
	return names
}

// toIndex maps broker ids to indices, and toIDs back.
func (n *network) toIndex(list []state.BrokerID) []int16 {
	out := make([]int16, len(list))
	for i, b := range list {
		out[i] = n.index[b]
	}
	return out
}

func (n *network) toIDs(list []int16) []state.BrokerID {
	out := make([]state.BrokerID, len(list))
	for i, b := range list {
		out[i] = n.ids[b]
	}
	return out
}

// firstAlive is the first of the list that is alive, or its first.
func (n *network) firstAlive(list []state.BrokerID) state.BrokerID {
	for _, b := range list {
		if n.alive(b) {
			return b
		}
	}
	if len(list) == 0 {
		return state.NoLeader
	}
	return list[0]
}
