package planner

import (
	"sort"

	"ballast/state"
)

// Replay is the snapshot after a step, if all goes well: moves have ended with
// every live replica in sync, elections were won. The snapshot given is not
// changed; what the step does not touch is shared with it.
func Replay(s *state.Snapshot, step Step) *state.Snapshot {
	r := newReplay(s)
	r.apply(&step)
	return r.snapshot()
}

// replay is a snapshot with what steps have changed since laid over it.
type replay struct {
	base     *state.Snapshot
	alive    map[state.BrokerID]bool
	changed  map[string]*state.Topic // our own copies; nil for a topic that is gone
	inherits *inheritance
}

func newReplay(s *state.Snapshot) *replay {
	r := &replay{base: s, alive: map[state.BrokerID]bool{}, changed: map[string]*state.Topic{}, inherits: newInheritance(s)}
	for i := range s.Brokers {
		r.alive[s.Brokers[i].ID] = s.Brokers[i].Alive
	}
	return r
}

// topic returns the topic as it is now, to be read only, or nil.
func (r *replay) topic(name string) *state.Topic {
	if t, ok := r.changed[name]; ok {
		return t
	}
	return r.base.Topic(name)
}

// own returns a copy of the topic that may be written to, or nil.
func (r *replay) own(name string) *state.Topic {
	if t, ok := r.changed[name]; ok {
		return t
	}
	t := r.base.Topic(name)
	if t == nil {
		return nil
	}
	c := *t
	c.Partitions = append([]state.Partition(nil), t.Partitions...)
	r.changed[name] = &c
	return &c
}

// settle ends every move in flight where it is going.
func (r *replay) settle() {
	for i := range r.base.Topics {
		t := &r.base.Topics[i]
		for j := range t.Partitions {
			if t.Partitions[j].InFlight() {
				r.place(&r.own(t.Name).Partitions[j], t.Partitions[j].Target())
			}
		}
	}
}

func (r *replay) apply(s *Step) {
	switch s.Kind {
	case CreateTopic:
		r.changed[s.Topic] = &state.Topic{Name: s.Topic, Partitions: r.fresh(s.Moves), Config: map[string]state.ConfigValue{}}
		r.configure(s)
	case AddPartitions:
		if t := r.own(s.Topic); t != nil {
			t.Partitions = append(t.Partitions, r.fresh(s.Moves)...)
		}
	case SetConfig:
		r.configure(s)
	case Reassign:
		r.reassign(s.Moves)
	case ElectLeaders:
		r.elect(s.Moves)
	case DeleteTopic:
		r.changed[s.Topic] = nil
	}
}

// fresh are partitions as they are just after their creation.
func (r *replay) fresh(moves []Move) []state.Partition {
	out := make([]state.Partition, len(moves))
	for i, m := range moves {
		out[i] = state.Partition{ID: m.Partition, Leader: state.NoLeader, Size: state.KnownSize(0)}
		r.place(&out[i], m.After)
	}
	return out
}

// place puts a partition on the replicas with every live one in sync. The
// leader stays where it can, else it is the first live one (KIP-455).
func (r *replay) place(p *state.Partition, replicas []state.BrokerID) {
	p.Replicas, p.Adding, p.Removing, p.Offline, p.ELR = replicas, nil, nil, nil, nil
	p.ISR = replicas
	for _, b := range replicas {
		if !r.alive[b] {
			p.ISR = r.live(replicas)
			break
		}
	}
	if !state.Contains(p.ISR, p.Leader) {
		p.Leader = state.NoLeader
		if len(p.ISR) > 0 {
			p.Leader = p.ISR[0]
		}
	}
}

// live are those of the list that are alive, in its order.
func (r *replay) live(list []state.BrokerID) []state.BrokerID {
	out := make([]state.BrokerID, 0, len(list))
	for _, b := range list {
		if r.alive[b] {
			out = append(out, b)
		}
	}
	return out
}

// configure sets overrides. One that is deleted gives way to the inherited
// value where the cluster shows it.
func (r *replay) configure(s *Step) {
	t := r.own(s.Topic)
	if t == nil {
		return
	}
	config := make(map[string]state.ConfigValue, len(t.Config)+len(s.Config))
	for k, v := range t.Config {
		config[k] = v
	}
	for _, c := range s.Config {
		if c.After != nil {
			config[c.Name] = state.ConfigValue{Value: *c.After, Source: state.SourceTopic}
		} else if v, ok := r.inherits.value(c.Name); ok {
			config[c.Name] = v
		} else {
			delete(config, c.Name)
		}
	}
	t.Config = config
}

func (r *replay) reassign(moves []Move) {
	for _, m := range moves {
		if p := r.partition(m); p != nil {
			r.place(p, m.After)
		}
	}
}

func (r *replay) elect(moves []Move) {
	for _, m := range moves {
		if p := r.partition(m); p != nil && len(p.Replicas) > 0 && state.Contains(p.ISR, p.Replicas[0]) {
			p.Leader = p.Replicas[0]
		}
	}
}

// partition returns the partition that a move is of, to be written to, or nil.
func (r *replay) partition(m Move) *state.Partition {
	t := r.own(m.Topic)
	if t == nil || int(m.Partition) >= len(t.Partitions) {
		return nil
	}
	return &t.Partitions[m.Partition]
}

// snapshot is what all steps so far have made.
func (r *replay) snapshot() *state.Snapshot {
	out := *r.base
	out.Topics = make([]state.Topic, 0, len(r.base.Topics)+len(r.changed))
	for i := range r.base.Topics {
		t := &r.base.Topics[i]
		if _, ok := r.changed[t.Name]; !ok {
			out.Topics = append(out.Topics, *t)
		}
	}
	for _, t := range r.changed {
		if t != nil {
			out.Topics = append(out.Topics, *t)
		}
	}
	sort.Slice(out.Topics, func(i, j int) bool { return out.Topics[i].Name < out.Topics[j].Name })
	return &out
}
