package planner

import (
	"fmt"

	"ballast/config"
	"ballast/state"
)

// warnGates: before a batch apply waits until no partition with a replica on one
// of its brokers is under-replicated. What is so now, and is not what the plan
// is about, holds it up.
func (m *maker) warnGates() {
	first := m.firstSteps()
	if len(first) == 0 {
		return
	}
	var names []string
	brokers := map[state.BrokerID]bool{}
	step := 0
	for i := range m.s.Topics {
		t := &m.s.Topics[i]
		for j := range t.Partitions {
			p := &t.Partitions[j]
			behind := without(without(p.Replicas, p.Adding), p.ISR)
			at := earliest(first, p.Replicas)
			if len(behind) == 0 || at == 0 || p.Leader == state.NoLeader || m.mends(t.Name, p, behind) {
				continue
			}
			names = append(names, partitionName(t.Name, p.ID))
			for _, b := range behind {
				brokers[b] = true
			}
			if step == 0 || at < step {
				step = at
			}
		}
	}
	if len(names) > 0 {
		m.warn("apply_waits", "", config.Source{}, fmt.Sprintf("Apply will wait at step %d, as %s not in sync", step, areNow(len(names))),
			fmt.Sprintf("%s: replicas on %s %s are out of sync. A batch that has to do with one of their brokers waits up to gate_timeout (%s) for them, and then apply stops with exit code 3. %s",
				partitionsOf(names), brokerWord(len(brokers)), join(sortedIDs(brokers)), m.d.Apply.GateTimeout, m.whatHelps(brokers)))
	}
}

// firstSteps are the first steps that move something onto, off or on a broker.
func (m *maker) firstSteps() map[state.BrokerID]int {
	out := map[state.BrokerID]int{}
	for i := range m.plan.Steps {
		s := &m.plan.Steps[i]
		if s.Kind != Reassign {
			continue
		}
		for _, v := range s.Moves {
			for _, list := range [][]state.BrokerID{v.Before, v.After} {
				for _, b := range list {
					if out[b] == 0 {
						out[b] = s.ID
					}
				}
			}
		}
	}
	return out
}

func earliest(first map[state.BrokerID]int, replicas []state.BrokerID) int {
	out := 0
	for _, b := range replicas {
		if at := first[b]; at > 0 && (out == 0 || at < out) {
			out = at
		}
	}
	return out
}

// mends says whether the plan itself sees to a partition's replicas that are
// behind: it adds live ones, or takes those away, or their broker drains.
func (m *maker) mends(topic string, p *state.Partition, behind []state.BrokerID) bool {
	after := p.Target()
	if t := m.byName[topic]; t != nil && t.sol != nil && t.planned() {
		after = m.after(t, int(p.ID))
	}
	if len(m.liveOf(after)) > len(m.liveOf(p.Target())) {
		return true
	}
	for _, b := range behind {
		if state.Contains(after, b) && !m.net.drains(b) {
			return false
		}
	}
	return true
}

func (m *maker) whatHelps(brokers map[state.BrokerID]bool) string {
	var dead []state.BrokerID
	for _, b := range sortedIDs(brokers) {
		if !m.net.alive(b) {
			dead = append(dead, b)
		}
	}
	if len(dead) == 0 {
		return "See why they fell behind."
	}
	return fmt.Sprintf("Start %s %s first, or let %s drain (drain = true).", brokerWord(len(dead)), join(dead), map[bool]string{true: "it", false: "them"}[len(dead) == 1])
}

func areNow(n int) string {
	if n == 1 {
		return "1 partition is"
	}
	return fmt.Sprintf("%d partitions are", n)
}
