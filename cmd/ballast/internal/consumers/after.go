package consumers

import (
	"cmp"
	"slices"

	"ballast/planner"
	"ballast/state"
)

// After is a snapshot with the topics, partitions and replicas that a plan leads
// to; of a topic that is there already no partition is taken away.
func After(s *state.Snapshot, p *planner.Plan) *state.Snapshot {
	out := *s
	out.Topics = nil
	changed := map[string]*planner.Change{}
	for i := range p.Changes {
		changed[p.Changes[i].Topic] = &p.Changes[i]
	}
	for _, t := range s.Topics {
		c := changed[t.Name]
		delete(changed, t.Name)
		if c != nil && c.Action == planner.Delete {
			continue
		}
		if c != nil {
			t = withChange(t, c)
		}
		out.Topics = append(out.Topics, t)
	}
	for name, c := range changed {
		if c.Action == planner.Create {
			out.Topics = append(out.Topics, withChange(state.Topic{Name: name}, c))
		}
	}
	slices.SortFunc(out.Topics, func(a, b state.Topic) int { return cmp.Compare(a.Name, b.Name) })
	return &out
}

// withChange is a topic with the replicas of a change.
func withChange(t state.Topic, c *planner.Change) state.Topic {
	t.Partitions = slices.Clone(t.Partitions)
	for _, a := range c.Assignments {
		for int(a.Partition) >= len(t.Partitions) {
			t.Partitions = append(t.Partitions, state.Partition{ID: int32(len(t.Partitions))})
		}
		t.Partitions[a.Partition].Replicas = a.After
	}
	return t
}

// Resized are the topics whose numbers of partitions differ, by name.
func Resized(before, after *state.Snapshot) (out []Topic) {
	names := map[string]bool{}
	for _, s := range []*state.Snapshot{before, after} {
		for i := range s.Topics {
			names[s.Topics[i].Name] = true
		}
	}
	for _, name := range sortedNames(names) {
		if x := (Topic{name, partitions(before, name), partitions(after, name)}); x.Before != x.After {
			out = append(out, x)
		}
	}
	return out
}

func partitions(s *state.Snapshot, topic string) int {
	if t := s.Topic(topic); t != nil {
		return len(t.Partitions)
	}
	return 0
}
