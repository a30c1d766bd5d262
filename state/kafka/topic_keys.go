package kafka

import (
	"context"
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// probe is the name of a topic that is never created.
const probe = "ballast-validates-only"

// TopicConfigKeys are the topic configs that the brokers know, whatever topics
// there are. Kafka has no request that lists them, but the answer to a creation
// that is only validated does (KIP-525). Nothing is written. It wants the rights
// to create and to describe; without them it is an error.
func (c *Client) TopicConfigKeys(ctx context.Context) ([]string, error) {
	req := kmsg.NewPtrCreateTopicsRequest()
	req.TimeoutMillis, req.ValidateOnly = c.writeMillis(), true
	topic := kmsg.NewCreateTopicsRequestTopic()
	topic.Topic, topic.NumPartitions, topic.ReplicationFactor = probe, 1, 1
	req.Topics = append(req.Topics, topic)
	resp, err := c.writeAny(ctx, req)
	if err != nil {
		return nil, err
	}
	topics := resp.(*kmsg.CreateTopicsResponse).Topics
	if len(topics) != 1 {
		return nil, fmt.Errorf("the answer is about %d topics, asked for was one", len(topics))
	}
	if err := kafkaError(topics[0].ErrorCode, topics[0].ErrorMessage); err != nil {
		return nil, err
	}
	if err := kafkaError(topics[0].ConfigErrorCode, nil); err != nil {
		return nil, err
	}
	var keys []string
	for _, entry := range topics[0].Configs {
		keys = append(keys, entry.Name)
	}
	return keys, nil
}
