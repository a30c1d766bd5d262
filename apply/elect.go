package apply

import (
	"context"
	"path"
	"time"

	"ballast/planner"
	"ballast/state"
)

// ElectOptions is what Elect needs.
type ElectOptions struct {
	Cluster   Cluster
	Journal   Journal // not locked yet
	Clock     Clock   // nil: WallClock
	Stop      <-chan struct{}
	Events    func(Event)
	Holder    Holder
	Topics    []string  // names, or globs such as "orders-*"; none: all
	Elections Elections // how many at a time, and how far apart; zero: the defaults
}

// Elections spaces leader changes out.
type Elections struct {
	Count int // partitions at a time
	Every time.Duration
}

// defaultElections are those of a configuration without an apply block.
var defaultElections = Elections{Count: 50, Every: 10 * time.Second}

// ElectResult is what Elect did.
type ElectResult struct {
	Exit    Exit                   `json:"exit"` // 0; 3 where some could not be led as preferred
	Elected []state.TopicPartition `json:"elected,omitempty"`
	Left    []Left                 `json:"left,omitempty"` // and why
	Reason  string                 `json:"reason,omitempty"`
}

// Elect elects the preferred leader of each partition that is led by another,
// and verifies it by metadata. It is never an unclean election.
func Elect(ctx context.Context, o ElectOptions) (ElectResult, error) {
	r := newRun(ctx, Options{Plan: &planner.Plan{}, Cluster: o.Cluster, Journal: o.Journal, Clock: o.Clock, Stop: o.Stop, Events: o.Events, Holder: o.Holder})
	defer r.close()
	if err := r.prepareCancel(); err != nil {
		return ElectResult{Exit: ExitRefused}, err
	}
	r.setElections(o.Elections)
	l, err := r.look(nil)
	if err != nil {
		return ElectResult{Exit: ExitRefused}, err
	}
	moves, err := notLedAsPreferred(l, o.Topics)
	if err != nil {
		return ElectResult{Exit: ExitRefused}, err
	}
	return r.electThese(moves), nil
}

func (r *run) setElections(e Elections) {
	if e.Count <= 0 {
		e = defaultElections
	}
	r.set.electCount, r.set.electEvery = e.Count, e.Every
	r.step = 0
}

// notLedAsPreferred are the partitions, of the topics meant, that have another
// leader than the first of their list.
func notLedAsPreferred(l *look, topics []string) ([]Moving, error) {
	for _, glob := range topics {
		if _, err := path.Match(glob, ""); err != nil {
			return nil, &Refusal{Code: "bad_glob", Summary: "not a topic name or glob: " + glob, Next: "Use *, ? and [a-z] as in file names."}
		}
	}
	var out []Moving
	l.each(func(tp state.TopicPartition, p *state.Partition) {
		if l.target(tp) == nil && p.Leader != state.NoLeader && len(p.Replicas) > 0 && p.Leader != p.Replicas[0] && matchesAny(topics, tp.Topic) {
			out = append(out, Moving{Topic: tp.Topic, Partition: tp.Partition, Before: p.Replicas, After: p.Replicas})
		}
	})
	return out, nil
}

func matchesAny(globs []string, name string) bool {
	for _, g := range globs {
		if ok, _ := path.Match(g, name); ok || g == name {
			return true
		}
	}
	return len(globs) == 0
}

func (r *run) electThese(moves []Moving) ElectResult {
	var res ElectResult
	if len(moves) == 0 {
		return res
	}
	step := planner.Step{Kind: planner.ElectLeaders}
	for _, m := range moves {
		step.Moves = append(step.Moves, planner.Move(m))
	}
	err := r.electWithin(step)
	for _, m := range moves {
		if r.achieved[item{opLead, m.Topic, m.Partition}] {
			res.Elected = append(res.Elected, m.Key())
		}
	}
	res.Left = append(r.left, r.failures...)
	if err != nil {
		res.Reason = err.Error()
	}
	if err != nil || len(res.Left) > 0 {
		res.Exit = ExitStopped
	}
	return res
}

// electWithin elects between records of the journal, an unfinished one's or
// one of its own.
func (r *run) electWithin(step planner.Step) error {
	own := r.mem.begin == nil || !r.mem.unfinished()
	if own {
		r.mem = newMemory()
		if err := r.beginCancel(); err != nil {
			return err
		}
	}
	err := r.electLeaders(step)
	if _, broken := err.(*journalError); broken || !own {
		return err
	}
	if _, jerr := r.append(Record{Kind: RecordEnd}); err == nil { // an election leaves nothing behind
		err = jerr
	}
	return err
}
