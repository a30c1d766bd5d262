package sandbox

import "github.com/twmb/franz-go/pkg/kmsg"

// brokerValue returns a broker config's effective value and its source: the
// broker's own, the cluster's default, server.properties, or Kafka's default.
// Without a broker, what holds for all of them. The source is 0 where the key
// has no value at all.
func (c *cluster) brokerValue(b *broker, key string) (string, kmsg.ConfigSource) {
	if b != nil {
		if v, ok := b.dynamic[key]; ok {
			return v, kmsg.ConfigSourceDynamicBrokerConfig
		}
	}
	if v, ok := c.defaults[key]; ok {
		return v, kmsg.ConfigSourceDynamicDefaultBrokerConfig
	}
	if b != nil {
		if v, ok := b.static[key]; ok {
			return v, kmsg.ConfigSourceStaticBrokerConfig
		}
	}
	if v, ok := c.static[key]; ok {
		return v, kmsg.ConfigSourceStaticBrokerConfig
	}
	if k := topicKeyFor[key]; k != nil {
		return k.value, kmsg.ConfigSourceDefaultConfig
	}
	if k := brokerKeyOf[key]; k != nil && !k.dynamic {
		return k.value, kmsg.ConfigSourceDefaultConfig
	}
	return "", 0
}

// topicValue returns a topic config's effective value and source, as the
// broker that is asked shows it.
func (c *cluster) topicValue(t *topic, key string, b *broker) (string, kmsg.ConfigSource) {
	if v, ok := t.overrides[key]; ok {
		return v, kmsg.ConfigSourceDynamicTopicConfig
	}
	return c.inherited(key, b)
}

// inherited is topicValue for a topic without override.
func (c *cluster) inherited(key string, b *broker) (string, kmsg.ConfigSource) {
	k := topicKeyOf[key]
	if k == nil {
		return "", 0
	}
	if k.broker != "" {
		return c.brokerValue(b, k.broker)
	}
	return k.value, kmsg.ConfigSourceDefaultConfig
}

// setTopic changes a topic's override; nil takes it away.
func (c *cluster) setTopic(t *topic, key string, value *string) {
	if delete(t.overrides, key); value != nil {
		t.overrides[key] = *value
	}
	switch key {
	case leaderList:
		t.leaderSide, _ = parseThrottled(t.overrides[key])
	case followerList:
		t.followSide, _ = parseThrottled(t.overrides[key])
	case "min.insync.replicas":
		for _, p := range t.partitions {
			p.elr = c.elrAfterMinISR(p)
		}
	}
	c.dirty = true
}

// elrAfterMinISR: a change of min.insync.replicas clears eligible leaders,
// except where they are all that could lead (KIP-966).
func (c *cluster) elrAfterMinISR(p *partition) []int32 {
	if len(p.isr) == 0 {
		return p.elr
	}
	return nil
}
