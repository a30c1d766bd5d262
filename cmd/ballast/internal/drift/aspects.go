package drift

import (
	"fmt"
	"strconv"

	"ballast/planner"
	"ballast/state"
)

// aspect is one thing of a topic that has a value: whether it is there, how
// many partitions it has, an override, the replicas of a partition.
type aspect struct {
	kind      Kind // Missing is whether it is there, Placement a partition's list
	topic     string
	name      string // of a config
	partition int32
}

// values are what an aspect is and what a plan makes of it, as text that is
// equal where they are.
type values struct{ was, is string }

const unset = "-"

// aspectsOf are the aspects that a change changes.
func aspectsOf(c *planner.Change) map[aspect]values {
	out := map[aspect]values{}
	if c.Action != planner.Update {
		out[aspect{kind: Missing, topic: c.Topic}] = values{strconv.FormatBool(c.Action == planner.Delete), strconv.FormatBool(c.Action == planner.Create)}
	}
	counts := func(kind Kind, n *planner.BeforeAfter) {
		if n != nil {
			out[aspect{kind: kind, topic: c.Topic}] = values{strconv.Itoa(n.Before), strconv.Itoa(n.After)}
		}
	}
	counts(Partitions, c.Partitions)
	counts(ReplicationFactor, c.ReplicationFactor)
	for _, k := range c.Config {
		out[aspect{kind: Config, topic: c.Topic, name: k.Name}] = values{override(k.Before, k.BeforeSource), override(k.After, k.AfterSource)}
	}
	for _, a := range c.Assignments {
		out[aspect{kind: Placement, topic: c.Topic, partition: a.Partition}] = values{fmt.Sprint(a.Before), fmt.Sprint(a.After)}
	}
	return out
}

// override is a config's value as far as the topic itself has it.
func override(value *string, source state.ConfigSource) string {
	if value == nil || source != state.SourceTopic {
		return unset
	}
	return strconv.Quote(*value)
}

// aspects are what an item is about.
func (i *Item) aspects() []aspect {
	switch i.Kind {
	case Missing, Present:
		return []aspect{{kind: Missing, topic: i.Topic}}
	case Placement, Order:
		out := make([]aspect, len(i.partitions))
		for k, p := range i.partitions {
			out[k] = aspect{kind: Placement, topic: i.Topic, partition: p}
		}
		return out
	}
	return []aspect{{kind: i.Kind, topic: i.Topic, name: i.Name}}
}

// in is the aspect's value in a snapshot, "" where there is none.
func (a aspect) in(s *state.Snapshot) string {
	t := s.Topic(a.topic)
	if a.kind == Missing {
		return strconv.FormatBool(t != nil)
	}
	if t == nil {
		return ""
	}
	switch a.kind {
	case Partitions:
		return strconv.Itoa(len(t.Partitions))
	case ReplicationFactor:
		return strconv.Itoa(t.ReplicationFactor())
	case Config:
		v := t.Config[a.name]
		return override(&v.Value, v.Source)
	}
	for i := range t.Partitions {
		if p := &t.Partitions[i]; p.ID == a.partition {
			return fmt.Sprint(p.Target())
		}
	}
	return ""
}
