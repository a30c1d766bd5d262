package planner

import (
	"fmt"
	"slices"

	"ballast/config"
	"ballast/planner/placement"
)

// uneven is how much more than the least the most may be, in percent of the
// most, before bytes per broker are called uneven.
const uneven = 20

// byBytesBudget is the counted work of the search for what the other choice would
// come to: a tenth of a plan's, for a warning's sake.
const byBytesBudget = 16_000_000

// warnBytes: balancing by count with fewest bytes sends small partitions to new
// brokers. Where that leaves bytes uneven and balance_by = "bytes" would not,
// the plan says so, with what it would copy. It runs once the tables are known.
func (m *maker) warnBytes() {
	posed := m.balancedByCount()
	if len(posed) == 0 || m.plan.Summary.ReplicasAdded == 0 || m.replicaCount() > provedAgain {
		return
	}
	least, most := m.bytesHeld(func(i int) int64 { return m.plan.Brokers[i].After.Bytes })
	if !isUneven(least, most) {
		return
	}
	load, copied := m.byBytes(posed)
	otherLeast, otherMost := m.bytesHeld(func(i int) int64 { return load[i] })
	if otherMost-otherLeast >= (most-least)*9/10 {
		return
	}
	m.warn("bytes_uneven", "", config.Source{}, fmt.Sprintf("Brokers would hold between %s and %s", size(least), size(most)),
		fmt.Sprintf("The plan copies the fewest bytes (%s) for an even number of replicas. With balance_by = \"bytes\" brokers would hold between %s and %s, and %s would be copied.",
			size(m.plan.Summary.BytesToCopy), size(otherLeast), size(otherMost), size(copied)))
}

func isUneven(least, most int64) bool {
	return float64(most-least) > float64(most)*uneven/100
}

// balancedByCount are the topics that are balanced by number of replicas.
func (m *maker) balancedByCount() map[string]bool {
	out := map[string]bool{}
	for _, t := range m.subjects {
		if t.planned() && t.problem != nil && t.problem.Balance != placement.Keep && !t.problem.ByBytes {
			out[t.name] = true
		}
	}
	return out
}

// bytesHeld is the least and the most that a broker holds for its weight, of
// those that are alive and do not drain.
func (m *maker) bytesHeld(of func(i int) int64) (least, most int64) {
	first := true
	for i := range m.net.broker {
		b := &m.net.broker[i]
		if !b.Alive || b.Drains {
			continue
		}
		n := of(i) / b.Weight
		if first || n < least {
			least = n
		}
		most, first = max(most, n), false
	}
	return least, most
}

// byBytes solves the problem as balance_by = "bytes" would, and returns what
// each broker would hold and how much would be copied.
func (m *maker) byBytes(names map[string]bool) (load []int64, copied int64) {
	p := &placement.Problem{Brokers: m.net.broker, Racks: len(m.net.racks), Budget: byBytesBudget}
	for _, t := range m.subjects {
		if t.problem == nil || t.role == absent && !t.failed {
			continue
		}
		topic := *t.problem
		topic.ByBytes = topic.ByBytes || names[t.name]
		if !t.planned() {
			topic.Fixed = true
		}
		p.Topics = append(p.Topics, topic)
	}
	s := placement.Solve(p)
	load = make([]int64, len(m.net.ids))
	for t := range p.Topics {
		for i := range p.Topics[t].Partitions {
			part := &p.Topics[t].Partitions[i]
			list := part.Replicas
			if !p.Topics[t].Fixed && s.Topics[t].Infeasible == nil {
				list = s.Topics[t].Replicas[i]
			}
			copied += holds(load, part, list)
		}
	}
	return load, copied
}

// holds adds a partition's list to the brokers' loads, and returns the bytes
// that are copied for it.
func holds(load []int64, part *placement.Partition, list []int16) (copied int64) {
	if part.Size < 0 || part.Replicas == nil {
		return 0
	}
	for _, b := range list {
		load[b] += part.Size
		if !slices.Contains(part.Replicas, b) {
			copied += part.Size
		}
	}
	return copied
}
