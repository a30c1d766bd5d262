package main

import (
	"context"

	"ballast/apply"
	"ballast/state"
)

// ours tells which moves in flight a journal says that ballast began. Without
// a journal that can be read it knows of none.
func ours(ctx context.Context, j apply.Journal) func(topic string, partition int32) bool {
	if j == nil {
		return nil
	}
	records, err := j.Records(ctx)
	if err != nil {
		return nil
	}
	begun := map[state.TopicPartition]bool{}
	for _, r := range records {
		if r.Begin != nil {
			mark(begun, r.Begin.Moves, true)
		}
		if r.Write != nil && r.Write.Op == apply.OpReassign {
			mark(begun, r.Write.Moves, true)
		}
		if r.Kind == apply.RecordMoved {
			mark(begun, r.Moves, false)
		}
	}
	return func(topic string, partition int32) bool {
		return begun[state.TopicPartition{Topic: topic, Partition: partition}]
	}
}

func mark(set map[state.TopicPartition]bool, moves []apply.Moving, is bool) {
	for _, m := range moves {
		set[m.Key()] = is
	}
}
