package kafka

import (
	"context"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
)

// Reassign submits reassignments (AlterPartitionReassignments, KIP-455), and
// cancels those with nil Replicas. The requests are made per partition: good
// and bad ones mix. A partition that is listed twice is refused, since Kafka
// would carry out one of the two without saying which.
func (c *Client) Reassign(ctx context.Context, moves []state.Reassignment) ([]error, error) {
	errs := make([]error, len(moves))
	key := func(i int) state.TopicPartition { return moves[i].TopicPartition }
	good := unique(errs, key)
	parts := batches(good, func(int) int { return 1 }, maxRecords, func(i int) any { return key(i) })
	return errs, deliver(ctx, errs, parts, func(ctx context.Context, at []int) ([]error, time.Duration, error) {
		resp, err := c.writeAny(ctx, reassignRequest(moves, at, c.writeMillis()))
		if err != nil {
			return nil, 0, err
		}
		r := resp.(*kmsg.AlterPartitionAssignmentsResponse)
		answers := map[state.TopicPartition]error{}
		for _, t := range r.Topics {
			for _, p := range t.Partitions {
				answers[state.TopicPartition{Topic: t.Topic, Partition: p.Partition}] = kafkaError(p.ErrorCode, p.ErrorMessage)
			}
		}
		if err := kafkaError(r.ErrorCode, r.ErrorMessage); err != nil {
			return same(len(at), err), millis(r.ThrottleMillis), nil
		}
		return answered(at, key, answers), millis(r.ThrottleMillis), nil
	})
}

func reassignRequest(moves []state.Reassignment, at []int, timeout int32) kmsg.Request {
	req := kmsg.NewPtrAlterPartitionAssignmentsRequest()
	req.TimeoutMillis = timeout
	byTopic := map[string]int{}
	for _, i := range at {
		m := moves[i]
		n, ok := byTopic[m.Topic]
		if !ok {
			n = len(req.Topics)
			byTopic[m.Topic] = n
			t := kmsg.NewAlterPartitionAssignmentsRequestTopic()
			t.Topic = m.Topic
			req.Topics = append(req.Topics, t)
		}
		p := kmsg.NewAlterPartitionAssignmentsRequestTopicPartition()
		p.Partition, p.Replicas = m.Partition, numbers(m.Replicas)
		req.Topics[n].Partitions = append(req.Topics[n].Partitions, p)
	}
	return req
}

// ElectPreferred elects the preferred leaders; never an unclean election. A
// partition whose preferred replica leads already is done.
func (c *Client) ElectPreferred(ctx context.Context, partitions []state.TopicPartition) ([]error, error) {
	errs := make([]error, len(partitions))
	key := func(i int) state.TopicPartition { return partitions[i] }
	good := unique(errs, key)
	parts := batches(good, func(int) int { return 1 }, maxRecords, func(i int) any { return key(i) })
	return errs, deliver(ctx, errs, parts, func(ctx context.Context, at []int) ([]error, time.Duration, error) {
		resp, err := c.writeAny(ctx, electRequest(partitions, at, c.writeMillis()))
		if err != nil {
			return nil, 0, err
		}
		r := resp.(*kmsg.ElectLeadersResponse)
		answers := map[state.TopicPartition]error{}
		for _, t := range r.Topics {
			for _, p := range t.Partitions {
				err := kafkaError(p.ErrorCode, p.ErrorMessage)
				if p.ErrorCode == state.CodeElectionNotNeeded {
					err = nil
				}
				answers[state.TopicPartition{Topic: t.Topic, Partition: p.Partition}] = err
			}
		}
		if err := kafkaError(r.ErrorCode, nil); err != nil {
			return same(len(at), err), millis(r.ThrottleMillis), nil
		}
		return answered(at, key, answers), millis(r.ThrottleMillis), nil
	})
}

func electRequest(partitions []state.TopicPartition, at []int, timeout int32) kmsg.Request {
	req := kmsg.NewPtrElectLeadersRequest()
	req.ElectionType, req.TimeoutMillis = 0, timeout // 0: preferred
	byTopic := map[string]int{}
	for _, i := range at {
		tp := partitions[i]
		n, ok := byTopic[tp.Topic]
		if !ok {
			n = len(req.Topics)
			byTopic[tp.Topic] = n
			t := kmsg.NewElectLeadersRequestTopic()
			t.Topic = tp.Topic
			req.Topics = append(req.Topics, t)
		}
		req.Topics[n].Partitions = append(req.Topics[n].Partitions, tp.Partition)
	}
	return req
}

// unique gives the places of partitions that are listed once, and an error to
// each further listing.
func unique(errs []error, key func(i int) state.TopicPartition) []int {
	seen := make(map[state.TopicPartition]bool, len(errs))
	var good []int
	for i := range errs {
		if seen[key(i)] {
			errs[i] = &RefusedError{key(i).String() + " is listed twice in one request"}
			continue
		}
		seen[key(i)] = true
		good = append(good, i)
	}
	return good
}

// same is n times the same error.
func same(n int, err error) []error {
	out := make([]error, n)
	for i := range out {
		out[i] = err
	}
	return out
}
