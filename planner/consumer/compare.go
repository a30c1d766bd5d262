package consumer

import (
	"maps"
	"slices"

	"ballast/state"
)

// Change is what becomes of one member's partitions.
type Change struct {
	Member string
	Before []state.TopicPartition
	After  []state.TopicPartition
	Gained []state.TopicPartition // After without Before
	Lost   []state.TopicPartition // Before without After
}

// Compare has every member of either assignment, by id, with what it gains and
// loses.
func Compare(before, after Assignment) []Change {
	ids := maps.Clone(before)
	if ids == nil {
		ids = Assignment{}
	}
	maps.Copy(ids, after)
	out := make([]Change, 0, len(ids))
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		c := Change{Member: id, Before: sorted(before[id]), After: sorted(after[id])}
		c.Gained, c.Lost = without(c.After, c.Before), without(c.Before, c.After)
		out = append(out, c)
	}
	return out
}

// Owned is what the members report to own, as an assignment.
func Owned(members []Member) Assignment {
	out := Assignment{}
	for _, m := range members {
		out[m.ID] = sorted(m.Owned)
	}
	return out
}

// Grown is the number of partitions of each topic of a snapshot, with those of
// some changed, as a plan changes them.
func Grown(s *state.Snapshot, changed map[string]int32) map[string]int32 {
	out := map[string]int32{}
	for i := range s.Topics {
		out[s.Topics[i].Name] = int32(len(s.Topics[i].Partitions))
	}
	maps.Copy(out, changed)
	return out
}

func sorted(list []state.TopicPartition) []state.TopicPartition {
	return slices.SortedFunc(slices.Values(list), state.TopicPartition.Compare)
}

// without is the sorted list a without what is in the sorted list b.
func without(a, b []state.TopicPartition) (out []state.TopicPartition) {
	for _, tp := range a {
		if _, in := slices.BinarySearchFunc(b, tp, state.TopicPartition.Compare); !in {
			out = append(out, tp)
		}
	}
	return out
}
