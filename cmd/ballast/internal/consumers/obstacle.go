package consumers

import (
	"fmt"
	"slices"
	"strconv"

	"ballast/planner/consumer"
	"ballast/state"
)

// obstacle says why nothing can be foreseen for a group whatever the assignor,
// or "".
func obstacle(g *state.Group) string {
	switch {
	case g.Type == state.ShareGroup:
		return "This is a share group: its members share every partition, there is no assignment to foresee."
	case g.Type == state.StreamsGroup:
		return "This is a group of Kafka Streams whose coordinator assigns tasks: ballast does not foresee them."
	case g.ProtocolType != "" && g.ProtocolType != state.ConsumerProtocol:
		return fmt.Sprintf("Its members are not consumers: they speak the protocol %s, which is theirs to read%s.", strconv.Quote(g.ProtocolType), connects(g.ProtocolType))
	case len(g.Members) == 0:
		return "It has no members now: who will read what depends on how many join."
	case g.Type != state.ConsumerGroup && g.State != state.GroupStable:
		return fmt.Sprintf("It is rebalancing now (%s), and until it is Stable Kafka does not tell who subscribes to what. Run this again.", g.State)
	}
	for i := range g.Members {
		if m := &g.Members[i]; m.Malformed != "" {
			return fmt.Sprintf("Of the member %s %s: nothing is foreseen.", strconv.Quote(m.ID), m.Malformed)
		}
	}
	return ""
}

func connects(protocol string) string {
	if protocol == "connect" {
		return " (Kafka Connect's workers, whose tasks do not depend on these partitions; a sink connector has a group of its own, connect-NAME)"
	}
	return ""
}

// unforeseen says why an assignor's answer cannot be foreseen for a group, or "".
func unforeseen(a consumer.Assignor, g *state.Group, after *state.Snapshot) string {
	if slices.ContainsFunc(g.Members, func(m state.GroupMember) bool { return m.Pattern != "" }) {
		return "Members subscribe by a pattern that the coordinator resolves, so it is not known to which topics: nothing is foreseen."
	}
	if !consumer.LooksAtRacks(a, g, after) {
		return ""
	}
	return fmt.Sprintf("Members tell their racks, and replicas are not in all racks alike: %s then looks at racks (KIP-881), which ballast does not foresee.", a)
}

// ownAssignor is the assignor that a group has by itself, or why it is none that
// can be foreseen.
func ownAssignor(g *state.Group) (consumer.Assignor, string) {
	if g.Type == state.ConsumerGroup {
		return "", fmt.Sprintf("The coordinator assigns (KIP-848, assignor %s), and ballast does not foresee what. -assignor NAME shows what one of the clients' assignors would do.", strconv.Quote(g.Assignor))
	}
	a := consumer.Assignor(g.Assignor)
	if slices.Contains(consumer.Assignors, a) {
		return a, ""
	}
	return "", fmt.Sprintf("Its assignor %s is none of Kafka's four, so nothing is foreseen. -assignor NAME shows what one of these would do.", strconv.Quote(g.Assignor))
}
