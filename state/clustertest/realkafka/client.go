package realkafka

import (
	"context"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
)

// awaitAlive waits until every running broker's metadata shows the given
// brokers alive. (Franz-go asks here, so that the client under test is not
// what says that the cluster is there.)
func (c *Cluster) awaitAlive(ctx context.Context, ids ...state.BrokerID) error {
	for {
		missing := c.missing(ctx, ids)
		if missing == nil {
			return nil
		}
		for _, id := range append(ids, ControllerID) {
			if n := c.nodes[id]; !n.running() {
				return fmt.Errorf("node %d has ended:\n%s", id, n.tail(3000))
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("not all brokers came alive: %w", missing)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// missing says which broker is not alive in whose eyes, or nil.
func (c *Cluster) missing(ctx context.Context, ids []state.BrokerID) error {
	for _, asked := range c.Brokers() {
		if !c.nodes[asked].running() {
			continue
		}
		alive, err := c.alive(ctx, asked)
		if err != nil {
			return fmt.Errorf("broker %d: %w", asked, err)
		}
		for _, id := range ids {
			if id != ControllerID && !alive[id] {
				return fmt.Errorf("broker %d is not alive in the metadata of broker %d", id, asked)
			}
		}
	}
	return nil
}

// alive asks one broker which brokers are alive.
func (c *Cluster) alive(ctx context.Context, asked state.BrokerID) (map[state.BrokerID]bool, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	cl, err := kgo.NewClient(kgo.SeedBrokers(c.Address(asked)), kgo.RetryTimeout(time.Second))
	if err != nil {
		return nil, err
	}
	defer cl.Close()
	req := kmsg.NewPtrMetadataRequest()
	req.Topics = []kmsg.MetadataRequestTopic{}
	resp, err := cl.SeedBrokers()[0].Request(ctx, req)
	if err != nil {
		return nil, err
	}
	alive := map[state.BrokerID]bool{}
	for _, b := range resp.(*kmsg.MetadataResponse).Brokers {
		alive[state.BrokerID(b.NodeID)] = true
	}
	return alive, nil
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
