package planner_test

import (
	"fmt"
	"math/rand"
	"time"

	"pgregory.net/rapid"

	"ballast/config"
	"ballast/state"
)

// drawCluster draws a small cluster: brokers dead and alive, with and without
// racks, partitions in and out of sync, moves in flight.
func drawCluster(t *rapid.T) *state.Snapshot {
	s := &state.Snapshot{ClusterID: "drawn", TakenAt: time.Unix(0, 0)}
	racks := rapid.IntRange(0, 3).Draw(t, "racks")
	for id := range rapid.IntRange(1, 7).Draw(t, "brokers") {
		b := state.Broker{ID: state.BrokerID(id), Alive: id == 0 || rapid.IntRange(0, 6).Draw(t, "dead") > 0}
		if racks > 0 && (b.Alive || rapid.Bool().Draw(t, "rack known")) {
			b.Rack = fmt.Sprintf("r%d", id%racks)
		}
		if rapid.IntRange(0, 3).Draw(t, "log dirs") == 0 {
			b.LogDirs = []state.LogDir{{Path: "/d", Total: state.KnownSize(5000), Usable: state.KnownSize(int64(rapid.IntRange(0, 3000).Draw(t, "free")))}, {Path: "/broken", Offline: true}}
		}
		s.Brokers = append(s.Brokers, b)
	}
	for i := range rapid.IntRange(0, 4).Draw(t, "topics") {
		s.Topics = append(s.Topics, drawTopic(t, s, i))
	}
	return s
}

func drawTopic(t *rapid.T, s *state.Snapshot, i int) state.Topic {
	topic := state.Topic{Name: fmt.Sprintf("t%d", i), Config: map[string]state.ConfigValue{
		"min.insync.replicas": {Value: "1", Source: state.SourceDefault},
		"retention.ms":        {Value: "604800000", Source: state.SourceDefault},
	}}
	if rapid.Bool().Draw(t, "override") {
		topic.Config["min.insync.replicas"] = state.ConfigValue{Value: fmt.Sprint(rapid.IntRange(1, 3).Draw(t, "minISR")), Source: state.SourceTopic}
	}
	if rapid.Bool().Draw(t, "retention") {
		topic.Config["retention.ms"] = state.ConfigValue{Value: "1000", Source: state.SourceTopic}
	}
	if rapid.IntRange(0, 9).Draw(t, "unreadable") == 0 {
		topic.Config = nil
	}
	for p := range rapid.IntRange(1, 4).Draw(t, "partitions") {
		topic.Partitions = append(topic.Partitions, drawPartition(t, s, int32(p)))
	}
	return topic
}

func drawPartition(t *rapid.T, s *state.Snapshot, id int32) state.Partition {
	ids := rapid.Permutation(brokerIDs(s)).Draw(t, "replicas")
	p := state.Partition{ID: id, Replicas: ids[:rapid.IntRange(1, min(3, len(ids))).Draw(t, "rf")], Leader: state.NoLeader}
	if rapid.IntRange(0, 3).Draw(t, "sized") < 3 {
		p.Size = state.KnownSize(int64(rapid.IntRange(0, 1000).Draw(t, "bytes")))
	}
	if rapid.IntRange(0, 19).Draw(t, "unregistered") == 0 {
		p.Replicas = append([]state.BrokerID{90}, p.Replicas[1:]...)
	}
	for _, b := range p.Replicas {
		if live := s.Broker(b); live != nil && live.Alive && rapid.IntRange(0, 4).Draw(t, "lag") > 0 {
			p.ISR = append(p.ISR, b)
		}
	}
	if len(p.ISR) > 0 {
		p.Leader = p.ISR[rapid.IntRange(0, len(p.ISR)-1).Draw(t, "leader")]
	}
	if n := len(p.Replicas); n > 1 && rapid.IntRange(0, 5).Draw(t, "in flight") == 0 {
		switch first, last := p.Replicas[:1], p.Replicas[n-1:]; rapid.IntRange(0, 3).Draw(t, "how") {
		case 0:
			p.Adding = first
		case 1:
			p.Removing = last
		case 2: // one for another
			p.Adding, p.Removing = first, last
		case 3: // the old list was submitted: what is added goes again
			p.Adding, p.Removing = last, last
		}
	}
	return p
}

func brokerIDs(s *state.Snapshot) []state.BrokerID {
	var ids []state.BrokerID
	for _, b := range s.Brokers {
		ids = append(ids, b.ID)
	}
	return ids
}

// drawDesired draws a configuration for topics that exist and one that does not.
func drawDesired(t *rapid.T, s *state.Snapshot) *config.Desired {
	d := &config.Desired{Apply: config.DefaultApply(), Digest: "sha256:drawn", Files: []string{"main.hcl"}}
	d.Apply.MaxBatchPartitions = rapid.IntRange(1, 3).Draw(t, "batch")
	d.Apply.MaxMovesPerBroker = rapid.IntRange(1, 3).Draw(t, "moves per broker")
	d.Apply.Elections.Count = rapid.IntRange(1, 3).Draw(t, "elections")
	d.Apply.ReclaimFirst = rapid.Bool().Draw(t, "reclaim")
	for _, id := range brokerIDs(s) {
		if n := rapid.IntRange(0, 6).Draw(t, "broker"); n < 3 {
			d.Brokers = append(d.Brokers, config.Broker{ID: id, Drain: n == 0, Weight: n + 1})
		}
	}
	names := []string{"new"}
	for i := range s.Topics {
		names = append(names, s.Topics[i].Name)
	}
	for i, name := range names {
		at := config.Source{File: "main.hcl", Line: 10 * (i + 1)}
		switch rapid.IntRange(0, 5).Draw(t, "role") {
		case 0:
		case 1:
			if i == 0 {
				continue
			}
			d.Absent = append(d.Absent, config.AbsentTopic{Name: name, MaxBytes: 4000, Source: at})
		default:
			d.Topics = append(d.Topics, drawDeclared(t, s, name, at))
		}
	}
	d.Classes = []config.BrokerClass{{Name: "some", Brokers: []state.BrokerID{1, 2, 3, 4}}}
	d.Unmanaged.Replicas = rapid.SampledFrom([]config.UnmanagedReplicas{config.UnmanagedKeep, config.UnmanagedDrain, config.UnmanagedPlace}).Draw(t, "unmanaged")
	return d
}

func drawDeclared(t *rapid.T, s *state.Snapshot, name string, at config.Source) config.Topic {
	live := 1
	if have := s.Topic(name); have != nil {
		live = len(have.Partitions)
	}
	balances := []config.Balance{config.BalanceKeep, config.BalanceTopic, config.BalanceCluster}
	topic := config.Topic{
		Name: name, Source: at, Config: map[string]string{},
		Partitions:        live + rapid.SampledFrom([]int{0, 0, 1, 3, -1}).Draw(t, "partitions"),
		ReplicationFactor: min(rapid.IntRange(0, 3).Draw(t, "rf"), len(s.Brokers)),
	}
	if rapid.Bool().Draw(t, "minISR") {
		topic.Config["min.insync.replicas"] = fmt.Sprint(rapid.IntRange(1, 3).Draw(t, "minISR"))
	}
	if rapid.Bool().Draw(t, "retention") {
		topic.Config["retention.ms"] = rapid.SampledFrom([]string{"1000", "604800000", "-1"}).Draw(t, "ms")
	}
	r := &topic.Replicas
	r.Balance = rapid.SampledFrom(balances).Draw(t, "balance")
	r.RackSpread = rapid.SampledFrom([]config.RackSpread{"", "", "none", "even", "distinct"}).Draw(t, "spread")
	if rapid.IntRange(0, 4).Draw(t, "brokers") == 0 {
		r.Brokers = []state.BrokerID{0, 1, 2, 3}
	}
	drawRare(t, &topic)
	topic.Leaders.Balance = rapid.SampledFrom(balances).Draw(t, "leaders")
	if rapid.IntRange(0, 3).Draw(t, "leader racks") == 0 {
		topic.Leaders.Racks = []string{"r1", "r0"}
	}
	return topic
}

// drawRare draws rules that are seldom declared.
func drawRare(t *rapid.T, topic *config.Topic) {
	r := &topic.Replicas
	switch rapid.IntRange(0, 19).Draw(t, "rare") - 10 {
	case 0:
		r.PerRack = map[string]int{"r0": 1, "r1": rapid.IntRange(0, 2).Draw(t, "in r1")}
	case 1:
		r.Pin = map[int32][]state.BrokerID{0: {1, 0}}
	case 2:
		r.Class = "some"
	case 3:
		topic.IgnoreConfig = []string{"retention.*"}
	case 4:
		topic.Leaders.Brokers, topic.Leaders.Required = []state.BrokerID{2, 0}, true
	case 5:
		r.BalanceBy = config.ByBytes
	}
}

// shuffled is the same snapshot in another order.
func shuffled(s *state.Snapshot, seed int64) *state.Snapshot {
	r := rand.New(rand.NewSource(seed))
	c := *s
	c.Brokers = append([]state.Broker(nil), s.Brokers...)
	c.Topics = append([]state.Topic(nil), s.Topics...)
	r.Shuffle(len(c.Brokers), func(i, j int) { c.Brokers[i], c.Brokers[j] = c.Brokers[j], c.Brokers[i] })
	r.Shuffle(len(c.Topics), func(i, j int) { c.Topics[i], c.Topics[j] = c.Topics[j], c.Topics[i] })
	for i := range c.Topics {
		p := append([]state.Partition(nil), c.Topics[i].Partitions...)
		r.Shuffle(len(p), func(i, j int) { p[i], p[j] = p[j], p[i] })
		for j := range p {
			isr := append([]state.BrokerID(nil), p[j].ISR...)
			r.Shuffle(len(isr), func(a, b int) { isr[a], isr[b] = isr[b], isr[a] })
			p[j].ISR = isr
		}
		c.Topics[i].Partitions = p
	}
	return &c
}
