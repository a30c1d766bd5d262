package apply

import (
	"context"
	"fmt"
	"slices"
	"time"

	"ballast/planner"
	"ballast/state"
)

// batch is a set of moves on their way.
type batch struct {
	moves   []Moving                      // that this run waits for
	ours    map[state.TopicPartition]bool // submitted by us, by the journal
	before  map[state.TopicPartition]int
	urp     map[state.TopicPartition]bool
	near    map[state.TopicPartition]bool // at min.insync.replicas, or under it, before the batch
	meter   *meter
	putBack map[throttleKey]bool // throttles that were put back once
	missing map[state.TopicPartition]time.Time
}

// reassign carries out one reassign step: those of its moves that can go, in
// as many requests as the throttled lists allow.
func (r *run) reassign(step planner.Step) error {
	moves := r.openMoves(step)
	for len(moves) > 0 {
		n := r.fitLists(moves)
		if err := r.moveBatch(moves[:n]); err != nil {
			return err
		}
		moves = moves[n:]
	}
	return nil
}

// openMoves are the step's moves of topics that can go on.
func (r *run) openMoves(step planner.Step) []Moving {
	var out []Moving
	for _, m := range step.Moves {
		if _, failed := r.failed[m.Topic]; !failed {
			out = append(out, Moving(m))
		}
	}
	return out
}

// fitLists is how many of the moves keep each topic's throttled list short
// enough for Kafka.
func (r *run) fitLists(moves []Moving) int {
	if r.set.limit <= 0 {
		return len(moves)
	}
	length := map[string]int{}
	for i, m := range moves {
		n := length[m.Topic]
		for _, b := range append(without(m.After, m.Before), m.Before...) {
			n += len(fmt.Sprintf("%d:%d,", m.Partition, b))
		}
		if n > maxConfigBytes && i > 0 {
			return i
		}
		length[m.Topic] = n
	}
	return len(moves)
}

// moveBatch takes moves from pre-gate to post-gate.
func (r *run) moveBatch(moves []Moving) error {
	b, todo, err := r.passPreGate(moves)
	if err != nil || len(b.moves) == 0 {
		return err
	}
	if len(todo) > 0 {
		if err := r.launch(b, todo); err != nil {
			return r.failGate(b, err)
		}
	}
	if err := r.follow(b); err != nil {
		return r.failGate(b, err)
	}
	if err := r.passPostGate(b); err != nil {
		return r.failGate(b, err)
	}
	return r.closeBatch(b)
}

// passPreGate waits until the moves may go. It gives those to wait for, and of
// these the ones to submit.
func (r *run) passPreGate(moves []Moving) (*batch, []Moving, error) {
	var sorted sorting
	var last *scene
	err := r.waitOpen("before the batch", func() ([]Hold, error) {
		l, err := r.look(nil)
		if err != nil {
			return nil, err
		}
		sorted = r.sortMoves(moves, l)
		if len(sorted.todo)+len(sorted.foreign) == 0 {
			last = r.scene(l, sorted.adopt)
			return nil, nil
		}
		last, err = r.sceneWithDisks(l, append(sorted.todo, sorted.foreign...))
		if err != nil {
			return nil, err
		}
		last.putOff = setOf(keysOf(sorted.deferred))
		return last.holds(preGates), nil
	})
	if err != nil {
		return &batch{}, nil, err
	}
	r.tellSorted(sorted, last.look)
	b := r.newBatch(append(append([]Moving(nil), sorted.adopt...), sorted.todo...), last.look)
	return b, sorted.todo, nil
}

func (r *run) newBatch(moves []Moving, l *look) *batch {
	b := &batch{
		moves: moves, ours: map[state.TopicPartition]bool{}, before: map[state.TopicPartition]int{},
		urp: map[state.TopicPartition]bool{}, near: map[state.TopicPartition]bool{}, putBack: map[throttleKey]bool{}, missing: map[state.TopicPartition]time.Time{},
	}
	for _, m := range moves {
		mine, known := r.mem.moves[m.Key()]
		b.ours[m.Key()] = known && slices.Equal(mine.After, m.After)
		if p := l.partition(m.Key()); p != nil {
			b.before[m.Key()] = len(without(p.ISR, p.Adding))
		}
	}
	l.each(func(tp state.TopicPartition, p *state.Partition) {
		if len(outOfSync(p)) > 0 {
			b.urp[tp] = true
		}
		b.near[tp] = r.nearMinISR(tp, p)
	})
	b.meter = r.newMeter(b, l)
	return b
}

// launch sets the throttles, then submits. Between the two the cluster may
// have moved on: what is submitted is looked at again right before.
func (r *run) launch(b *batch, todo []Moving) error {
	l, err := r.look(topicsOf(todo))
	if err != nil {
		return err
	}
	if err := r.setThrottles(r.copiesOf(todo, l), l); err != nil {
		return err
	}
	return r.submit(b, todo)
}

// submit sends moves until each is in flight, done or refused, and reads
// before it repeats.
func (r *run) submit(b *batch, todo []Moving) error {
	began := r.clock.Now()
	for wait := newBackoff(readMaxWait); len(todo) > 0; {
		reqs := make([]state.Reassignment, len(todo))
		for i, m := range todo {
			reqs[i] = state.Reassignment{TopicPartition: m.Key(), Replicas: m.After}
			b.ours[m.Key()] = true
		}
		errs, err := r.write(Write{Op: OpReassign, Moves: todo}, func(ctx context.Context) ([]error, error) {
			return r.cluster.Reassign(ctx, reqs)
		})
		if err != nil {
			if fatal := r.fatal(err); fatal != nil {
				return fatal
			}
			r.emit(Event{Kind: EventRetry, Message: fmt.Sprintf("no answer to the reassignment, reading before trying again: %v", err)})
		} else {
			r.emit(Event{Kind: EventSubmitted, Partitions: keysOf(todo), Message: fmt.Sprintf("%s submitted", plural(len(todo), "move", "moves"))})
		}
		if todo, err = r.notStarted(b, todo, errs, err); err != nil || len(todo) == 0 {
			return err
		}
		if r.clock.Now().Sub(began) > r.set.gateTimeout {
			return stopf("%s could not be submitted for %s", plural(len(todo), "move", "moves"), round(r.clock.Now().Sub(began)))
		}
		if err := r.sleep(wait.NextBackOff()); err != nil {
			return err
		}
	}
	return nil
}

// notStarted are the moves that have to be submitted again. What was refused
// for good fails its topic.
func (r *run) notStarted(b *batch, todo []Moving, errs []error, noAnswer error) ([]Moving, error) {
	var again []Moving
	if noAnswer != nil {
		again, errs = todo, nil
	}
	for i, e := range errs {
		switch {
		case e == nil:
		case isTransient(e):
			again = append(again, todo[i])
		default:
			if err := r.refuse(b, todo[i], e.Error()); err != nil {
				return nil, err
			}
		}
	}
	if len(again) == 0 {
		return nil, nil
	}
	if err := r.sleep(settleRead); err != nil {
		return nil, err
	}
	l, err := r.look(topicsOf(again))
	if err != nil {
		return nil, err
	}
	sorted := r.sortMoves(again, l)
	for _, m := range sorted.foreign {
		if err := r.refuse(b, m, "somebody else reassigns it to "+listIDs(l.target(m.Key()))); err != nil {
			return nil, err
		}
	}
	return sorted.todo, nil
}

// settleRead is how long metadata may lag behind a request whose answer was
// lost.
const settleRead = 2 * time.Second

// refuse takes a move out of the batch and fails its topic.
func (r *run) refuse(b *batch, m Moving, why string) error {
	r.fail(m.Topic, fmt.Sprintf("partition %d: %s", m.Partition, why), m.Partition)
	b.drop(m.Key())
	return r.gone([]Moving{m})
}

func (b *batch) drop(tp state.TopicPartition) {
	var rest []Moving
	for _, m := range b.moves {
		if m.Key() != tp {
			rest = append(rest, m)
		}
	}
	b.moves = rest
}

// gone leaves a record that moves are not in flight, or no longer ours.
func (r *run) gone(moves []Moving) error {
	var mine []Moving
	for _, m := range moves {
		if _, ok := r.mem.moves[m.Key()]; ok {
			mine = append(mine, m)
		}
	}
	if len(mine) == 0 {
		return nil
	}
	_, err := r.append(Record{Kind: RecordMoved, Moves: mine})
	return err
}

// passPostGate waits until the batch is as planned and in sync.
func (r *run) passPostGate(b *batch) error {
	return r.waitOpen("after the batch", func() ([]Hold, error) {
		l, err := r.look(nil)
		if err != nil {
			return nil, err
		}
		if err := r.dropLost(b, l); err != nil {
			return nil, err
		}
		s := r.scene(l, b.moves)
		s.before, s.urp = b.before, b.urp
		return s.holds(postGates), nil
	})
}

// closeBatch records the end of the moves and takes off what throttles no step
// to come uses.
func (r *run) closeBatch(b *batch) error {
	if err := r.gone(b.moves); err != nil {
		return err
	}
	l, err := r.look(topicsOf(b.moves))
	if err != nil {
		return err
	}
	r.markMoved(b.moves, l)
	r.copied += b.meter.total
	return r.restoreThrottles(r.movesToCome(), l)
}

// failGate takes a batch back where on_failed_gate says so.
func (r *run) failGate(b *batch, err error) error {
	stop, ok := err.(*stopError)
	if !ok || !stop.gate || !r.set.cancelOnGate {
		return err
	}
	var mine []Moving
	for _, m := range b.moves {
		if b.ours[m.Key()] {
			mine = append(mine, m)
		}
	}
	r.emit(Event{Kind: EventWarning, Message: "the batch is taken back: " + stop.reason})
	back := r.takeBack(mine)
	why := ""
	for _, l := range back.refused {
		why += fmt.Sprintf("; %s-%d could not be taken back: %s", l.Topic, l.Partitions[0], l.Why)
	}
	if back.err != nil {
		why += "; the batch could not be taken back whole: " + back.err.Error()
	}
	return &stopError{reason: stop.reason + why, holds: stop.holds}
}
