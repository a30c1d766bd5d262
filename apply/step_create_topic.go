package apply

import (
	"context"
	"fmt"
	"slices"

	"ballast/planner"
	"ballast/state"
)

// createTopic creates a topic with the plan's lists and overrides, and waits
// until every partition has a leader.
func (r *run) createTopic(step planner.Step) error {
	ask := state.NewTopic{Name: step.Topic, Config: map[string]string{}}
	for _, m := range step.Moves {
		ask.Assignments = append(ask.Assignments, m.After)
	}
	for _, c := range step.Config {
		if c.After != nil {
			ask.Config[c.Name] = *c.After
		}
	}
	return r.untilDone(step, func(tried bool) (bool, error) {
		l, err := r.look([]string{step.Topic})
		if err != nil {
			return false, err
		}
		t := l.meta.Topic(step.Topic)
		if t == nil {
			if tried {
				return false, nil // the brokers take a moment to agree
			}
			return false, r.passCreateGate(step)
		}
		if why := differsFrom(t, ask.Assignments); why != "" {
			r.fail(step.Topic, "it exists, and "+why)
			return true, nil
		}
		if !tried && !r.mem.wrote[item{OpCreate, step.Topic, 0}] {
			r.emit(Event{Kind: EventAlready, Topic: step.Topic, Message: fmt.Sprintf("topic %q exists as planned already", step.Topic)})
		}
		r.achieved[item{OpCreate, step.Topic, 0}] = true
		return true, r.waitLeaders(step.Topic, 0)
	}, func(ctx context.Context) ([]error, error) {
		return r.cluster.CreateTopics(ctx, []state.NewTopic{ask})
	}, Write{Op: OpCreate, Topics: []string{step.Topic}}, state.CodeTopicExists)
}

// differsFrom says how a topic's partitions differ from lists, or "".
func differsFrom(t *state.Topic, lists [][]state.BrokerID) string {
	if len(t.Partitions) != len(lists) {
		return fmt.Sprintf("has %s, not %d", plural(len(t.Partitions), "partition", "partitions"), len(lists))
	}
	for i := range t.Partitions {
		if got := t.Partitions[i].Replicas; !slices.Equal(got, lists[i]) {
			return fmt.Sprintf("partition %d is on %s, not on %s", i, listIDs(got), listIDs(lists[i]))
		}
	}
	return ""
}

// waitLeaders waits until the partitions from first on have leaders.
func (r *run) waitLeaders(topic string, first int) error {
	return r.waitOpen("topic "+topic, func() ([]Hold, error) {
		l, err := r.look([]string{topic})
		if err != nil {
			return nil, err
		}
		t := l.meta.Topic(topic)
		if t == nil {
			return nil, nil
		}
		var out []Hold
		for i := min(first, len(t.Partitions)); i < len(t.Partitions); i++ {
			if t.Partitions[i].Leader == state.NoLeader {
				h := hold(state.TopicPartition{Topic: topic, Partition: int32(i)}, noBroker, "start one of its brokers", "it has no leader yet")
				h.Gate = "leader"
				out = append(out, h)
			}
		}
		return out, nil
	})
}
