package realkafka

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
)

// awaitAlive waits until every running broker's metadata shows the given
// brokers alive. (Franz-go asks here, so that the client under test is not
// what says that the cluster is there.)
func (c *Cluster) awaitAlive(ctx context.Context, ids ...state.BrokerID) error {
	err := c.untilAllShow(ctx, append(ids, ControllerID), nil, func(m *kmsg.MetadataResponse) error {
		for _, id := range ids {
			if id != ControllerID && !slices.ContainsFunc(m.Brokers, func(b kmsg.MetadataResponseBroker) bool { return b.NodeID == int32(id) }) {
				return fmt.Errorf("broker %d is not alive", id)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("not all brokers came alive: %w", err)
	}
	return nil
}

// AwaitTopics waits until every running broker knows the topics. The controller
// answers for a topic's creation, and a busy broker hears of it later: another
// client, or the same at another broker, would not find it.
func (c *Cluster) AwaitTopics(ctx context.Context, topics ...string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	return c.untilAllShow(ctx, nil, topics, func(m *kmsg.MetadataResponse) error {
		for _, t := range m.Topics {
			if t.ErrorCode != 0 || slices.ContainsFunc(t.Partitions, func(p kmsg.MetadataResponseTopicPartition) bool { return p.Leader < 0 }) {
				return fmt.Errorf("the topic %q, or a leader of it, is not known", *t.Topic)
			}
		}
		return nil
	})
}

// untilAllShow waits until nothing is missing in any running broker's metadata of
// brokers and the named topics. It ends with an error where one of the nodes that
// are waited for has ended.
func (c *Cluster) untilAllShow(ctx context.Context, nodes []state.BrokerID, topics []string, missing func(*kmsg.MetadataResponse) error) error {
	for {
		err := c.missingAnywhere(ctx, topics, missing)
		if err == nil {
			return nil
		}
		for _, id := range nodes {
			if n := c.nodes[id]; !n.running() {
				return fmt.Errorf("node %d has ended:\n%s", id, n.tail(3000))
			}
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// missingAnywhere says what is missing in which running broker's metadata, or nil.
func (c *Cluster) missingAnywhere(ctx context.Context, topics []string, missing func(*kmsg.MetadataResponse) error) error {
	for _, asked := range c.Brokers() {
		if !c.nodes[asked].running() {
			continue
		}
		m, err := c.metadata(ctx, asked, topics...)
		if err == nil {
			err = missing(m)
		}
		if err != nil {
			return fmt.Errorf("broker %d: %w", asked, err)
		}
	}
	return nil
}

// metadata asks one broker for what it knows of brokers and the named topics.
func (c *Cluster) metadata(ctx context.Context, asked state.BrokerID, topics ...string) (*kmsg.MetadataResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	cl, err := kgo.NewClient(kgo.SeedBrokers(c.Address(asked)), kgo.RetryTimeout(time.Second))
	if err != nil {
		return nil, err
	}
	defer cl.Close()
	req := kmsg.NewPtrMetadataRequest()
	req.Topics = make([]kmsg.MetadataRequestTopic, len(topics))
	for i := range topics {
		req.Topics[i].Topic = &topics[i]
	}
	resp, err := cl.SeedBrokers()[0].Request(ctx, req)
	if err != nil {
		return nil, err
	}
	return resp.(*kmsg.MetadataResponse), nil
}

// Fill appends about that many bytes to a partition, acknowledged by all
// replicas in sync.
func (c *Cluster) Fill(ctx context.Context, topic string, partition int32, bytes int64) error {
	cl, err := kgo.NewClient(kgo.SeedBrokers(c.Bootstrap()...), kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.ProducerBatchCompression(kgo.NoCompression()), kgo.DisableIdempotentWrite(), kgo.RecordDeliveryTimeout(time.Minute))
	if err != nil {
		return err
	}
	defer cl.Close()
	value := make([]byte, 10_000)
	for i := range value {
		value[i] = byte(i * 7)
	}
	var records []*kgo.Record
	for range (bytes + int64(len(value)) - 1) / int64(len(value)) {
		records = append(records, &kgo.Record{Topic: topic, Partition: partition, Value: value})
	}
	return cl.ProduceSync(ctx, records...).FirstErr()
}
