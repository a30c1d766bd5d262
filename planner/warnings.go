package planner

import (
	"fmt"
	"strings"

	"ballast/state"
)

// warningRules is the list of what is told about the plan as a whole and about
// what it leaves as it is.
var warningRules = []func(m *maker){
	warnNames,
	warnGrowth,
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
