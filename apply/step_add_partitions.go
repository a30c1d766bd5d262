package apply

import (
	"context"
	"fmt"
	"slices"

	"ballast/planner"
	"ballast/state"
)

// addPartitions makes a topic grow, never while a move of it is in flight.
func (r *run) addPartitions(step planner.Step) error {
	ask := state.NewPartitions{Topic: step.Topic}
	first := int32(-1)
	for _, m := range step.Moves {
		ask.Assignments = append(ask.Assignments, m.After)
		ask.Count = max(ask.Count, m.Partition+1)
		if first < 0 || m.Partition < first {
			first = m.Partition
		}
	}
	return r.untilDone(step, func(tried bool) (bool, error) {
		if !tried {
			if err := r.passGrowthGate(step, int(first)); err != nil {
				return false, err
			}
		}
		l, err := r.look([]string{step.Topic})
		if err != nil {
			return false, err
		}
		return r.grown(step, ask, int(first), tried, l)
	}, func(ctx context.Context) ([]error, error) {
		return r.cluster.AddPartitions(ctx, []state.NewPartitions{ask})
	}, Write{Op: OpAdd, Topics: []string{step.Topic}}, state.CodeInvalidPartitions)
}

// passGrowthGate waits until no move of the topic is in flight and every broker
// that gets a replica is alive: both at the same moment. A topic that has grown
// already waits for nobody.
func (r *run) passGrowthGate(step planner.Step, first int) error {
	return r.waitOpen("before partitions are added to "+step.Topic, func() ([]Hold, error) {
		l, err := r.look([]string{step.Topic})
		if err != nil {
			return nil, err
		}
		t := l.meta.Topic(step.Topic)
		if t == nil || len(t.Partitions) > first {
			return gateTopicStill(l, step.Topic), nil
		}
		return append(gateTopicStill(l, step.Topic), gateNewTargets(l, step)...), nil
	})
}

// grown says whether the topic has the partitions asked for.
func (r *run) grown(step planner.Step, ask state.NewPartitions, first int, tried bool, l *look) (bool, error) {
	t := l.meta.Topic(step.Topic)
	switch {
	case t == nil:
		r.fail(step.Topic, "it does not exist any more")
		return true, nil
	case len(t.Partitions) == first:
		return r.otherFactor(step, t, ask), nil
	case len(t.Partitions) != int(ask.Count):
		r.fail(step.Topic, fmt.Sprintf("it has %s now: neither %d, as planned from, nor %d, as planned", plural(len(t.Partitions), "partition", "partitions"), first, ask.Count))
		return true, nil
	}
	for i, want := range ask.Assignments {
		if got := t.Partitions[first+i].Replicas; !slices.Equal(got, want) {
			r.fail(step.Topic, fmt.Sprintf("partition %d is on %s, not on %s: somebody else has added it", first+i, listIDs(got), listIDs(want)), int32(first+i))
			return true, nil
		}
	}
	r.achieved[item{OpAdd, step.Topic, 0}] = true
	if !tried {
		r.emit(Event{Kind: EventAlready, Topic: step.Topic, Message: fmt.Sprintf("topic %q has %d partitions already", step.Topic, ask.Count)})
	}
	return true, r.waitLeaders(step.Topic, first)
}

// otherFactor fails the topic where its partitions have another number of
// replicas than those to be added: Kafka wants one for all.
func (r *run) otherFactor(step planner.Step, t *state.Topic, ask state.NewPartitions) bool {
	has, adds := len(t.Partitions[0].Replicas), len(ask.Assignments[0])
	if has == adds {
		return false
	}
	r.fail(step.Topic, fmt.Sprintf("its partitions have %s now, and those to be added have %d: plan again", plural(has, "replica", "replicas"), adds))
	return true
}
