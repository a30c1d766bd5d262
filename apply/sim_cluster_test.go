package apply

import (
	"context"
	"fmt"
	"strconv"

	"ballast/state"
)

func (s *sim) enter() error {
	s.mu.Lock()
	if s.dead {
		s.mu.Unlock()
		return errKilled
	}
	return nil
}

func (s *sim) Snapshot(context.Context) (*state.Snapshot, error) {
	if err := s.enter(); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	return s.snapshot(nil, true), nil
}

func (s *sim) Metadata(_ context.Context, topics []string) (*state.Snapshot, error) {
	if err := s.enter(); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	return s.snapshot(topics, false), nil
}

func (s *sim) snapshot(topics []string, whole bool) *state.Snapshot {
	out := &state.Snapshot{ClusterID: "sim", TakenAt: s.now}
	for _, id := range s.ids() {
		b := s.brokers[id]
		sb := state.Broker{ID: id, Rack: b.rack, Host: "h", Port: 9092, Alive: b.alive}
		if whole && b.alive {
			sb.Config = s.values(b.config, []string{followerRate, leaderRate}, state.SourceBroker)
			sb.LogDirs = []state.LogDir{{Path: "/d", Total: state.KnownSize(2e15), Usable: state.KnownSize(b.usable)}}
		}
		out.Brokers = append(out.Brokers, sb)
	}
	for _, name := range s.names() {
		if topics != nil && !contains(topics, name) {
			continue
		}
		t := s.topics[name]
		st := state.Topic{Name: name}
		if whole {
			st.Config = s.values(t.config, nil, state.SourceTopic)
			if _, ok := st.Config[minISRConfig]; !ok {
				st.Config[minISRConfig] = state.ConfigValue{Value: "1", Source: state.SourceDefault}
			}
		}
		for i, p := range t.parts {
			sp := state.Partition{ID: int32(i), Replicas: clone(p.replicas), ISR: clone(p.isr), Leader: p.leader, Adding: clone(p.adding), Removing: clone(p.removing)}
			for _, b := range p.replicas {
				if !s.brokers[b].alive {
					sp.Offline = append(sp.Offline, b)
				}
			}
			if whole {
				sp.ELR = p.elr // as the real client: in snapshots alone
				sp.Size = state.KnownSize(int64(p.size))
			}
			st.Partitions = append(st.Partitions, sp)
		}
		out.Topics = append(out.Topics, st)
	}
	return out
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func clone(l []brokerID) []brokerID { return append([]brokerID(nil), l...) }

func (s *sim) values(m map[string]*simValue, keys []string, source state.ConfigSource) map[string]state.ConfigValue {
	out := map[string]state.ConfigValue{}
	for k, v := range m {
		if text := s.shown(v); text != nil && (keys == nil || contains(keys, k)) {
			out[k] = state.ConfigValue{Value: *text, Source: source}
		}
	}
	return out
}

func (s *sim) Reassignments(context.Context) ([]state.OngoingReassignment, error) {
	if err := s.enter(); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var out []state.OngoingReassignment
	for _, name := range s.names() {
		for i, p := range s.topics[name].parts {
			if p.inFlight() {
				out = append(out, state.OngoingReassignment{TopicPartition: state.TopicPartition{Topic: name, Partition: int32(i)},
					Replicas: clone(p.replicas), Adding: clone(p.adding), Removing: clone(p.removing)})
			}
		}
	}
	return out, nil
}

func (s *sim) Configs(_ context.Context, resources []state.ConfigResource, keys []string) ([]map[string]state.ConfigValue, []error, error) {
	if err := s.enter(); err != nil {
		return nil, nil, err
	}
	defer s.mu.Unlock()
	out := make([]map[string]state.ConfigValue, len(resources))
	errs := make([]error, len(resources))
	for i, res := range resources {
		m := s.configsOf(res)
		if m == nil {
			errs[i] = &state.Error{Code: state.CodeUnknownTopicOrPartition, Name: "UNKNOWN_TOPIC_OR_PARTITION"}
			continue
		}
		if s.downBroker(res) {
			return nil, nil, fmt.Errorf("broker %s does not answer", res.Name)
		}
		source := state.SourceTopic
		if res.Type == state.BrokerResource {
			source = state.SourceBroker
		}
		out[i] = s.values(m, keys, source)
	}
	return out, errs, nil
}

func (s *sim) downBroker(res state.ConfigResource) bool {
	n, _ := strconv.Atoi(res.Name)
	return res.Type == state.BrokerResource && !s.brokers[brokerID(n)].alive
}

func (s *sim) LogDirs(_ context.Context, brokers []state.BrokerID) ([]state.BrokerLogDirs, []error, error) {
	if err := s.enter(); err != nil {
		return nil, nil, err
	}
	defer s.mu.Unlock()
	out := make([]state.BrokerLogDirs, len(brokers))
	errs := make([]error, len(brokers))
	for i, b := range brokers {
		if !s.brokers[b].alive {
			errs[i] = fmt.Errorf("broker %d does not answer", b)
			continue
		}
		out[i] = state.BrokerLogDirs{Broker: b, Dirs: []state.LogDir{{Path: "/d", Total: state.KnownSize(2e15), Usable: state.KnownSize(s.brokers[b].usable)}}}
		for _, name := range s.names() {
			for id, p := range s.topics[name].parts {
				if !state.Contains(p.replicas, b) {
					continue
				}
				bytes := p.size
				if state.Contains(p.adding, b) && !state.Contains(p.isr, b) {
					bytes = min(p.got[b], p.size)
				}
				out[i].Replicas = append(out[i].Replicas, state.ReplicaSize{TopicPartition: state.TopicPartition{Topic: name, Partition: int32(id)}, Broker: b, Dir: "/d", Bytes: int64(bytes)})
			}
		}
	}
	return out, errs, nil
}

func (s *sim) Voters(context.Context) ([]brokerID, error) {
	if err := s.enter(); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	return s.voters, s.secret
}

func (s *sim) Offsets(_ context.Context, topic string) (map[int32]state.Offsets, error) {
	if err := s.enter(); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	t := s.topics[topic]
	if t == nil {
		return nil, &state.Error{Code: state.CodeUnknownTopicOrPartition, Name: "UNKNOWN_TOPIC_OR_PARTITION"}
	}
	out := map[int32]state.Offsets{}
	for i, p := range t.parts {
		out[int32(i)] = state.Offsets{Earliest: p.earliest, Latest: p.latest}
	}
	return out, nil
}

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
