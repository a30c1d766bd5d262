package main

import (
	"context"

	"ballast/apply"
	"ballast/config"
	"ballast/state"
)

// ours tells which moves in flight a journal says that ballast began. Without
// a journal it knows of none, and where it cannot be read it says why.
func ours(ctx context.Context, j apply.Journal) (func(topic string, partition int32) bool, error) {
	if j == nil {
		return nil, nil
	}
	records, err := j.Records(ctx)
	if err != nil {
		return nil, err
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
	}, nil
}

// unreadable is the warning that nothing in flight counts as ballast's.
func unreadable(err error) config.Diagnostic {
	return config.Diagnostic{Severity: config.SeverityWarning, Code: "journal_unreadable", Summary: "The journal cannot be read",
		Detail: "No move in flight counts as ballast's, and apply will refuse: " + err.Error()}
}

func mark(set map[state.TopicPartition]bool, moves []apply.Moving, is bool) {
	for _, m := range moves {
		set[m.Key()] = is
	}
}
