package kafka

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
)

// CreateTopics creates topics with explicit assignments.
func (c *Client) CreateTopics(ctx context.Context, topics []state.NewTopic) ([]error, error) {
	errs := make([]error, len(topics))
	name := func(i int) string { return topics[i].Name }
	var good []int
	for i, t := range topics {
		if errs[i] = checkValues(t.Config); errs[i] == nil {
			good = append(good, i)
		}
	}
	weight := func(i int) int { return len(topics[i].Assignments) + len(topics[i].Config) + 1 }
	parts := batches(good, weight, maxRecords, func(i int) any { return name(i) })
	return errs, deliver(ctx, errs, parts, func(ctx context.Context, at []int) ([]error, time.Duration, error) {
		req := kmsg.NewPtrCreateTopicsRequest()
		req.TimeoutMillis = c.writeMillis()
		for _, i := range at {
			req.Topics = append(req.Topics, newTopic(topics[i]))
		}
		resp, err := c.writeAny(ctx, req)
		if err != nil {
			return nil, 0, err
		}
		r := resp.(*kmsg.CreateTopicsResponse)
		answers := map[string]error{}
		for _, t := range r.Topics {
			answers[t.Topic] = kafkaError(t.ErrorCode, t.ErrorMessage)
		}
		return answered(at, name, answers), millis(r.ThrottleMillis), nil
	})
}

// newTopic is a topic as the message has it: the numbers of partitions and
// replicas are -1 where assignments are given.
func newTopic(t state.NewTopic) kmsg.CreateTopicsRequestTopic {
	out := kmsg.NewCreateTopicsRequestTopic()
	out.Topic, out.NumPartitions, out.ReplicationFactor = t.Name, -1, -1
	for n, replicas := range t.Assignments {
		a := kmsg.NewCreateTopicsRequestTopicReplicaAssignment()
		a.Partition, a.Replicas = int32(n), numbers(replicas)
		out.ReplicaAssignment = append(out.ReplicaAssignment, a)
	}
	for _, key := range slices.Sorted(maps.Keys(t.Config)) {
		cfg := kmsg.NewCreateTopicsRequestTopicConfig()
		cfg.Name, cfg.Value = key, kmsg.StringPtr(t.Config[key])
		out.Configs = append(out.Configs, cfg)
	}
	return out
}

// AddPartitions grows topics, with explicit assignments of the new partitions.
func (c *Client) AddPartitions(ctx context.Context, adds []state.NewPartitions) ([]error, error) {
	errs := make([]error, len(adds))
	name := func(i int) string { return adds[i].Topic }
	weight := func(i int) int { return len(adds[i].Assignments) }
	parts := batches(places(len(adds)), weight, maxRecords, func(i int) any { return name(i) })
	return errs, deliver(ctx, errs, parts, func(ctx context.Context, at []int) ([]error, time.Duration, error) {
		req := kmsg.NewPtrCreatePartitionsRequest()
		req.TimeoutMillis = c.writeMillis()
		for _, i := range at {
			req.Topics = append(req.Topics, newPartitions(adds[i]))
		}
		resp, err := c.writeAny(ctx, req)
		if err != nil {
			return nil, 0, err
		}
		r := resp.(*kmsg.CreatePartitionsResponse)
		answers := map[string]error{}
		for _, t := range r.Topics {
			answers[t.Topic] = kafkaError(t.ErrorCode, t.ErrorMessage)
		}
		return answered(at, name, answers), millis(r.ThrottleMillis), nil
	})
}

func newPartitions(add state.NewPartitions) kmsg.CreatePartitionsRequestTopic {
	out := kmsg.NewCreatePartitionsRequestTopic()
	out.Topic, out.Count = add.Topic, add.Count
	for _, replicas := range add.Assignments {
		a := kmsg.NewCreatePartitionsRequestTopicAssignment()
		a.Replicas = numbers(replicas)
		out.Assignment = append(out.Assignment, a)
	}
	return out
}

// DeleteTopics deletes topics. Kafka deletes internal ones as readily.
func (c *Client) DeleteTopics(ctx context.Context, topics []string) ([]error, error) {
	errs := make([]error, len(topics))
	name := func(i int) string { return topics[i] }
	parts := batches(places(len(topics)), func(int) int { return 1 }, maxItems, func(i int) any { return name(i) })
	return errs, deliver(ctx, errs, parts, func(ctx context.Context, at []int) ([]error, time.Duration, error) {
		req := kmsg.NewPtrDeleteTopicsRequest()
		req.TimeoutMillis = c.writeMillis()
		for _, i := range at {
			t := kmsg.NewDeleteTopicsRequestTopic()
			t.Topic = kmsg.StringPtr(topics[i])
			req.Topics = append(req.Topics, t)                 // from version 6 on
			req.TopicNames = append(req.TopicNames, topics[i]) // before
		}
		resp, err := c.writeAny(ctx, req)
		if err != nil {
			return nil, 0, err
		}
		r := resp.(*kmsg.DeleteTopicsResponse)
		answers := map[string]error{}
		for _, t := range r.Topics {
			answers[text(t.Topic)] = kafkaError(t.ErrorCode, t.ErrorMessage)
		}
		return answered(at, name, answers), millis(r.ThrottleMillis), nil
	})
}
