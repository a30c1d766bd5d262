package main

import (
	"slices"
	"sort"

	"ballast/planner"
	"ballast/state"
)

type brokers = []state.BrokerID

// layout is where each partition's replicas are, moves in flight taken as done.
func layout(s *state.Snapshot) map[state.TopicPartition]brokers {
	out := map[state.TopicPartition]brokers{}
	for _, t := range s.Topics {
		for i := range t.Partitions {
			out[state.TopicPartition{Topic: t.Name, Partition: t.Partitions[i].ID}] = t.Partitions[i].Target()
		}
	}
	return out
}

func alive(s *state.Snapshot, id state.BrokerID) bool {
	b := s.Broker(id)
	return b != nil && b.Alive
}

func living(s *state.Snapshot, list brokers) brokers {
	var out brokers
	for _, id := range list {
		if alive(s, id) {
			out = append(out, id)
		}
	}
	return out
}

// replayChanges makes the plan's changes on a copy of the snapshot. It shares
// nothing with the planner's own Replay.
func (j *judged) replayChanges() *state.Snapshot {
	s := *j.before
	topics := map[string]state.Topic{}
	for _, t := range s.Topics {
		topics[t.Name] = j.landed(t)
	}
	for _, c := range j.plan.Changes {
		if c.Action == planner.Delete {
			delete(topics, c.Topic)
			continue
		}
		topics[c.Topic] = j.changed(topics[c.Topic], c)
	}
	s.Topics = nil
	for _, t := range topics {
		s.Topics = append(s.Topics, t)
	}
	sort.Slice(s.Topics, func(a, b int) bool { return s.Topics[a].Name < s.Topics[b].Name })
	return &s
}

// landed is a topic whose moves in flight have ended.
func (j *judged) landed(t state.Topic) state.Topic {
	t.Partitions = slices.Clone(t.Partitions)
	for i := range t.Partitions {
		if p := &t.Partitions[i]; p.InFlight() {
			j.put(p, p.Target())
		}
	}
	return t
}

// put gives a partition a list of replicas, all living ones in sync.
func (j *judged) put(p *state.Partition, list brokers) {
	p.Replicas, p.Adding, p.Removing, p.Offline = list, nil, nil, nil
	p.ISR = slices.Clone(living(j.before, list))
	slices.Sort(p.ISR)
	if !slices.Contains(p.ISR, p.Leader) {
		p.Leader = state.NoLeader
		if l := living(j.before, list); len(l) > 0 {
			p.Leader = l[0]
		}
	}
}

func (j *judged) changed(t state.Topic, c planner.Change) state.Topic {
	if t.Name == "" {
		t = state.Topic{Name: c.Topic, Config: map[string]state.ConfigValue{}}
	}
	for _, a := range c.Assignments {
		i := slices.IndexFunc(t.Partitions, func(p state.Partition) bool { return p.ID == a.Partition })
		if i < 0 {
			t.Partitions = append(t.Partitions, state.Partition{ID: a.Partition, Leader: state.NoLeader, Size: state.KnownSize(0)})
			i = len(t.Partitions) - 1
		}
		j.put(&t.Partitions[i], a.After)
		if alive(j.before, a.After[0]) {
			t.Partitions[i].Leader = a.After[0]
		}
	}
	t.Config = configAfter(t.Config, c.Config)
	return t
}

func configAfter(before map[string]state.ConfigValue, changes []planner.ConfigChange) map[string]state.ConfigValue {
	if before == nil && len(changes) == 0 {
		return nil
	}
	after := map[string]state.ConfigValue{}
	for k, v := range before {
		after[k] = v
	}
	for _, c := range changes {
		delete(after, c.Name)
		if c.After != nil {
			after[c.Name] = state.ConfigValue{Value: *c.After, Source: c.AfterSource}
		}
	}
	return after
}

// minISR is a topic's min.insync.replicas in effect.
func minISR(s *state.Snapshot, topic string) int {
	if t := s.Topic(topic); t != nil {
		if n, ok := t.MinISR(); ok {
			return n
		}
	}
	return 1
}

// steps is the replay of a plan's steps, told apart from its changes.
type steps struct {
	*judged
	layout  map[state.TopicPartition]brokers
	leaders map[state.TopicPartition]state.BrokerID
	inSync  map[state.TopicPartition]int
	floor   map[string]int // min ISR as the steps have set it
	grown   map[string]bool
}

// checkSteps replays the steps: they are legal, safe, and end where the
// changes end.
func (j *judged) checkSteps() {
	s := &steps{j, layout(j.before), map[state.TopicPartition]state.BrokerID{}, map[state.TopicPartition]int{}, map[string]int{}, map[string]bool{}}
	for _, t := range j.before.Topics {
		for _, p := range t.Partitions {
			tp := state.TopicPartition{Topic: t.Name, Partition: p.ID}
			s.leaders[tp], s.inSync[tp] = p.Leader, len(living(j.before, p.ISR))
		}
	}
	for _, step := range j.plan.Steps {
		s.take(step)
	}
	s.ended()
}

func (s *steps) take(step planner.Step) {
	switch step.Kind {
	case planner.CreateTopic, planner.AddPartitions:
		s.create(step)
	case planner.Reassign:
		s.reassign(step)
	case planner.ElectLeaders:
		for _, m := range step.Moves {
			tp := key(m)
			if alive(s.before, s.layout[tp][0]) {
				s.leaders[tp] = s.layout[tp][0]
			}
		}
	case planner.SetConfig:
		for _, c := range step.Config {
			if c.Name == "min.insync.replicas" {
				s.raiseFloor(step)
			}
		}
	case planner.DeleteTopic:
		for tp := range s.layout {
			if tp.Topic == step.Topic {
				delete(s.layout, tp)
			}
		}
	default:
		s.Errorf("step %d: unknown kind %q", step.ID, step.Kind)
	}
}

func key(m planner.Move) state.TopicPartition {
	return state.TopicPartition{Topic: m.Topic, Partition: m.Partition}
}

func (s *steps) create(step planner.Step) {
	exists := s.before.Topic(step.Topic) != nil
	if exists == (step.Kind == planner.CreateTopic) {
		s.Errorf("step %d: %s of %q, which exists: %v", step.ID, step.Kind, step.Topic, exists)
	}
	for _, m := range step.Moves {
		tp := key(m)
		if s.layout[tp] != nil {
			s.Errorf("step %d: creates %s, which exists", step.ID, show(tp))
		}
		s.layout[tp], s.leaders[tp], s.inSync[tp] = m.After, m.After[0], len(living(s.before, m.After))
	}
	s.grown[step.Topic] = s.grown[step.Topic] || step.Kind == planner.AddPartitions
}

func (s *steps) reassign(step planner.Step) {
	for _, m := range step.Moves {
		tp := key(m)
		if s.grown[tp.Topic] {
			s.Errorf("step %d: %s is reassigned after its topic has grown", step.ID, show(tp))
		}
		if !slices.Equal(m.Before, s.layout[tp]) {
			s.Errorf("step %d: %s is said to be %v, is %v", step.ID, show(tp), m.Before, s.layout[tp])
		}
		live := living(s.before, m.After)
		s.safe(step, tp, len(live), s.floorOf(tp.Topic))
		s.layout[tp], s.inSync[tp] = m.After, len(live)
		if !slices.Contains(live, s.leaders[tp]) && len(live) > 0 {
			s.leaders[tp] = live[0]
		}
	}
}

func (s *steps) floorOf(topic string) int {
	if n, ok := s.floor[topic]; ok {
		return n
	}
	return minISR(s.before, topic)
}

func (s *steps) raiseFloor(step planner.Step) {
	n := minISR(s.judged.after, step.Topic)
	for tp, sync := range s.inSync {
		if tp.Topic == step.Topic && s.layout[tp] != nil {
			s.safe(step, tp, sync, n)
		}
	}
	s.floor[step.Topic] = n
}

// safe refuses a step after which fewer replicas are in sync than min ISR, or
// none, unless it was so before or is declared to be so.
func (s *steps) safe(step planner.Step, tp state.TopicPartition, sync, minimum int) {
	had := s.inSync[tp]
	declared := len(living(s.before, layout(s.judged.after)[tp])) < minISR(s.judged.after, tp.Topic)
	switch {
	case had > 0 && sync == 0:
		s.Errorf("step %d: %s has no living replica left", step.ID, show(tp))
	case had >= s.floorOf(tp.Topic) && sync < max(1, minimum) && !declared:
		s.Errorf("step %d: %s has %d living replicas, min ISR is %d", step.ID, show(tp), sync, minimum)
	}
}

func (s *steps) ended() {
	want := layout(s.judged.after)
	for tp := range s.layout {
		if !slices.Equal(s.layout[tp], want[tp]) {
			s.Errorf("the steps end with %s on %v, the changes with %v", show(tp), s.layout[tp], want[tp])
		}
	}
	if len(want) != len(s.layout) {
		s.Errorf("the steps end with %d partitions, the changes with %d", len(s.layout), len(want))
	}
	for _, c := range s.plan.Changes {
		for _, a := range c.Assignments {
			tp := state.TopicPartition{Topic: c.Topic, Partition: a.Partition}
			if s.layout[tp] != nil && alive(s.before, a.After[0]) && s.leaders[tp] != a.After[0] {
				s.Errorf("the steps leave %s led by %d, the changes by %d", show(tp), s.leaders[tp], a.After[0])
			}
		}
	}
}
