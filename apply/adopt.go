package apply

import (
	"fmt"
	"slices"

	"ballast/planner"
)

// wantedFlights are the moves that were in flight when the plan was made and
// lead to what it wants, of one topic ("": of all): no step has them. Those that
// were waited for already, and those of topics that cannot go on, are left out.
func (r *run) wantedFlights(topic string) []Moving {
	var out []Moving
	for _, f := range r.plan.InFlight {
		m := Moving{Topic: f.Topic, Partition: f.Partition, After: f.Target}
		if !f.Wanted || topic != "" && topic != f.Topic || r.failed[f.Topic] != "" || r.settled[m.Key()] {
			continue
		}
		out = append(out, m)
	}
	return out
}

// awaitFlights adopts such moves: they are waited for and verified as a batch
// of ours is, and not submitted again.
func (r *run) awaitFlights(topic string) error {
	wanted := r.wantedFlights(topic)
	if len(wanted) == 0 {
		return nil
	}
	l, err := r.look(topicsOf(wanted))
	if err != nil {
		return err
	}
	moves, flying := r.adoptable(wanted, l)
	if len(flying) > 0 {
		r.emit(Event{Kind: EventAdopted, Topic: topic, Partitions: keysOf(flying), Message: fmt.Sprintf("%s in flight to what is planned, waited for: %s",
			plural(len(flying), "move is", "moves are"), namePartitions(flying))})
	}
	b := r.newBatch(moves, l)
	if err := r.follow(b); err != nil {
		return r.failGate(b, err)
	}
	if err := r.passPostGate(b); err != nil {
		return r.failGate(b, err)
	}
	for _, m := range b.moves {
		r.settled[m.Key()] = true
		r.achieved[item{OpReassign, m.Topic, m.Partition}] = true
	}
	return r.gone(b.moves)
}

// adoptable are the moves to verify, and of these the ones still in flight. One
// that was taken back or led elsewhere meanwhile fails its topic: the plan
// counts on it.
func (r *run) adoptable(wanted []Moving, l *look) (moves, flying []Moving) {
	for _, m := range wanted {
		switch l.classOf(m) {
		case classDone:
			m.Before = m.After
		case classAdopt:
			p := l.partition(m.Key())
			m.Before = without(p.Replicas, p.Adding)
			flying = append(flying, m)
		case classGone:
			r.fail(m.Topic, fmt.Sprintf("partition %d: it does not exist any more", m.Partition), m.Partition)
			continue
		default:
			r.fail(m.Topic, fmt.Sprintf("partition %d: a move to %s was in flight when the plan was made; somebody has taken it back or led it elsewhere, so plan again",
				m.Partition, listIDs(m.After)), m.Partition)
			continue
		}
		moves = append(moves, m)
	}
	return moves, flying
}

// adopts says whether a step waits for moves in flight: the lists as they end are
// on both sides.
func adopts(step planner.Step) bool {
	for _, m := range step.Moves {
		if !slices.Equal(m.Before, m.After) {
			return false
		}
	}
	return step.Kind == planner.Reassign
}

// needsFlights says whether a step may only follow the moves of its topics that
// were in flight when the plan was made: one that waits for them, growth, since Kafka reads the new
// partitions' replication factor from the lists; elections; and
// min.insync.replicas raised, which the lists as they end have to bear.
func (r *run) needsFlights(step planner.Step) bool {
	switch step.Kind {
	case planner.AddPartitions, planner.ElectLeaders:
		return true
	case planner.SetConfig:
		return r.raisesMinISR(step)
	}
	return adopts(step)
}

func (r *run) raisesMinISR(step planner.Step) bool {
	after, changes := r.minISRAfter(step)
	before, known := r.minISR[step.Topic]
	return changes && (!known || after > before)
}

// awaitFlightsBefore waits for what a step depends on. What fails the topic is
// told there; the step is then left.
func (r *run) awaitFlightsBefore(step planner.Step) error {
	if !r.needsFlights(step) {
		return nil
	}
	topics := map[string]bool{}
	for _, m := range step.Moves {
		topics[m.Topic] = true
	}
	topics[step.Topic] = true
	for _, f := range r.plan.InFlight {
		if !topics[f.Topic] {
			continue
		}
		if err := r.awaitFlights(f.Topic); err != nil {
			return err
		}
	}
	return nil
}
