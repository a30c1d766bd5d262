package kafka

import (
	"context"
	"sort"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
)

// elrLimit is how many partitions one DescribeTopicPartitions answers at most;
// brokers have the same limit by default (max.request.partition.size.limit).
const elrLimit = 2000

// addELR reads the eligible leader replicas (KIP-966). Only a replica out of
// the ISR can be one, so that a healthy cluster is not asked at all.
func (c *Client) addELR(ctx context.Context, s *state.Snapshot, f *finding) error {
	req := kmsg.NewPtrDescribeTopicPartitionsRequest()
	req.ResponsePartitionLimit = elrLimit
	for _, name := range unsynced(s) {
		t := kmsg.NewDescribeTopicPartitionsRequestTopic()
		t.Topic = name
		req.Topics = append(req.Topics, t)
	}
	for len(req.Topics) > 0 {
		resp, err := c.readAny(ctx, req)
		if isUnsupported(err) {
			f.add("elr", "", "the brokers do not know DescribeTopicPartitions")
			return nil
		}
		if err != nil {
			return err
		}
		r := resp.(*kmsg.DescribeTopicPartitionsResponse)
		takeELR(s, r)
		if r.NextCursor == nil {
			return nil
		}
		req.Cursor = cursor(r.NextCursor)
		req.Topics = from(req.Topics, r.NextCursor.Topic)
	}
	return nil
}

// unsynced are the topics with a partition that has a replica out of the ISR.
func unsynced(s *state.Snapshot) []string {
	var names []string
	for i := range s.Topics {
		for j := range s.Topics[i].Partitions {
			if p := &s.Topics[i].Partitions[j]; len(p.ISR) < len(p.Replicas) {
				names = append(names, s.Topics[i].Name)
				break
			}
		}
	}
	return names
}

// from are the topics, which are sorted, that are not before name.
func from(topics []kmsg.DescribeTopicPartitionsRequestTopic, name string) []kmsg.DescribeTopicPartitionsRequestTopic {
	i := sort.Search(len(topics), func(i int) bool { return topics[i].Topic >= name })
	return topics[i:]
}

func cursor(next *kmsg.DescribeTopicPartitionsResponseNextCursor) *kmsg.DescribeTopicPartitionsRequestCursor {
	c := kmsg.NewDescribeTopicPartitionsRequestCursor()
	c.Topic, c.Partition = next.Topic, next.Partition
	return &c
}

func takeELR(s *state.Snapshot, r *kmsg.DescribeTopicPartitionsResponse) {
	for i := range r.Topics {
		t := &r.Topics[i]
		for j := range t.Partitions {
			in := &t.Partitions[j]
			if p := partition(s, state.TopicPartition{Topic: text(t.Topic), Partition: in.Partition}); p != nil {
				p.ELR = brokerIDs(in.EligibleLeaderReplicas)
			}
		}
	}
}
