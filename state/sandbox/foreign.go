package sandbox

import (
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
)

// What another tool does to the cluster, past the log of requests and past
// the faults.

// ForeignReassignment submits a reassignment; no replicas at all cancel one.
func (s *Sandbox) ForeignReassignment(topic string, partition int32, replicas ...state.BrokerID) error {
	c, done := s.live()
	defer done()
	p := c.partition(topic, partition)
	switch {
	case p == nil:
		return errorf(3, "Unable to find partition %s:%d.", topic, partition).asError()
	case len(replicas) == 0:
		return c.cancel(p).asError()
	}
	return c.reassign(p, fromIDs(replicas)).asError()
}

// ForeignDelete deletes a topic.
func (s *Sandbox) ForeignDelete(topic string) error {
	c, done := s.live()
	defer done()
	t := c.topics[topic]
	if t == nil {
		return errorf(3, "").asError()
	}
	c.removeTopic(t)
	s.forgetOffsets(topic)
	return nil
}

// ForeignPartitions makes a topic have count partitions.
func (s *Sandbox) ForeignPartitions(topic string, count int32) error {
	c, done := s.live()
	defer done()
	r := kmsg.NewCreatePartitionsRequestTopic()
	r.Topic, r.Count = topic, count
	return s.callOn(c).addPartitions(&r, false).asError()
}

// ForeignConfig sets a config of a topic, a broker or all brokers; a nil value
// deletes the override.
func (s *Sandbox) ForeignConfig(r state.ConfigResource, key string, value *string) error {
	c, done := s.live()
	defer done()
	x := kmsg.NewIncrementalAlterConfigsRequestResourceConfig()
	x.Name, x.Value = key, value
	if value == nil {
		x.Op = kmsg.IncrementalAlterConfigOpDelete
	}
	on := s.callOn(c)
	for _, b := range c.brokers {
		if r.Type == state.BrokerResource && itoa(b.id) == r.Name {
			on.broker = b
		}
	}
	return on.alter(&kmsg.IncrementalAlterConfigsRequestResource{
		ResourceType: kmsg.ConfigResourceType(r.Type), ResourceName: r.Name, Configs: []kmsg.IncrementalAlterConfigsRequestResourceConfig{x},
	}, false).asError()
}

// callOn is a call to whatever broker lives.
func (s *Sandbox) callOn(c *cluster) *call {
	at := slices.IndexFunc(c.brokers, func(b *broker) bool { return !b.fenced })
	return &call{cluster: c, sandbox: s, broker: c.brokers[max(at, 0)]}
}
