package state

import (
	"fmt"
	"time"

	"pgregory.net/rapid"
)

// drawSnapshot draws any snapshot that a cluster may have, normalised.
func drawSnapshot(t *rapid.T) *Snapshot {
	s := &Snapshot{
		ClusterID: rapid.StringN(1, 22, -1).Draw(t, "cluster"),
		TakenAt:   time.Unix(rapid.Int64Range(0, 1<<33).Draw(t, "taken"), 0).UTC(),
	}
	n := rapid.IntRange(1, 7).Draw(t, "brokers")
	for i := range n {
		s.Brokers = append(s.Brokers, drawBroker(t, BrokerID(i*i)))
	}
	for i := range rapid.IntRange(0, 4).Draw(t, "topics") {
		topic := Topic{Name: fmt.Sprintf("t%d", i), Internal: rapid.Bool().Draw(t, "internal"), Config: drawConfig(t)}
		for j := range rapid.IntRange(1, 5).Draw(t, "partitions") {
			topic.Partitions = append(topic.Partitions, drawPartition(t, s.Brokers, int32(j)))
		}
		s.Topics = append(s.Topics, topic)
	}
	if rapid.Bool().Draw(t, "unread") {
		s.Unread = []Unread{{"topic_config", "t0", rapid.String().Draw(t, "reason")}}
	}
	return s
}

func drawBroker(t *rapid.T, id BrokerID) Broker {
	b := Broker{ID: id, Rack: rapid.SampledFrom([]string{"", "r1", "r\"2\\", "ü"}).Draw(t, "rack"), Alive: rapid.Bool().Draw(t, "alive"), Config: drawConfig(t)}
	if rapid.Bool().Draw(t, "host") {
		b.Host, b.Port = "host", rapid.IntRange(0, 65535).Draw(t, "port")
	}
	if rapid.Bool().Draw(t, "dirs known") {
		b.LogDirs = []LogDir{}
		for i := range rapid.IntRange(0, 2).Draw(t, "dirs") {
			b.LogDirs = append(b.LogDirs, LogDir{Path: fmt.Sprintf("/d%d", i), Total: drawSize(t), Usable: drawSize(t), Offline: rapid.Bool().Draw(t, "offline")})
		}
	}
	return b
}

func drawSize(t *rapid.T) Size {
	if rapid.Bool().Draw(t, "known") {
		return KnownSize(rapid.Int64Range(0, 1<<40).Draw(t, "bytes"))
	}
	return Size{}
}

func drawConfig(t *rapid.T) map[string]ConfigValue {
	if rapid.Bool().Draw(t, "unknown") {
		return nil
	}
	sources := []ConfigSource{SourceTopic, SourceBroker, SourceCluster, SourceStatic, SourceDefault}
	return rapid.MapOfN(rapid.String(), rapid.Custom(func(t *rapid.T) ConfigValue {
		return ConfigValue{rapid.String().Draw(t, "value"), rapid.SampledFrom(sources).Draw(t, "source")}
	}), 0, 3).Draw(t, "config")
}

func drawPartition(t *rapid.T, brokers []Broker, id int32) Partition {
	var all []BrokerID
	for _, b := range brokers {
		all = append(all, b.ID)
	}
	all = rapid.Permutation(all).Draw(t, "order")
	p := Partition{ID: id, Leader: NoLeader, Size: drawSize(t)}
	p.Replicas = all[:rapid.IntRange(1, len(all)).Draw(t, "rf")]
	p.ISR = drawSet(t, p.Replicas)
	p.Adding = drawSet(t, p.Replicas)
	p.Removing = drawSet(t, p.Replicas)
	p.Offline = drawSet(t, p.Replicas)
	p.ELR = drawSet(t, p.Replicas)
	if len(p.ISR) > 0 {
		p.Leader = p.ISR[0]
	}
	if err := p.normalize(); err != nil {
		t.Fatal(err)
	}
	return p
}

func drawSet(t *rapid.T, of []BrokerID) []BrokerID {
	var set []BrokerID
	for _, b := range of {
		if rapid.Bool().Draw(t, "in") {
			set = append(set, b)
		}
	}
	return set
}
