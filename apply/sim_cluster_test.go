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
