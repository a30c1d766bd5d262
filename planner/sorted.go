package planner

import (
	"fmt"
	"sort"

	"ballast/state"
)

// sorted returns the snapshot with brokers, topics and partitions in order, a
// copy where it was not.
func sorted(s *state.Snapshot) *state.Snapshot {
	if inOrder(s) {
		return s
	}
	c := *s
	c.Brokers = append([]state.Broker(nil), s.Brokers...)
	sort.SliceStable(c.Brokers, func(i, j int) bool { return c.Brokers[i].ID < c.Brokers[j].ID })
	c.Topics = append([]state.Topic(nil), s.Topics...)
	sort.SliceStable(c.Topics, func(i, j int) bool { return c.Topics[i].Name < c.Topics[j].Name })
	for i := range c.Topics {
		p := append([]state.Partition(nil), c.Topics[i].Partitions...)
		sort.SliceStable(p, func(i, j int) bool { return p[i].ID < p[j].ID })
		c.Topics[i].Partitions = p
	}
	return &c
}

func inOrder(s *state.Snapshot) bool {
	for i := 1; i < len(s.Brokers); i++ {
		if s.Brokers[i-1].ID > s.Brokers[i].ID {
			return false
		}
	}
	for i := range s.Topics {
		if i > 0 && s.Topics[i-1].Name > s.Topics[i].Name {
			return false
		}
		p := s.Topics[i].Partitions
		for j := 1; j < len(p); j++ {
			if p[j-1].ID > p[j].ID {
				return false
			}
		}
	}
	return true
}

// malformed says what makes a snapshot unfit to plan from, or "".
func malformed(s *state.Snapshot) string {
	for i := 1; i < len(s.Brokers); i++ {
		if s.Brokers[i-1].ID == s.Brokers[i].ID {
			return fmt.Sprintf("Broker %d is listed twice.", s.Brokers[i].ID)
		}
	}
	for i := range s.Topics {
		t := &s.Topics[i]
		if i > 0 && s.Topics[i-1].Name == t.Name {
			return fmt.Sprintf("Topic %q is listed twice.", t.Name)
		}
		for j := range t.Partitions {
			if why := malformedPartition(t, j); why != "" {
				return why
			}
		}
	}
	return ""
}

func malformedPartition(t *state.Topic, j int) string {
	p := &t.Partitions[j]
	if int(p.ID) != j {
		return fmt.Sprintf("Topic %q has no partition %d but one with id %d.", t.Name, j, p.ID)
	}
	if len(without(p.Removing, p.Replicas))+len(without(p.Adding, p.Replicas)) > 0 || len(p.Removing) > len(p.Replicas) {
		return fmt.Sprintf("Partition %s-%d adds or removes replicas that it does not have.", t.Name, j)
	}
	target := p.Target()
	if len(target) == 0 || len(target) > 1<<14 {
		return fmt.Sprintf("Partition %s-%d has %d replicas.", t.Name, j, len(target))
	}
	for k, b := range target {
		if state.Contains(target[:k], b) {
			return fmt.Sprintf("Partition %s-%d lists broker %d twice.", t.Name, j, b)
		}
	}
	return ""
}
