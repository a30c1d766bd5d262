package kafka

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
)

// The timestamps that ask for a partition's ends.
const (
	latestTimestamp   = -1
	earliestTimestamp = -2
)

// Offsets reads the earliest and latest offset of every partition of a topic,
// each from its leader. Where one cannot be read there is an error and no
// offsets: half of them could be taken for a topic that holds nothing.
func (c *Client) Offsets(ctx context.Context, topic string) (map[int32]state.Offsets, error) {
	var last error
	for wait := 100 * time.Millisecond; wait < 2*time.Second; wait *= 2 {
		out, err := c.offsetsOnce(ctx, topic)
		if err == nil || !IsRetriable(err) || isCode(err, state.CodeUnknownTopicOrPartition) {
			return out, err
		}
		last = err
		if err := sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
	return nil, last
}

func (c *Client) offsetsOnce(ctx context.Context, topic string) (map[int32]state.Offsets, error) {
	leaders, n, err := c.leaders(ctx, topic)
	if err != nil {
		return nil, err
	}
	out := make(map[int32]state.Offsets, n)
	for _, id := range slices.Sorted(maps.Keys(leaders)) {
		earliest, err := c.listOffsets(ctx, id, topic, leaders[id], earliestTimestamp)
		if err != nil {
			return nil, err
		}
		latest, err := c.listOffsets(ctx, id, topic, leaders[id], latestTimestamp)
		if err != nil {
			return nil, err
		}
		for p := range earliest {
			out[p] = state.Offsets{Earliest: earliest[p], Latest: latest[p]}
		}
	}
	return out, nil
}

// leaders gives the topic's partitions by their leader, and how many there are.
func (c *Client) leaders(ctx context.Context, topic string) (map[state.BrokerID][]int32, int, error) {
	m, err := c.readMetadata(ctx, []string{topic})
	if err != nil {
		return nil, 0, err
	}
	s, err := snapshotOf(m)
	if err != nil {
		return nil, 0, err
	}
	t := s.Topic(topic)
	if t == nil && len(s.Unread) > 0 {
		return nil, 0, errors.New(s.Unread[0].Reason)
	}
	if t == nil {
		return nil, 0, kafkaError(state.CodeUnknownTopicOrPartition, nil)
	}
	out := map[state.BrokerID][]int32{}
	for _, p := range t.Partitions {
		if p.Leader == state.NoLeader {
			return nil, 0, &state.Error{Code: 5, Name: "LEADER_NOT_AVAILABLE", Message: fmt.Sprintf("%s-%d has no leader", topic, p.ID)}
		}
		out[p.Leader] = append(out[p.Leader], p.ID)
	}
	return out, len(t.Partitions), nil
}

// listOffsets asks one leader for one end of its partitions.
func (c *Client) listOffsets(ctx context.Context, id state.BrokerID, topic string, partitions []int32, timestamp int64) (map[int32]int64, error) {
	req := kmsg.NewPtrListOffsetsRequest()
	req.ReplicaID = -1
	req.TimeoutMillis = int32(c.opts.Timeout / time.Millisecond)
	t := kmsg.NewListOffsetsRequestTopic()
	t.Topic = topic
	for _, n := range partitions {
		p := kmsg.NewListOffsetsRequestTopicPartition()
		p.Partition, p.Timestamp = n, timestamp
		t.Partitions = append(t.Partitions, p)
	}
	req.Topics = []kmsg.ListOffsetsRequestTopic{t}
	resp, err := c.readBroker(ctx, id, req)
	if err != nil {
		return nil, err
	}
	return takeOffsets(topic, partitions, resp.(*kmsg.ListOffsetsResponse))
}

func takeOffsets(topic string, asked []int32, r *kmsg.ListOffsetsResponse) (map[int32]int64, error) {
	out := make(map[int32]int64, len(asked))
	for i := range r.Topics {
		for j := range r.Topics[i].Partitions {
			p := &r.Topics[i].Partitions[j]
			if err := kafkaError(p.ErrorCode, nil); err != nil {
				return nil, fmt.Errorf("the offsets of %s-%d: %w", topic, p.Partition, err)
			}
			out[p.Partition] = p.Offset
		}
	}
	for _, n := range asked {
		if _, ok := out[n]; !ok {
			return nil, fmt.Errorf("the answer says nothing about the offsets of %s-%d", topic, n)
		}
	}
	return out, nil
}
