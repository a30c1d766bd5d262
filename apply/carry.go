package apply

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"ballast/planner"
	"ballast/state"
)

// carryOut runs all steps in their order, those put off once more at the end,
// and takes the last throttles off.
func (r *run) carryOut() error {
	r.emit(Event{Kind: EventStarted, Message: fmt.Sprintf("applying %s to cluster %s", plural(len(r.plan.Steps), "step", "steps"), r.plan.Cluster.ID)})
	r.tellBaseline()
	if err := r.adoptOwn(); err != nil {
		return err
	}
	for i := range r.plan.Steps {
		if err := r.runStep(i, r.plan.Steps[i]); err != nil {
			return err
		}
	}
	if err := r.awaitFlights(""); err != nil {
		return err
	}
	if err := r.secondPass(); err != nil {
		return err
	}
	r.step, r.through = len(r.plan.Steps), true
	return r.wrapUp()
}

func (r *run) tellBaseline() {
	if n := len(r.base.offline); n > 0 {
		r.emit(Event{Kind: EventWarning, Message: fmt.Sprintf("%s without a leader from the beginning: no gate waits for them", plural(n, "partition was", "partitions were"))})
	}
	if n := len(r.base.under); n > 0 {
		r.emit(Event{Kind: EventWarning, Message: fmt.Sprintf("%s under min.insync.replicas from the beginning: no gate waits for them", plural(n, "partition was", "partitions were"))})
	}
}

// adoptOwn waits for the moves that an earlier run of ours has left in flight,
// under the throttle that it has set, or under another that is asked for now.
func (r *run) adoptOwn() error {
	if len(r.mem.moves) == 0 {
		return nil
	}
	r.step = 0
	l, err := r.look(nil)
	if err != nil {
		return err
	}
	var flying, ended []Moving
	for _, m := range r.mem.sortedMoves() {
		if slices.Equal(l.target(m.Key()), m.After) {
			flying = append(flying, m)
		} else {
			ended = append(ended, m)
		}
	}
	if err := r.gone(ended); err != nil || len(flying) == 0 {
		return err
	}
	r.emit(Event{Kind: EventAdopted, Partitions: keysOf(flying), Message: fmt.Sprintf("%s of an earlier run in flight: waited for, not submitted again: %s",
		plural(len(flying), "move is", "moves are"), namePartitions(flying))})
	b := r.newBatch(flying, l)
	if r.o.Throttle != nil {
		if err := r.setThrottles(r.copiesOf(flying, l), l); err != nil {
			return err
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

// runStep carries one step out, i its place from 0.
func (r *run) runStep(i int, step planner.Step) error {
	r.step = i + 1
	if err := r.interrupted(); err != nil {
		return err
	}
	if err := r.inTime(step); err != nil {
		return err
	}
	if step.Topic != "" && r.failed[step.Topic] != "" {
		r.failures = append(r.failures, Left{Step: step.ID, Kind: step.Kind, Topic: step.Topic, Why: "the topic cannot go on: " + r.failed[step.Topic]})
		return nil
	}
	r.emit(Event{Kind: EventStep, Topic: step.Topic, Message: describeStep(step)})
	put := len(r.left) + len(r.failures)
	if err := r.awaitFlightsBefore(step); err != nil {
		return err
	}
	if step.Topic == "" || r.failed[step.Topic] == "" {
		if err := r.do(step); err != nil {
			return err
		}
	}
	if len(r.left)+len(r.failures) > put {
		return nil
	}
	r.emit(Event{Kind: EventStepDone, Topic: step.Topic, Message: describeStep(step) + ": done"})
	_, err := r.append(Record{Kind: RecordStepDone, Step: step.ID})
	return err
}

func (r *run) do(step planner.Step) error {
	switch step.Kind {
	case planner.CreateTopic:
		return r.createTopic(step)
	case planner.SetConfig:
		return r.setConfig(step)
	case planner.AddPartitions:
		return r.addPartitions(step)
	case planner.Reassign:
		if adopts(step) {
			return nil // they were waited for: see awaitFlightsBefore
		}
		return r.reassign(step)
	case planner.ElectLeaders:
		return r.electLeaders(step)
	case planner.DeleteTopic:
		return r.deleteTopic(step)
	}
	return stopf("step %d is of kind %q, which this ballast does not know", step.ID, step.Kind)
}

// inTime starts no batch that cannot end within -max-duration.
func (r *run) inTime(step planner.Step) error {
	if r.o.MaxDuration <= 0 {
		return nil
	}
	gone := r.clock.Now().Sub(r.started)
	need := time.Duration(step.Seconds) * time.Second
	if gone+need <= r.o.MaxDuration {
		return nil
	}
	return stopf("%s of -max-duration %s have passed, and step %d takes about %s: it is not begun", round(gone), r.o.MaxDuration, step.ID, round(need))
}

func describeStep(s planner.Step) string {
	switch s.Kind {
	case planner.CreateTopic:
		return fmt.Sprintf("create topic %q with %s", s.Topic, plural(len(s.Moves), "partition", "partitions"))
	case planner.SetConfig:
		return fmt.Sprintf("change %s of topic %q", plural(len(s.Config), "config", "configs"), s.Topic)
	case planner.AddPartitions:
		return fmt.Sprintf("add %s to topic %q", plural(len(s.Moves), "partition", "partitions"), s.Topic)
	case planner.Reassign:
		if adopts(s) {
			return fmt.Sprintf("wait for %s in flight", plural(len(s.Moves), "move", "moves"))
		}
		return fmt.Sprintf("reassign %s", plural(len(s.Moves), "partition", "partitions"))
	case planner.ElectLeaders:
		return fmt.Sprintf("elect the preferred leaders of %s", plural(len(s.Moves), "partition", "partitions"))
	case planner.DeleteTopic:
		return fmt.Sprintf("delete topic %q", s.Topic)
	}
	return string(s.Kind)
}

// secondPass tries once more what was put off; what is put off again is left.
func (r *run) secondPass() error {
	again := r.left
	r.left = nil
	for i := range r.plan.Steps {
		step := r.plan.Steps[i]
		only := map[state.TopicPartition]bool{}
		whole := false
		for _, l := range again {
			if l.Step != step.ID {
				continue
			}
			whole = whole || len(l.Partitions) == 0
			for _, p := range l.Partitions {
				only[state.TopicPartition{Topic: l.Topic, Partition: p}] = true
			}
		}
		if !whole && len(only) == 0 {
			continue
		}
		if !whole {
			step.Moves = onlyMoves(step.Moves, only)
		}
		if err := r.runStep(i, step); err != nil {
			return err
		}
	}
	return nil
}

func onlyMoves(moves []planner.Move, only map[state.TopicPartition]bool) []planner.Move {
	var out []planner.Move
	for _, m := range moves {
		if only[state.TopicPartition{Topic: m.Topic, Partition: m.Partition}] {
			out = append(out, m)
		}
	}
	return out
}

// movesOf are the moves of the i-th step that copy: of a reassign step.
func (r *run) movesOf(i int) []Moving {
	if r.plan.Steps[i].Kind != planner.Reassign {
		return nil
	}
	return r.openMoves(r.plan.Steps[i])
}

// wrapUp takes off what throttles are left, and looks at drained brokers.
func (r *run) wrapUp() error {
	l, err := r.look(nil)
	if err != nil {
		return err
	}
	if err := r.restoreThrottles(nil, l); err != nil {
		return err
	}
	return r.tellDrained(l)
}

// isStop says whether an error stops a run part way, and as what.
func isStop(err error) (*stopError, bool) {
	var s *stopError
	ok := errors.As(err, &s)
	return s, ok
}
