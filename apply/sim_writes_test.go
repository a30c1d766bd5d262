package apply

import (
	"context"
	"fmt"

	"ballast/state"
)

// do is a write of n items: the faults, the log, then the effect on each.
func (s *sim) do(op string, items []string, effect func(i int) error) ([]error, error) {
	if err := s.enter(); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var f simFault
	if s.fault != nil {
		f = s.fault(len(s.writes)+1, op)
	}
	s.writes = append(s.writes, simWrite{op, items})
	if f.killBefore {
		s.dead = true
		return nil, errKilled
	}
	errs := make([]error, len(items))
	for i := range items {
		if f.code != nil {
			errs[i] = f.code
			continue
		}
		errs[i] = effect(i)
	}
	if f.killAfter {
		s.dead = true
		return nil, errKilled
	}
	if f.lost {
		return nil, errLost
	}
	return errs, nil
}

func (s *sim) CreateTopics(_ context.Context, topics []state.NewTopic) ([]error, error) {
	return s.do("create", topicNames(topics), func(i int) error {
		n := topics[i]
		if s.topics[n.Name] != nil {
			return &state.Error{Code: state.CodeTopicExists, Name: "TOPIC_ALREADY_EXISTS"}
		}
		t := s.topic(n.Name, 0, n.Assignments...)
		for k, v := range n.Config {
			t.config[k] = &simValue{value: &v}
		}
		return nil
	})
}

func topicNames(topics []state.NewTopic) []string {
	var out []string
	for _, t := range topics {
		out = append(out, t.Name)
	}
	return out
}

func (s *sim) AddPartitions(_ context.Context, adds []state.NewPartitions) ([]error, error) {
	var items []string
	for _, a := range adds {
		items = append(items, a.Topic)
	}
	return s.do("add", items, func(i int) error {
		t := s.topics[adds[i].Topic]
		if t == nil {
			return &state.Error{Code: state.CodeUnknownTopicOrPartition, Name: "UNKNOWN_TOPIC_OR_PARTITION"}
		}
		for _, p := range t.parts {
			if p.inFlight() {
				s.violate("partitions were added to %s while a move of it is in flight", adds[i].Topic)
			}
		}
		if int(adds[i].Count) <= len(t.parts) {
			return &state.Error{Code: state.CodeInvalidPartitions, Name: "INVALID_PARTITIONS"}
		}
		for _, l := range adds[i].Assignments {
			if len(l) != len(t.parts[0].replicas) {
				return &state.Error{Code: state.CodeInvalidReplicaAssignment, Name: "INVALID_REPLICA_ASSIGNMENT"}
			}
		}
		for _, l := range adds[i].Assignments {
			t.parts = append(t.parts, newSimPart(l, 0))
		}
		return nil
	})
}

func (s *sim) AlterConfigs(_ context.Context, alters []state.AlterConfigs) ([]error, error) {
	var items []string
	for _, a := range alters {
		for _, c := range a.Changes {
			s.quiet(a.Resource, c)
		}
		items = append(items, a.Resource.Name)
	}
	return s.do("config", items, func(i int) error { return s.alter(alters[i]) })
}

// quiet notes changes that Kafka would refuse or clients would cut.
func (s *sim) quiet(res state.ConfigResource, c state.ConfigChange) {
	if c.Value != nil && (*c.Value == "" || len(*c.Value) > maxConfigBytes) {
		s.violate("%s of %s was set to a value of %d bytes", c.Name, res.Name, len(*c.Value))
	}
}

func (s *sim) alter(a state.AlterConfigs) error {
	m := s.configsOf(a.Resource)
	switch {
	case m == nil:
		return &state.Error{Code: state.CodeUnknownTopicOrPartition, Name: "UNKNOWN_TOPIC_OR_PARTITION"}
	case s.downBroker(a.Resource):
		s.violate("a config was sent to broker %s, which is down", a.Resource.Name)
		return &state.Error{Code: codeBrokerNotAvailable, Name: "BROKER_NOT_AVAILABLE"}
	}
	for _, c := range a.Changes {
		m[c.Name] = &simValue{value: c.Value, before: s.shown(m[c.Name]), shownAt: s.now.Add(s.configLag)}
	}
	return nil
}

func (s *sim) Reassign(_ context.Context, moves []state.Reassignment) ([]error, error) {
	op := "reassign"
	var items []string
	for _, m := range moves {
		if m.Replicas == nil {
			op = "cancel"
		}
		items = append(items, m.TopicPartition.String())
	}
	return s.do(op, items, func(i int) error { return s.reassign(moves[i]) })
}

func (s *sim) reassign(m state.Reassignment) error {
	t := s.topics[m.Topic]
	if t == nil || int(m.Partition) >= len(t.parts) {
		return &state.Error{Code: state.CodeUnknownTopicOrPartition, Name: "UNKNOWN_TOPIC_OR_PARTITION"}
	}
	p := t.parts[m.Partition]
	if m.Replicas == nil {
		return s.cancel(p)
	}
	if p.inFlight() {
		s.violate("%s was reassigned while it is in flight", m.TopicPartition)
	}
	for _, b := range m.Replicas {
		if s.brokers[b] == nil {
			return &state.Error{Code: state.CodeInvalidReplicaAssignment, Name: "INVALID_REPLICA_ASSIGNMENT"}
		}
	}
	s.submitted[fmt.Sprintf("%s>%v", m.TopicPartition, m.Replicas)]++
	p.original = p.replicas
	p.adding, p.removing = without(m.Replicas, p.replicas), without(p.replicas, m.Replicas)
	p.replicas = append(clone(m.Replicas), p.removing...)
	if !p.inFlight() {
		p.replicas = clone(m.Replicas)
	}
	if s.mustLimit {
		for _, b := range p.adding {
			if _, ok := s.limitOf(m.TopicPartition, b); !ok && s.brokers[b].alive {
				s.violate("%s was submitted before the throttle of broker %d showed", m.TopicPartition, b)
			}
		}
	}
	return nil
}

// cancel restores the set, with the list in another order where it can.
func (s *sim) cancel(p *simPart) error {
	if !p.inFlight() {
		return &state.Error{Code: state.CodeNoReassignment, Name: "NO_REASSIGNMENT_IN_PROGRESS"}
	}
	if p.leader < 0 {
		return &state.Error{Code: state.CodeInvalidReplicaAssignment, Name: "INVALID_REPLICA_ASSIGNMENT"}
	}
	p.replicas = without(p.replicas, p.adding)
	p.isr = keep(p.isr, p.replicas)
	p.adding, p.removing, p.got = nil, nil, map[brokerID]float64{}
	if !state.Contains(p.isr, p.leader) {
		p.leader = p.isr[0]
	}
	return nil
}

func (s *sim) ElectPreferred(_ context.Context, partitions []state.TopicPartition) ([]error, error) {
	var items []string
	for _, tp := range partitions {
		items = append(items, tp.String())
	}
	return s.do("elect", items, func(i int) error {
		t := s.topics[partitions[i].Topic]
		if t == nil {
			return &state.Error{Code: state.CodeUnknownTopicOrPartition, Name: "UNKNOWN_TOPIC_OR_PARTITION"}
		}
		p := t.parts[partitions[i].Partition]
		if !s.brokers[p.replicas[0]].alive || !state.Contains(p.isr, p.replicas[0]) {
			return &state.Error{Code: state.CodePreferredUnavailable, Name: "PREFERRED_LEADER_NOT_AVAILABLE"}
		}
		p.leader = p.replicas[0]
		return nil
	})
}

func (s *sim) DeleteTopics(_ context.Context, topics []string) ([]error, error) {
	return s.do("delete", topics, func(i int) error {
		if s.topics[topics[i]] == nil {
			return &state.Error{Code: state.CodeUnknownTopicOrPartition, Name: "UNKNOWN_TOPIC_OR_PARTITION"}
		}
		delete(s.topics, topics[i])
		return nil
	})
}
