package sandbox

import (
	"maps"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
)

var sourceName = map[kmsg.ConfigSource]state.ConfigSource{
	kmsg.ConfigSourceDynamicTopicConfig:         state.SourceTopic,
	kmsg.ConfigSourceDynamicBrokerConfig:        state.SourceBroker,
	kmsg.ConfigSourceDynamicDefaultBrokerConfig: state.SourceCluster,
	kmsg.ConfigSourceStaticBrokerConfig:         state.SourceStatic,
	kmsg.ConfigSourceDefaultConfig:              state.SourceDefault,
}

// Snapshot returns the cluster as it is now.
func (s *Sandbox) Snapshot() *state.Snapshot {
	c, done := s.live()
	defer done()
	out := &state.Snapshot{ClusterID: c.id, TakenAt: c.now.UTC()}
	for _, b := range c.brokers {
		out.Brokers = append(out.Brokers, c.snapBroker(b))
	}
	for _, name := range c.names {
		out.Topics = append(out.Topics, c.snapTopic(c.topics[name]))
	}
	return out
}

func (c *cluster) snapBroker(b *broker) state.Broker {
	out := state.Broker{ID: state.BrokerID(b.id), Rack: b.rack, Host: b.host, Port: int(b.port), Alive: !b.fenced}
	if !b.running || b.fenced {
		return out
	}
	for _, d := range b.dirs {
		dir := state.LogDir{Path: d.path, Offline: d.offline}
		if d.total >= 0 && !d.offline {
			dir.Total = state.KnownSize(d.total)
		}
		if free, known := d.free(); known && !d.offline {
			dir.Usable = state.KnownSize(free)
		}
		out.LogDirs = append(out.LogDirs, dir)
	}
	out.Config = map[string]state.ConfigValue{}
	for _, key := range []string{leaderRate, followerRate} {
		if v, source := c.brokerValue(b, key); source != 0 {
			out.Config[key] = state.ConfigValue{Value: v, Source: sourceName[source]}
		}
	}
	return out
}

func (c *cluster) snapTopic(t *topic) state.Topic {
	out := state.Topic{Name: t.name, Internal: t.internal}
	for _, p := range t.partitions {
		v := state.Partition{ID: p.id, Replicas: toIDs(p.replicas), ISR: someIDs(p.isr), Leader: state.BrokerID(p.leader)}
		v.Adding, v.Removing, v.Offline, v.ELR = someIDs(p.adding), someIDs(p.removing), someIDs(c.offline(p, p.replicas)), someIDs(p.elr)
		if p.leader >= 0 {
			v.Size = state.KnownSize(p.size)
		}
		out.Partitions = append(out.Partitions, v)
	}
	if t.denied {
		return out
	}
	out.Config = make(map[string]state.ConfigValue, len(topicKeys))
	for i := range topicKeys {
		v, source := c.topicValue(t, topicKeys[i].name, nil)
		out.Config[topicKeys[i].name] = state.ConfigValue{Value: v, Source: sourceName[source]}
	}
	for key, v := range maps.All(t.overrides) {
		out.Config[key] = state.ConfigValue{Value: v, Source: state.SourceTopic}
	}
	return out
}

func someIDs(list []int32) []state.BrokerID {
	if len(list) == 0 {
		return nil
	}
	return toIDs(list)
}
