package apply

import (
	"fmt"

	"ballast/state"
)

// sorting is what a look makes of moves.
type sorting struct {
	todo, done, adopt, foreign []Moving
	deferred                   []Moving // keep a replica that is out of sync
	lost                       []lostMove
}

// lostMove is a move that cannot be made any more.
type lostMove struct {
	Moving
	why string
}

// sortMoves sorts moves by how their partitions stand.
func (r *run) sortMoves(moves []Moving, l *look) sorting {
	var s sorting
	for _, m := range moves {
		switch l.classOf(m) {
		case classDone:
			s.done = append(s.done, m)
		case classAdopt:
			s.adopt = append(s.adopt, m)
		case classForeign:
			s.foreign = append(s.foreign, m)
		case classGone:
			s.lost = append(s.lost, lostMove{m, "it does not exist any more"})
		case classStale:
			s.lost = append(s.lost, lostMove{m, fmt.Sprintf("its replicas are %s now: neither %s, as planned from, nor %s, as planned",
				listIDs(l.partition(m.Key()).Replicas), listIDs(m.Before), listIDs(m.After))})
		case classTodo:
			if len(keptBehind(m, l)) > 0 && !addsRedundancy(m, l.alive) {
				s.deferred = append(s.deferred, m)
			} else {
				s.todo = append(s.todo, m)
			}
		}
	}
	return s
}

// keptBehind are the replicas that a move keeps and that are out of sync.
// Before Kafka 4.3 such a move hangs; from 4.3 it may end with fewer live
// copies than it began with.
func keptBehind(m Moving, l *look) []state.BrokerID {
	p := l.partition(m.Key())
	var out []state.BrokerID
	for _, b := range m.Before {
		if state.Contains(m.After, b) && !state.Contains(p.ISR, b) {
			out = append(out, b)
		}
	}
	return out
}

// tellSorted tells what is not going to be submitted, and keeps it for the end.
func (r *run) tellSorted(s sorting, l *look) {
	if len(s.done) > 0 {
		r.markMoved(s.done, l)
		r.emit(Event{Kind: EventAlready, Partitions: keysOf(s.done), Message: fmt.Sprintf("%s as planned already: %s", plural(len(s.done), "partition is", "partitions are"), namePartitions(s.done))})
	}
	if len(s.adopt) > 0 {
		r.emit(Event{Kind: EventAdopted, Partitions: keysOf(s.adopt), Message: fmt.Sprintf("%s in flight to what is planned, waited for: %s", plural(len(s.adopt), "move is", "moves are"), namePartitions(s.adopt))})
	}
	for _, m := range s.deferred {
		r.putOff(m, fmt.Sprintf("it keeps a replica that is out of sync, on %s", listIDs(keptBehind(m, l))))
	}
	for _, m := range s.lost {
		r.fail(m.Topic, fmt.Sprintf("partition %d: %s", m.Partition, m.why), m.Partition)
	}
}

// putOff keeps a move for the end of the run.
func (r *run) putOff(m Moving, why string) {
	r.left = append(r.left, Left{Step: r.stepID(), Kind: r.stepKind(), Topic: m.Topic, Partitions: []int32{m.Partition}, Why: why})
	r.emit(Event{Kind: EventDeferred, Topic: m.Topic, Partitions: []state.TopicPartition{m.Key()}, Message: fmt.Sprintf("%s is put off: %s", m.Key(), why)})
}

// fail gives a topic up for this run; others go on.
func (r *run) fail(topic, why string, partitions ...int32) {
	if _, known := r.failed[topic]; known {
		return
	}
	r.failed[topic] = why
	r.failures = append(r.failures, Left{Step: r.stepID(), Kind: r.stepKind(), Topic: topic, Partitions: partitions, Why: why})
	r.emit(Event{Kind: EventFailed, Topic: topic, Message: fmt.Sprintf("topic %q cannot go on: %s", topic, why)})
}
