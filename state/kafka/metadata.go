package kafka

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
)

// readMetadata asks any broker for brokers and topics (nil: all topics).
func (c *Client) readMetadata(ctx context.Context, topics []string) (*kmsg.MetadataResponse, error) {
	resp, err := c.readAny(ctx, metadataRequest(topics))
	if err != nil {
		return nil, err
	}
	m, err := c.ours(resp)
	if err == nil {
		c.learn(identityOf(m))
	}
	return m, err
}

func metadataRequest(topics []string) *kmsg.MetadataRequest {
	req := kmsg.NewPtrMetadataRequest()
	if topics != nil {
		req.Topics = make([]kmsg.MetadataRequestTopic, 0, len(topics))
	}
	for _, name := range topics {
		t := kmsg.NewMetadataRequestTopic()
		t.Topic = kmsg.StringPtr(name)
		req.Topics = append(req.Topics, t)
	}
	req.AllowAutoTopicCreation = false
	return req
}

// ours checks that a metadata answer is no error, and of this cluster.
func (c *Client) ours(resp kmsg.Response) (*kmsg.MetadataResponse, error) {
	m := resp.(*kmsg.MetadataResponse)
	if err := kafkaError(m.ErrorCode, nil); err != nil {
		return nil, fmt.Errorf("reading metadata: %w", err)
	}
	return m, c.checkID(identityOf(m))
}

// snapshotOf makes a snapshot of a metadata answer: live brokers and topics,
// both sorted.
func snapshotOf(m *kmsg.MetadataResponse) (*state.Snapshot, error) {
	s := &state.Snapshot{Brokers: make([]state.Broker, 0, len(m.Brokers)), Topics: make([]state.Topic, 0, len(m.Topics))}
	if m.ClusterID != nil {
		s.ClusterID = *m.ClusterID
	}
	for i := range m.Brokers {
		b := &m.Brokers[i]
		s.Brokers = append(s.Brokers, state.Broker{ID: state.BrokerID(b.NodeID), Rack: text(b.Rack), Host: b.Host, Port: int(b.Port), Alive: true})
	}
	for i := range m.Topics {
		if err := addTopic(s, &m.Topics[i]); err != nil {
			return nil, err
		}
	}
	sortBrokers(s)
	slices.SortFunc(s.Topics, func(a, b state.Topic) int { return strings.Compare(a.Name, b.Name) })
	return s, nil
}

// addTopic adds a topic of a metadata answer. One that does not exist is left
// out, one that may not be read as well, but said to be unread.
func addTopic(s *state.Snapshot, t *kmsg.MetadataResponseTopic) error {
	name := text(t.Topic)
	switch t.ErrorCode {
	case 0:
		partitions, err := partitionsOf(name, t.Partitions)
		if err != nil {
			return err
		}
		s.Topics = append(s.Topics, state.Topic{Name: name, Internal: t.IsInternal, Partitions: partitions})
	case state.CodeUnknownTopicOrPartition:
	case codeTopicAuthorization:
		s.Unread = append(s.Unread, state.Unread{What: "topic", Name: name, Reason: "TOPIC_AUTHORIZATION_FAILED: needs Describe on the topic"})
	default:
		return fmt.Errorf("reading topic %q: %w", name, kafkaError(t.ErrorCode, nil))
	}
	return nil
}

// partitionsOf gives a topic's partitions in order. All their lists of brokers
// share one array.
func partitionsOf(topic string, in []kmsg.MetadataResponseTopicPartition) ([]state.Partition, error) {
	n := 0
	for i := range in {
		n += len(in[i].Replicas) + len(in[i].ISR) + len(in[i].OfflineReplicas)
	}
	slab := make([]state.BrokerID, 0, n)
	out := make([]state.Partition, len(in))
	for i := range in {
		p := &in[i]
		if p.Partition < 0 || int(p.Partition) >= len(in) || out[p.Partition].Replicas != nil {
			return nil, fmt.Errorf("the metadata of topic %q lists %d partitions, but among them number %d", topic, len(in), p.Partition)
		}
		q := state.Partition{ID: p.Partition, Leader: state.BrokerID(p.Leader)}
		q.Replicas, slab = cut(slab, p.Replicas)
		q.ISR, slab = cut(slab, p.ISR)
		if len(p.OfflineReplicas) > 0 {
			q.Offline, slab = cut(slab, p.OfflineReplicas)
		}
		out[p.Partition] = q
	}
	return out, nil
}

// cut appends ids to the slab, and gives them as a list that nothing can be
// appended to without copying it.
func cut(slab []state.BrokerID, ids []int32) (list, rest []state.BrokerID) {
	from := len(slab)
	for _, id := range ids {
		slab = append(slab, state.BrokerID(id))
	}
	return slab[from:len(slab):len(slab)], slab
}

// brokerIDs makes broker ids of a message's numbers.
func brokerIDs(ids []int32) []state.BrokerID {
	if len(ids) == 0 {
		return nil
	}
	list, _ := cut(make([]state.BrokerID, 0, len(ids)), ids)
	return list
}

// addFenced adds the brokers that are registered and not alive, with their
// racks, as DescribeCluster version 2 (KIP-1073, Kafka 4.0) tells them.
func (c *Client) addFenced(ctx context.Context, s *state.Snapshot) error {
	req := kmsg.NewPtrDescribeClusterRequest()
	req.IncludeFencedBrokers = true
	resp, err := c.readAny(ctx, req)
	if isUnsupported(err) {
		return nil
	}
	if err != nil {
		return err
	}
	d := resp.(*kmsg.DescribeClusterResponse)
	if err := kafkaError(d.ErrorCode, d.ErrorMessage); err != nil {
		s.Unread = append(s.Unread, state.Unread{What: "fenced_brokers", Reason: err.Error()})
		return nil
	}
	known := brokerSet(s)
	for i := range d.Brokers {
		b := &d.Brokers[i]
		if id := state.BrokerID(b.NodeID); !known[id] {
			s.Brokers = append(s.Brokers, state.Broker{ID: id, Rack: text(b.Rack), Host: b.Host, Port: int(b.Port)})
		}
	}
	sortBrokers(s)
	return nil
}

// addDead adds brokers that replicas name and nothing else does: they are not
// even registered any more.
func addDead(s *state.Snapshot) {
	known := brokerSet(s)
	note := func(ids []state.BrokerID) {
		for _, id := range ids {
			if id >= 0 && !known[id] {
				known[id] = true
				s.Brokers = append(s.Brokers, state.Broker{ID: id})
			}
		}
	}
	for i := range s.Topics {
		for j := range s.Topics[i].Partitions {
			note(s.Topics[i].Partitions[j].Replicas)
		}
	}
	sortBrokers(s)
}

func brokerSet(s *state.Snapshot) map[state.BrokerID]bool {
	set := make(map[state.BrokerID]bool, len(s.Brokers))
	for i := range s.Brokers {
		set[s.Brokers[i].ID] = true
	}
	return set
}

func sortBrokers(s *state.Snapshot) {
	slices.SortFunc(s.Brokers, func(a, b state.Broker) int { return int(a.ID) - int(b.ID) })
}

// text is what a nullable string says.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
