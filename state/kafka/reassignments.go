package kafka

import (
	"context"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
)

// Reassignments lists the moves in flight, by topic and partition.
func (c *Client) Reassignments(ctx context.Context) ([]state.OngoingReassignment, error) {
	req := kmsg.NewPtrListPartitionReassignmentsRequest()
	req.Topics = nil // all; an empty list would be none
	req.TimeoutMillis = int32(c.opts.Timeout / time.Millisecond)
	resp, err := c.readAny(ctx, req)
	if err != nil {
		return nil, err
	}
	r := resp.(*kmsg.ListPartitionReassignmentsResponse)
	if err := kafkaError(r.ErrorCode, r.ErrorMessage); err != nil {
		return nil, err
	}
	var out []state.OngoingReassignment
	for i := range r.Topics {
		t := &r.Topics[i]
		for j := range t.Partitions {
			p := &t.Partitions[j]
			out = append(out, state.OngoingReassignment{
				TopicPartition: state.TopicPartition{Topic: t.Topic, Partition: p.Partition},
				Replicas:       brokerIDs(p.Replicas), Adding: brokerIDs(p.AddingReplicas), Removing: brokerIDs(p.RemovingReplicas),
			})
		}
	}
	slices.SortFunc(out, func(a, b state.OngoingReassignment) int { return a.TopicPartition.Compare(b.TopicPartition) })
	return out, nil
}

// addMoves puts the moves in flight into the snapshot. The controller, which
// lists them, runs ahead of the brokers' metadata: its list of replicas wins.
// It says whether all else in the metadata went with these lists.
func addMoves(s *state.Snapshot, moves []state.OngoingReassignment) bool {
	clear := true
	for _, m := range moves {
		if p := partition(s, m.TopicPartition); p != nil {
			p.Replicas, p.Adding, p.Removing = m.Replicas, m.Adding, m.Removing
			clear = keepReplicas(p) && clear
		}
	}
	return clear
}

// keepReplicas takes out of the ISR what is no replica, and such a leader; it
// says whether there was none.
func keepReplicas(p *state.Partition) bool {
	n := len(p.ISR)
	p.ISR = slices.DeleteFunc(slices.Clone(p.ISR), func(id state.BrokerID) bool { return !state.Contains(p.Replicas, id) })
	if p.Leader != state.NoLeader && !state.Contains(p.Replicas, p.Leader) {
		p.Leader, n = state.NoLeader, -1
	}
	return len(p.ISR) == n
}

// stale says whether a move that was listed before the metadata was read, and
// no longer is, still shows in it. Nothing else would tell such a list, with
// adding and removing replicas, from a settled one.
func stale(s *state.Snapshot, before, after []state.OngoingReassignment) bool {
	listed := make(map[state.TopicPartition]bool, len(after))
	for _, m := range after {
		listed[m.TopicPartition] = true
	}
	for _, m := range before {
		p := partition(s, m.TopicPartition)
		if p != nil && !listed[m.TopicPartition] && len(m.Removing) > 0 && slices.Equal(p.Replicas, m.Replicas) {
			return true
		}
	}
	return false
}

// partition finds a partition of the snapshot, or nil.
func partition(s *state.Snapshot, tp state.TopicPartition) *state.Partition {
	t := s.Topic(tp.Topic)
	if t == nil || tp.Partition < 0 || int(tp.Partition) >= len(t.Partitions) {
		return nil
	}
	return &t.Partitions[tp.Partition]
}
