package benchmarks

import "ballast/state"

// Greedy is a sketch of tools that go topic by topic, topicctl among them: a
// replica that has to go, from a broker that is emptied or a rack that has another
// one already, goes to the broker with fewest replicas of the topic, and so does
// one that another broker of the rack would have two fewer of. They do not change
// a replication factor.
func (s Scenario) Greedy() Lists {
	snapshot := s.Snapshot()
	g := greedy{usable: s.Usable(snapshot), rack: map[state.BrokerID]string{}, balance: s.Balance != ""}
	for _, b := range snapshot.Brokers {
		g.rack[b.ID] = b.Rack
	}
	lists := now(snapshot)
	for i := range snapshot.Topics {
		g.topic(lists[snapshot.Topics[i].Name])
	}
	return lists
}

type greedy struct {
	usable  []state.Broker
	rack    map[state.BrokerID]string
	balance bool
	load    map[state.BrokerID]int // of one topic
}

// topic moves the replicas of a topic.
func (g *greedy) topic(lists [][]state.BrokerID) {
	g.load = map[state.BrokerID]int{}
	for _, list := range lists {
		for _, b := range list {
			g.load[b]++
		}
	}
	for _, list := range lists {
		for k, from := range list {
			again := g.racks(list[:k])[g.rack[from]]
			to, ok := g.thinnest(list, g.rack[from], again)
			if ok && (again || !g.may(from) || g.balance && g.load[to] < g.load[from]-1) {
				g.load[from]--
				g.load[to]++
				list[k] = to
			}
		}
	}
}

func (g *greedy) racks(list []state.BrokerID) map[string]bool {
	out := map[string]bool{}
	for _, b := range list {
		out[g.rack[b]] = true
	}
	return out
}

// may says whether replicas may be on a broker.
func (g *greedy) may(id state.BrokerID) bool {
	for _, b := range g.usable {
		if b.ID == id {
			return true
		}
	}
	return false
}

// thinnest is the broker with fewest replicas of the topic, of the rack or else of
// all racks that the list is not in.
func (g *greedy) thinnest(list []state.BrokerID, rack string, other bool) (best state.BrokerID, ok bool) {
	held := g.racks(list)
	for _, b := range g.usable {
		if (b.Rack == rack) == other || other && held[b.Rack] || state.Contains(list, b.ID) {
			continue
		}
		if !ok || g.load[b.ID] < g.load[best] {
			best, ok = b.ID, true
		}
	}
	return best, ok
}
