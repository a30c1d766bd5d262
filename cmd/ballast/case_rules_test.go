package main

import (
	"slices"

	"ballast/state"
)

// declared is what a case's configuration declares, in a form without HCL.
type declared struct {
	Drain  brokers
	Topics map[string]declaredTopic
}

type declaredTopic struct {
	Partitions        int
	ReplicationFactor int `json:"replication_factor"`
	Brokers           brokers
	Racks             []string
	RackSpread        string         `json:"rack_spread"`
	LeaderBrokers     brokers        `json:"leader_brokers"`
	PerRack           map[string]int `json:"per_rack"`
	Pin               map[int32]brokers
}

func rackOf(s *state.Snapshot, id state.BrokerID) string {
	if b := s.Broker(id); b != nil {
		return b.Rack
	}
	return ""
}

// takers are the brokers that may be given replicas.
func (j *judged) takers() (out brokers) {
	for _, b := range j.before.Brokers {
		if b.Alive && !slices.Contains(j.want.Rules.Drain, b.ID) {
			out = append(out, b.ID)
		}
	}
	return out
}

func (j *judged) eligible(topic string) (out brokers) {
	rule := j.want.Rules.Topics[topic]
	for _, b := range j.takers() {
		if (rule.Brokers == nil || slices.Contains(rule.Brokers, b)) && (rule.Racks == nil || slices.Contains(rule.Racks, rackOf(j.before, b))) {
			out = append(out, b)
		}
	}
	return out
}

// checkRules compares the final state with what is declared.
func (j *judged) checkRules() {
	before := layout(j.before)
	for name, rule := range j.want.Rules.Topics {
		t := j.after.Topic(name)
		if t == nil {
			j.Errorf("%s is not in the final state", name)
			continue
		}
		if rule.Partitions > 0 && len(t.Partitions) != rule.Partitions {
			j.Errorf("%s: %d partitions, declared %d", name, len(t.Partitions), rule.Partitions)
		}
		for _, p := range t.Partitions {
			tp := state.TopicPartition{Topic: name, Partition: p.ID}
			j.checkPartition(tp, rule, p.Replicas, before[tp])
		}
	}
}

func (j *judged) checkPartition(tp state.TopicPartition, rule declaredTopic, replicas, before brokers) {
	if rule.ReplicationFactor > 0 && len(replicas) != rule.ReplicationFactor {
		j.Errorf("%s has %d replicas, declared %d", show(tp), len(replicas), rule.ReplicationFactor)
	}
	eligible := j.eligible(tp.Topic)
	for _, b := range replicas {
		stays := slices.Contains(before, b) && !alive(j.before, b) && !slices.Contains(j.want.Rules.Drain, b)
		if !slices.Contains(eligible, b) && !stays {
			j.Errorf("%s on %v: broker %d is not eligible", show(tp), replicas, b)
		}
	}
	if pin := rule.Pin[tp.Partition]; pin != nil {
		if !slices.Equal(pin, replicas) {
			j.Errorf("%s on %v is pinned to %v", show(tp), replicas, pin)
		}
		return
	}
	j.checkRacks(tp, rule, replicas, eligible)
}

func (j *judged) checkRacks(tp state.TopicPartition, rule declaredTopic, replicas, eligible brokers) {
	held, racks := map[string]int{}, map[string]bool{}
	for _, b := range replicas {
		held[rackOf(j.before, b)]++
	}
	for _, b := range eligible {
		if r := rackOf(j.before, b); r != "" {
			racks[r] = true
		}
	}
	for r, n := range held {
		if rule.RackSpread == "distinct" && n > 1 {
			j.Errorf("%s on %v: %d replicas in rack %s", show(tp), replicas, n, r)
		}
	}
	for r := range racks {
		low := len(replicas) / len(racks)
		high := (len(replicas) + len(racks) - 1) / len(racks)
		if rule.RackSpread == "even" && (held[r] < low || held[r] > high) {
			j.Errorf("%s on %v: rack %s holds %d, even means %d to %d", show(tp), replicas, r, held[r], low, high)
		}
	}
	for r, n := range rule.PerRack {
		if held[r] != n {
			j.Errorf("%s on %v: rack %s holds %d, per_rack says %d", show(tp), replicas, r, held[r], n)
		}
	}
}
