package apply

import (
	"context"
	"fmt"
	"slices"

	"ballast/planner"
	"ballast/state"
)

// CancelOptions is what Cancel needs.
type CancelOptions struct {
	Cluster Cluster
	Journal Journal // not locked yet
	Clock   Clock   // nil: WallClock
	Stop    <-chan struct{}
	Events  func(Event)
	Holder  Holder
	All     bool // also moves that are not this tool's by its journal
}

// CancelResult is what Cancel did.
type CancelResult struct {
	Exit      Exit                   `json:"exit"` // 0; 3 where something could not be taken back
	Canceled  []state.TopicPartition `json:"canceled,omitempty"`
	Refused   []Left                 `json:"refused,omitempty"`   // would strand the partition, or Kafka refused
	Others    []state.TopicPartition `json:"others,omitempty"`    // in flight, and not ours: left alone
	Unordered []state.TopicPartition `json:"unordered,omitempty"` // taken back, and their order before is not known
	Restored  []ThrottleChange       `json:"restored,omitempty"`  // throttles of ours that were put back
	Throttles []ThrottleChange       `json:"throttles,omitempty"` // ours that stay on, with what was Before
	Reason    string                 `json:"reason,omitempty"`
}

// cancelTimeout bounds how long a cancel waits for metadata, in place of a
// plan's gate timeout.
const cancelTimeout = 120.0

// Cancel takes back moves in flight: a null list (KIP-455), then a look that
// the partition is back, then a reorder that puts the preferred leader first
// again. The old list is never submitted to a partition in flight. At last it
// restores the throttles of ours.
func Cancel(ctx context.Context, o CancelOptions) (CancelResult, error) {
	r := newRun(ctx, Options{Plan: &planner.Plan{}, Cluster: o.Cluster, Journal: o.Journal, Clock: o.Clock, Stop: o.Stop, Events: o.Events, Holder: o.Holder})
	defer r.close()
	if err := r.prepareCancel(); err != nil {
		return CancelResult{Exit: ExitRefused}, err
	}
	return r.cancelAll(o.All), nil
}

func (r *run) prepareCancel() error {
	if err := r.journal.Lock(r.soft, r.o.Holder); err != nil {
		return lockRefusal(err)
	}
	records, err := r.journal.Records(r.soft)
	if err != nil {
		return err
	}
	r.mem = remember(records)
	r.plan.Cluster.ID = r.journal.ClusterID()
	if r.mem.begin != nil {
		if r.plan, err = planOf(r.mem.begin); err != nil {
			return err
		}
	}
	r.set = settingsOf(r.plan.Apply, r.o.Throttle)
	r.set.gateTimeout = seconds(cancelTimeout)
	r.sizes = map[state.TopicPartition]int64{}
	return nil
}

func (r *run) cancelAll(all bool) CancelResult {
	var res CancelResult
	l, err := r.look(nil)
	if err != nil {
		return CancelResult{Exit: ExitStopped, Reason: err.Error()}
	}
	ours, others, unordered := r.flyingMoves(l)
	moves := ours
	if all {
		moves = append(moves, others...)
	} else {
		res.Others = keysOf(others)
	}
	if len(moves) > 0 {
		if err := r.beginCancel(); err != nil {
			return CancelResult{Exit: ExitStopped, Reason: err.Error()}
		}
	}
	back := r.takeBack(moves)
	res.Canceled, res.Refused = keysOf(back.done), back.refused
	res.Unordered = r.tellUnordered(back.done, unordered)
	if back.err == nil {
		back.err = r.endCancel(len(back.refused) == 0)
	}
	res.Restored = r.restored
	for _, t := range r.mem.sortedThrottles() {
		res.Throttles = append(res.Throttles, ThrottleChange{Resource: t.resource(), Name: t.Name, Before: t.Prior, After: t.latest()})
	}
	if back.err != nil || len(res.Refused) > 0 || len(res.Throttles) > 0 {
		res.Exit = ExitStopped
	}
	if back.err != nil {
		res.Reason = back.err.Error()
	}
	return res
}

// flyingMoves are the moves in flight, ours by the journal and others'; of
// these, the ones whose order before is not known.
func (r *run) flyingMoves(l *look) (ours, others []Moving, unordered map[state.TopicPartition]bool) {
	unordered = map[state.TopicPartition]bool{}
	for tp, f := range l.flight {
		m, ok := r.mem.moves[tp]
		if ok && slices.Equal(l.target(tp), m.After) {
			ours = append(ours, m)
			continue
		}
		m, ordered := r.othersMove(f, l.target(tp))
		others = append(others, m)
		unordered[tp] = !ordered
	}
	sortMoves(ours)
	sortMoves(others)
	return ours, others, unordered
}

// beginCancel begins a journal where there is none to write into.
func (r *run) beginCancel() error {
	if r.mem.begin != nil {
		return nil
	}
	rec := Record{Seq: 1, At: r.clock.Now().UTC(), Kind: RecordBegin, Holder: &r.o.Holder,
		Begin: &Begin{Version: RecordVersion, Cluster: r.journal.ClusterID(), Plan: []byte(noPlan)}}
	if err := r.journal.Begin(context.WithoutCancel(r.ctx), rec); err != nil {
		return err
	}
	r.mem = remember([]Record{rec})
	return nil
}

// endCancel restores throttles, and ends the journal where nothing is left.
func (r *run) endCancel(clean bool) error {
	if r.mem.begin == nil {
		return nil
	}
	l, err := r.look(nil)
	if err != nil {
		return err
	}
	var ended []Moving
	for _, m := range r.mem.sortedMoves() {
		if l.target(m.Key()) == nil {
			ended = append(ended, m)
		}
	}
	if err := r.gone(ended); err != nil {
		return err
	}
	if err := r.restoreThrottles(nil, l); err != nil {
		return err
	}
	if !clean || r.mem.outstanding() || r.mem.last == RecordEnd {
		return nil
	}
	_, err = r.append(Record{Kind: RecordEnd, Note: "canceled"})
	return err
}

// takenBack is what became of moves that were to be cancelled.
type takenBack struct {
	done    []Moving
	refused []Left
	err     error
}

// takeBack cancels moves in flight, verifies, and puts their lists back in
// order.
func (r *run) takeBack(moves []Moving) takenBack {
	var out takenBack
	if len(moves) == 0 {
		return out
	}
	l, err := r.look(topicsOf(moves))
	if err != nil {
		return takenBack{err: err}
	}
	var todo []Moving
	for _, m := range moves {
		if l.target(m.Key()) == nil {
			continue // it has ended meanwhile
		}
		if stranded(m, l) {
			out.refuse(m, "none of the brokers that had it is alive, so taking the move back would leave it without a leader; let it end, or bring one of "+listIDs(m.Before)+" back")
			continue
		}
		todo = append(todo, m)
	}
	if out.err = r.cancelMoves(todo, &out); out.err != nil {
		return out
	}
	out.err = r.reorder(out.done)
	if out.err == nil && len(out.done) > 0 {
		out.err = r.gone(out.done)
		r.emit(Event{Kind: EventCanceled, Partitions: keysOf(out.done), Message: fmt.Sprintf("%s taken back: %s", plural(len(out.done), "move was", "moves were"), namePartitions(out.done))})
	}
	return out
}

func (t *takenBack) refuse(m Moving, why string) {
	t.refused = append(t.refused, Left{Topic: m.Topic, Partitions: []int32{m.Partition}, Why: why})
}

// stranded says whether no broker that had the partition before is alive.
func stranded(m Moving, l *look) bool { return countAlive(m.Before, l.alive) == 0 }

// cancelMoves sends null lists until each partition is back, by metadata.
func (r *run) cancelMoves(todo []Moving, out *takenBack) error {
	began := r.clock.Now()
	for wait := newBackoff(pollMaxWait); len(todo) > 0; {
		reqs := make([]state.Reassignment, len(todo))
		for i, m := range todo {
			reqs[i] = state.Reassignment{TopicPartition: m.Key()}
		}
		errs, err := r.write(Write{Op: OpCancel, Moves: todo}, func(ctx context.Context) ([]error, error) {
			return r.cluster.Reassign(ctx, reqs)
		})
		if err != nil {
			if fatal := r.fatal(err); fatal != nil {
				return fatal
			}
			r.emit(Event{Kind: EventRetry, Message: fmt.Sprintf("no answer to the cancel, reading before trying again: %v", err)})
		}
		todo = refusedCancels(todo, errs, out)
		if todo, err = r.awaitBack(todo, out); err != nil || len(todo) == 0 {
			return err
		}
		if r.clock.Now().Sub(began) > r.set.gateTimeout {
			return stopf("%s still in flight after the cancel: %s", plural(len(todo), "move is", "moves are"), namePartitions(todo))
		}
		if err := r.sleep(wait.NextBackOff()); err != nil {
			return err
		}
	}
	return nil
}

func refusedCancels(todo []Moving, errs []error, out *takenBack) []Moving {
	if errs == nil {
		return todo
	}
	var rest []Moving
	for i, m := range todo {
		switch e := errs[i]; {
		case e == nil, hasCode(e, state.CodeNoReassignment), isTransient(e):
			rest = append(rest, m)
		case isUnknownTopic(e): // gone, and its move with it
		default:
			out.refuse(m, e.Error())
		}
	}
	return rest
}

// awaitBack waits a little until partitions are not in flight; it gives those
// that still are.
func (r *run) awaitBack(todo []Moving, out *takenBack) ([]Moving, error) {
	began := r.clock.Now()
	for wait := newBackoff(pollMaxWait); len(todo) > 0; {
		l, err := r.look(topicsOf(todo))
		if err != nil {
			return nil, err
		}
		var open []Moving
		for _, m := range todo {
			p := l.partition(m.Key())
			switch {
			case l.target(m.Key()) != nil:
				open = append(open, m)
			case p != nil && state.SameSet(p.Replicas, m.Before):
				out.done = append(out.done, m)
			case p != nil && slices.Equal(p.Replicas, m.After): // it ended before the cancel came
			case p != nil:
				open = append(open, m)
			}
		}
		todo = open
		if len(todo) == 0 || r.clock.Now().Sub(began) > electionShows {
			return todo, nil
		}
		if err := r.sleep(wait.NextBackOff()); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// reorder puts lists back in their order: a cancel restores the set alone. It
// copies nothing and is complete in the request itself.
func (r *run) reorder(moves []Moving) error {
	began := r.clock.Now()
	for wait := newBackoff(pollMaxWait); len(moves) > 0; {
		l, err := r.look(topicsOf(moves))
		if err != nil {
			return err
		}
		var open []Moving
		for _, m := range moves {
			p := l.partition(m.Key())
			if p != nil && l.target(m.Key()) == nil && state.SameSet(p.Replicas, m.Before) && !slices.Equal(p.Replicas, m.Before) {
				open = append(open, Moving{Topic: m.Topic, Partition: m.Partition, Before: p.Replicas, After: m.Before})
			}
		}
		if moves = open; len(open) == 0 {
			return nil
		}
		if r.clock.Now().Sub(began) > r.set.gateTimeout {
			return stopf("the order of %s could not be put back", namePartitions(open))
		}
		if err := r.sendReorder(open); err != nil {
			return err
		}
		if err := r.sleep(wait.NextBackOff()); err != nil {
			return err
		}
		for i := range moves {
			moves[i].Before = moves[i].After
		}
	}
	return nil
}

func (r *run) sendReorder(open []Moving) error {
	reqs := make([]state.Reassignment, len(open))
	for i, m := range open {
		reqs[i] = state.Reassignment{TopicPartition: m.Key(), Replicas: m.After}
	}
	errs, err := r.write(Write{Op: OpReorder, Moves: open}, func(ctx context.Context) ([]error, error) {
		return r.cluster.Reassign(ctx, reqs)
	})
	_, err = r.retryable(errs, err, func(i int) string { return open[i].Key().String() })
	return err
}
