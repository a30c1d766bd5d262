package apply

import (
	"context"
	"fmt"
	"slices"
	"time"

	"ballast/planner"
	"ballast/state"
)

// electLeaders elects preferred leaders, a few at a time so that clients are
// not all disturbed at once, and verifies by metadata.
func (r *run) electLeaders(step planner.Step) error {
	l, err := r.look(nil)
	if err != nil {
		return err
	}
	todo := r.electable(r.openMoves(step), l)
	for len(todo) > 0 {
		n := min(r.set.electCount, len(todo))
		if err := r.spaceElections(); err != nil {
			return err
		}
		if err := r.elect(todo[:n]); err != nil {
			return err
		}
		todo = todo[n:]
	}
	return nil
}

// electable are the partitions whose preferred leader can lead and does not.
func (r *run) electable(moves []Moving, l *look) []Moving {
	var todo, already []Moving
	for _, m := range moves {
		p := l.partition(m.Key())
		switch {
		case p == nil:
			r.fail(m.Topic, fmt.Sprintf("partition %d: it does not exist any more", m.Partition), m.Partition)
		case l.target(m.Key()) != nil || !slices.Equal(p.Replicas, m.After):
			r.putOff(m, fmt.Sprintf("its replicas are %s, not yet %s", listIDs(p.Replicas), listIDs(m.After)))
		case p.Leader == m.After[0]:
			already = append(already, m)
		case !state.Contains(p.ISR, m.After[0]) || !l.alive[m.After[0]]:
			r.putOff(m, fmt.Sprintf("broker %d, its preferred leader, is not in sync", m.After[0]))
		default:
			todo = append(todo, m)
		}
	}
	r.markLed(already)
	if len(already) > 0 {
		r.emit(Event{Kind: EventAlready, Partitions: keysOf(already), Message: fmt.Sprintf("%s led by the preferred leader already: %s", plural(len(already), "partition is", "partitions are"), namePartitions(already))})
	}
	return todo
}

// spaceElections waits until the last elections are long enough ago.
func (r *run) spaceElections() error {
	if !r.elected.IsZero() {
		if d := r.set.electEvery - r.clock.Now().Sub(r.elected); d > 0 {
			if err := r.sleep(d); err != nil {
				return err
			}
		}
	}
	r.elected = r.clock.Now()
	return nil
}

// elect asks until each partition is led as wanted, or cannot be.
func (r *run) elect(todo []Moving) error {
	began := r.clock.Now()
	for wait := newBackoff(pollMaxWait); len(todo) > 0; {
		errs, err := r.write(Write{Op: OpElect, Partitions: keysOf(todo)}, func(ctx context.Context) ([]error, error) {
			return r.cluster.ElectPreferred(ctx, keysOf(todo))
		})
		if err != nil {
			if fatal := r.fatal(err); fatal != nil {
				return fatal
			}
			r.emit(Event{Kind: EventRetry, Message: fmt.Sprintf("no answer to the election, reading before trying again: %v", err)})
		}
		todo = r.refusedElections(todo, errs)
		if todo, err = r.awaitLeaders(todo); err != nil || len(todo) == 0 {
			return err
		}
		if r.clock.Now().Sub(began) > r.set.gateTimeout {
			for _, m := range todo {
				r.putOff(m, "its preferred leader was elected and does not lead")
			}
			return nil
		}
		if err := r.sleep(wait.NextBackOff()); err != nil {
			return err
		}
	}
	return nil
}

// refusedElections puts those off that Kafka will not have.
func (r *run) refusedElections(todo []Moving, errs []error) []Moving {
	if errs == nil {
		return todo
	}
	var rest []Moving
	for i, m := range todo {
		switch e := errs[i]; {
		case e == nil, hasCode(e, state.CodeElectionNotNeeded), isTransient(e):
			rest = append(rest, m)
		case isUnknownTopic(e):
			r.fail(m.Topic, fmt.Sprintf("partition %d: it does not exist any more", m.Partition), m.Partition)
		default:
			r.putOff(m, e.Error())
		}
	}
	return rest
}

// electionShows is how long an election may take to show in metadata before
// it is asked for again.
const electionShows = 5 * time.Second

// awaitLeaders waits a little for metadata to agree; it gives those that are
// led by another still.
func (r *run) awaitLeaders(todo []Moving) ([]Moving, error) {
	began := r.clock.Now()
	for wait := newBackoff(pollMaxWait); len(todo) > 0; {
		l, err := r.look(topicsOf(todo))
		if err != nil {
			return nil, err
		}
		var led, open []Moving
		for _, m := range todo {
			if p := l.partition(m.Key()); p != nil && p.Leader == m.After[0] {
				led = append(led, m)
			} else {
				open = append(open, m)
			}
		}
		r.markLed(led)
		if len(led) > 0 {
			r.emit(Event{Kind: EventElected, Partitions: keysOf(led), Message: fmt.Sprintf("%s led by the preferred leader: %s", plural(len(led), "partition is", "partitions are"), namePartitions(led))})
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
