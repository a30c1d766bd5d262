package apply

import (
	"context"
	"fmt"

	"github.com/dustin/go-humanize"

	"ballast/planner"
	"ballast/state"
)

const remoteStorageConfig = "remote.storage.enable"

// deleteTopic deletes a topic, behind its gate, measured right before.
func (r *run) deleteTopic(step planner.Step) error {
	return r.untilDone(step, func(tried bool) (bool, error) {
		l, err := r.look([]string{step.Topic})
		if err != nil {
			return false, err
		}
		t := l.meta.Topic(step.Topic)
		if t == nil {
			if !tried && !r.mem.wrote[item{OpDelete, step.Topic, 0}] {
				r.emit(Event{Kind: EventAlready, Topic: step.Topic, Message: fmt.Sprintf("topic %q is gone already", step.Topic)})
			}
			r.achieved[item{OpDelete, step.Topic, 0}] = true
			return true, nil
		}
		if tried {
			return false, nil
		}
		why, err := r.gateDeletion(step, t, l)
		if err != nil || why == "" {
			return false, err
		}
		r.fail(step.Topic, why+"; it is not deleted")
		return true, nil
	}, func(ctx context.Context) ([]error, error) {
		return r.cluster.DeleteTopics(ctx, []string{step.Topic})
	}, Write{Op: OpDelete, Topics: []string{step.Topic}}, state.CodeUnknownTopicOrPartition)
}

// gateDeletion says why a topic may not be deleted, or "". What can't be
// measured may not be deleted.
func (r *run) gateDeletion(step planner.Step, t *state.Topic, l *look) (string, error) {
	if why, err := r.gateRemote(step); err != nil || why != "" {
		return why, err
	}
	if step.MaxBytes == nil {
		return "the plan has no bound for what it may hold (max_bytes)", nil
	}
	bytes, why, err := r.topicBytes(t, l)
	if err != nil || why != "" {
		return why, err
	}
	if bytes > *step.MaxBytes {
		return fmt.Sprintf("it holds %s bytes, max_bytes is %s", humanize.Comma(bytes), humanize.Comma(*step.MaxBytes)), nil
	}
	if *step.MaxBytes > 0 {
		return "", nil
	}
	return r.gateEmpty(step.Topic, t)
}

// gateEmpty wants every partition's earliest offset equal to its latest: what
// has no bytes in the log dirs yet may still be in memory.
func (r *run) gateEmpty(topic string, t *state.Topic) (string, error) {
	var offsets map[int32]state.Offsets
	err := r.read("the offsets", func(ctx context.Context) error {
		var err error
		offsets, err = r.cluster.Offsets(ctx, topic)
		return err
	})
	if err != nil {
		return "", err
	}
	for i := range t.Partitions {
		o, ok := offsets[t.Partitions[i].ID]
		switch {
		case !ok:
			return fmt.Sprintf("the offsets of partition %d could not be read, so it is not known to be empty", t.Partitions[i].ID), nil
		case o.Earliest != o.Latest:
			return fmt.Sprintf("partition %d holds records %d to %d, and max_bytes = 0 wants it empty", t.Partitions[i].ID, o.Earliest, o.Latest-1), nil
		}
	}
	return "", nil
}

// gateRemote refuses a topic with tiered storage: what is there is counted by
// no log dir.
func (r *run) gateRemote(step planner.Step) (string, error) {
	if step.AllowRemote {
		return "", nil
	}
	var values []map[string]state.ConfigValue
	var errs []error
	err := r.read("the topic's configs", func(ctx context.Context) error {
		var err error
		values, errs, err = r.cluster.Configs(ctx, []state.ConfigResource{{Type: state.TopicResource, Name: step.Topic}}, []string{remoteStorageConfig})
		return err
	})
	switch {
	case err != nil:
		return "", err
	case errs[0] != nil:
		return fmt.Sprintf("whether it is in tiered storage could not be read (%v)", errs[0]), nil
	case values[0][remoteStorageConfig].Value == "true":
		return "part of it is in tiered storage, which is not measured (allow_remote = true deletes it all the same)", nil
	}
	return "", nil
}

// topicBytes adds up the leaders' replicas.
func (r *run) topicBytes(t *state.Topic, l *look) (int64, string, error) {
	leaders := map[state.BrokerID]bool{}
	for i := range t.Partitions {
		if t.Partitions[i].Leader == state.NoLeader {
			return 0, fmt.Sprintf("partition %d has no leader, so what it holds is not known", t.Partitions[i].ID), nil
		}
		leaders[t.Partitions[i].Leader] = true
	}
	dirs, err := r.allLogDirs(sortedIDs(leaders), l)
	if err != nil {
		return 0, "", err
	}
	sizes := map[replica]int64{}
	for _, d := range dirs {
		for _, rep := range d.Replicas {
			sizes[replica{rep.TopicPartition, d.Broker}] = rep.Bytes
		}
	}
	sum := int64(0)
	for i := range t.Partitions {
		p := &t.Partitions[i]
		n, ok := sizes[replica{state.TopicPartition{Topic: t.Name, Partition: p.ID}, p.Leader}]
		if !ok {
			return 0, fmt.Sprintf("the size of partition %d could not be read", p.ID), nil
		}
		sum += n
	}
	return sum, "", nil
}
