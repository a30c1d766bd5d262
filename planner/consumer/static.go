package consumer

import (
	"cmp"
	"slices"
)

// turns is the order in which range and roundrobin take members: static ones
// (KIP-345) by instance id, then all others by id, as Kafka's class
// AbstractPartitionAssignor.MemberInfo compares them. The sticky assignors do not
// look at instance ids.
func (g *group) turns() []int {
	order := make([]int, len(g.members))
	for m := range order {
		order[m] = m
	}
	slices.SortStableFunc(order, func(a, b int) int { return compareTurns(&g.members[a], &g.members[b]) })
	return order
}

func compareTurns(a, b *Member) int {
	switch {
	case a.InstanceID != "" && b.InstanceID != "":
		return cmp.Compare(a.InstanceID, b.InstanceID)
	case a.InstanceID != "":
		return -1
	case b.InstanceID != "":
		return 1
	}
	return cmp.Compare(a.ID, b.ID)
}

// places is where each member stands in an order.
func places(order []int) []int {
	place := make([]int, len(order))
	for at, m := range order {
		place[m] = at
	}
	return place
}
