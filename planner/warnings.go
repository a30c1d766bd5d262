package planner

import (
	"fmt"
	"sort"
	"strings"

	"ballast/config"
	"ballast/state"
)

// warningRules is the list of what is told about the plan as a whole and about
// what it leaves as it is.
var warningRules = []func(m *maker){
	warnNames,
	warnUnmanagedDrain,
	warnDeadReplicas,
	warnLeaders,
	warnLeaderPlaces,
	warnUnknownRacks,
	warnRacksDiffer,
	warnUnread,
	warnSizes,
	warnSearch,
}

func (m *maker) warnings() {
	for _, rule := range warningRules {
		rule(m)
	}
}

// partitionsOf lists a few of many partitions: orders-0, orders-3 and 5 more.
func partitionsOf(names []string) string {
	const most = 10
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

func partitionName(topic string, p int32) string { return fmt.Sprintf("%s-%d", topic, p) }

// after is the list that a partition of a topic has once the plan is carried out.
func (m *maker) after(t *subject, p int) []state.BrokerID {
	if t.sol != nil && t.planned() {
		return m.net.toIDs(t.sol.Replicas[p])
	}
	return t.live.Partitions[p].Target()
}

// warnUnmanagedDrain: a draining broker that is not empty in the end.
func warnUnmanagedDrain(m *maker) {
	held := map[state.BrokerID][]string{}
	for _, t := range m.subjects {
		if t.live == nil || t.planned() || t.role == absent && !t.failed {
			continue
		}
		for i := range t.live.Partitions {
			for _, b := range t.live.Partitions[i].Target() {
				if names := held[b]; m.net.drains(b) && (len(names) == 0 || names[len(names)-1] != t.name) {
					held[b] = append(names, t.name)
				}
			}
		}
	}
	for _, b := range m.d.Brokers {
		if names := held[b.ID]; len(names) > 0 {
			m.warn("drain_incomplete", "", b.Source, fmt.Sprintf("Broker %d drains and will not be empty", b.ID),
				fmt.Sprintf("Topics that this plan does not move have replicas on it: %s. Declare them, or say unmanaged { replicas = \"drain\" } for topics that nobody declares.", some(names)))
		}
	}
}

// warnDeadReplicas: a replica on a dead broker stays, since it may come back.
func warnDeadReplicas(m *maker) {
	for _, t := range m.subjects {
		if !t.planned() || t.live == nil {
			continue
		}
		var names []string
		brokers := map[state.BrokerID]bool{}
		for i := range t.live.Partitions {
			for _, b := range m.after(t, i) {
				if !m.net.alive(b) {
					names = append(names, partitionName(t.name, int32(i)))
					brokers[b] = true
				}
			}
		}
		if len(names) > 0 {
			m.warn("dead_replica_stays", t.name, at(t, ""), fmt.Sprintf("Topic %q keeps replicas on dead %s %s", t.name, brokerWord(len(brokers)), join(sortedIDs(brokers))),
				fmt.Sprintf("The broker may come back with them: %s. If it does not, let it drain (drain = true), and they are made anew elsewhere.", partitionsOf(names)))
		}
	}
}

// at is where an attribute of a topic is declared.
func at(t *subject, attribute string) config.Source {
	if t.want == nil {
		return config.Source{}
	}
	return t.want.At(attribute)
}

func sortedIDs(set map[state.BrokerID]bool) []state.BrokerID {
	out := make([]state.BrokerID, 0, len(set))
	for b := range set {
		out = append(out, b)
	}
	sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })
	return out
}

// warnLeaders: under keep nobody asked for leaders to be home, and a leader
// that is not is only told.
func warnLeaders(m *maker) {
	for _, t := range m.subjects {
		if !t.planned() || t.live == nil || t.role != declared || asksLeaders(t) {
			continue
		}
		changes := changedPartitions(t)
		var names []string
		for i := range t.live.Partitions {
			p := &t.live.Partitions[i]
			first := p.Target()[0]
			if !changes[p.ID] && !p.InFlight() && p.Leader != first && m.net.alive(first) && m.net.alive(p.Leader) {
				names = append(names, partitionName(t.name, p.ID))
			}
		}
		if len(names) > 0 {
			m.warn("leader_not_preferred", t.name, at(t, ""), fmt.Sprintf("%s of topic %q not led by the preferred leader", isAre(len(names)), t.name),
				fmt.Sprintf("%s. The plan leaves them; declare leaders { balance = \"topic\" } to have them elected, or run ballast elect.", partitionsOf(names)))
		}
	}
}

func isAre(n int) string {
	if n == 1 {
		return "1 partition is"
	}
	return fmt.Sprintf("%d partitions are", n)
}

func changedPartitions(t *subject) map[int32]bool {
	out := map[int32]bool{}
	if t.change != nil {
		for i := range t.change.Assignments {
			out[t.change.Assignments[i].Partition] = true
		}
	}
	return out
}

// warnLeaderPlaces: a preference copies nothing, so a partition without a
// replica in a preferred place is led from elsewhere.
func warnLeaderPlaces(m *maker) {
	for _, t := range m.subjects {
		if !t.planned() || t.want == nil || t.problem == nil || t.problem.LeaderRank == nil {
			continue
		}
		var names []string
		for i := range t.problem.Partitions {
			if !m.hasPreferred(t, i) {
				names = append(names, partitionName(t.name, int32(i)))
			}
		}
		if len(names) > 0 {
			attribute := "leaders.racks"
			if len(t.want.Leaders.Brokers) > 0 {
				attribute = "leaders.brokers"
			}
			m.warn("leaders_no_replica", t.name, t.want.At(attribute), fmt.Sprintf("%d of the partitions of topic %q have no replica where their leader is preferred", len(names), t.name),
				fmt.Sprintf("%s. The preference alone copies nothing; declare required = true to have replicas copied for it.", partitionsOf(names)))
		}
	}
}

func (m *maker) hasPreferred(t *subject, p int) bool {
	for _, b := range m.after(t, p) {
		i := m.net.index[b]
		if m.net.broker[i].Alive && t.problem.LeaderRank[i] < t.problem.NumLeaderRanks {
			return true
		}
	}
	return false
}

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

// warnUnread: what could not be read, topics' configs aside, which are told
// with their topic.
func warnUnread(m *maker) {
	by := map[string][]string{}
	why := map[string]string{}
	for _, u := range m.s.Unread {
		if u.What != "topic_config" {
			by[u.What] = append(by[u.What], u.Name)
			why[u.What] = max(why[u.What], u.Reason)
		}
	}
	kinds := make([]string, 0, len(by))
	for k := range by {
		kinds = append(kinds, k)
	}
	sort.Strings(kinds)
	for _, k := range kinds {
		sort.Strings(by[k])
		m.warn("unread", "", config.Source{}, fmt.Sprintf("Could not be read: %s of %s", strings.ReplaceAll(k, "_", " "), some(by[k])), why[k]+".")
	}
}

// warnSizes: bytes, time and disk are known only where sizes are.
func warnSizes(m *maker) {
	copied := 0
	for i := range m.plan.Changes {
		for _, a := range m.plan.Changes[i].Assignments {
			if len(a.Before) > 0 && a.Bytes == nil && len(without(a.After, a.Before)) > 0 {
				copied++
			}
		}
	}
	if copied > 0 {
		m.warn("sizes_unknown", "", config.Source{}, fmt.Sprintf("The sizes of %s that are copied are not known", partitions(copied)),
			"Bytes and times leave them out, and disk space was not checked for them.")
	}
}

// warnSearch: the optimiser stopped at its bound.
func warnSearch(m *maker) {
	if m.solution != nil && m.solution.Exhausted != "" {
		m.warn("search_bounded", "", config.Source{}, "The plan is valid and may not be the shortest",
			fmt.Sprintf("The search stopped at its work bound in level %q; optimality shows what is planned beside what any plan needs.", m.solution.Exhausted))
	}
}
