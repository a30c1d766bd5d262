package drift

import (
	"fmt"
	"slices"
	"strconv"

	"ballast/planner"
	"ballast/state"
)

// durable is the drift of one topic that a plan would repair.
func durable(c planner.Change) []Item {
	switch c.Action {
	case planner.Create:
		return []Item{{Kind: Missing, Topic: c.Topic, Count: len(c.Assignments), Detail: "the topic is not there"}}
	case planner.Delete:
		return []Item{{Kind: Present, Topic: c.Topic, Detail: "the topic is there"}}
	}
	items := shape(c)
	for _, k := range c.Config {
		items = append(items, Item{Kind: Config, Topic: c.Topic, Name: k.Name,
			Detail: fmt.Sprintf("%s is %s, declared %s", k.Name, value(k.Before), value(k.After))})
	}
	return append(items, assignments(c)...)
}

func value(v *string) string {
	if v == nil {
		return "not set"
	}
	return strconv.Quote(*v)
}

func shape(c planner.Change) (items []Item) {
	if n := c.Partitions; n != nil && n.Before != n.After {
		items = append(items, Item{Kind: Partitions, Topic: c.Topic, Count: n.After - n.Before,
			Detail: fmt.Sprintf("%d partitions, declared %d", n.Before, n.After)})
	}
	if n := c.ReplicationFactor; n != nil && n.Before != n.After {
		items = append(items, Item{Kind: ReplicationFactor, Topic: c.Topic,
			Detail: fmt.Sprintf("replication factor %d, declared %d", n.Before, n.After)})
	}
	return items
}

// assignments are the existing partitions whose list has to change for another
// reason than the replication factor. A leader that is merely away is transient.
func assignments(c planner.Change) (items []Item) {
	var placed, ordered []planner.Assignment
	for _, a := range c.Assignments {
		switch {
		case len(a.Before) == 0 || len(a.Before) != len(a.After) || slices.Equal(a.Before, a.After):
		case state.SameSet(a.Before, a.After):
			ordered = append(ordered, a)
		default:
			placed = append(placed, a)
		}
	}
	if len(placed) > 0 {
		items = append(items, Item{Kind: Placement, Topic: c.Topic, Count: len(placed), Detail: listed(placed), partitions: ids(placed)})
	}
	if len(ordered) > 0 {
		items = append(items, Item{Kind: Order, Topic: c.Topic, Count: len(ordered), Detail: listed(ordered), partitions: ids(ordered)})
	}
	return items
}

func ids(all []planner.Assignment) []int32 {
	out := make([]int32, len(all))
	for i := range all {
		out[i] = all[i].Partition
	}
	return out
}

// listed names the first partitions, and how many more there are.
func listed(all []planner.Assignment) string {
	const most = 3
	s := ""
	for i, a := range all {
		if i == most {
			return s + fmt.Sprintf(" and %d more", len(all)-most)
		}
		if i > 0 {
			s += ", "
		}
		s += fmt.Sprintf("partition %d is on %v, declared %v", a.Partition, a.Before, a.After)
	}
	return s
}
