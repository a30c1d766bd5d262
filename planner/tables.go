package planner

import (
	"slices"
	"sort"

	"ballast/state"
)

// tables fills in all that sums up changes and steps.
func (m *maker) tables() {
	m.inFlight()
	m.summarize()
	m.optimality()
	m.brokerTable()
	m.estimate()
	m.riskDisk()
	m.bind()
}

// inFlight lists the reassignments that already run.
func (m *maker) inFlight() {
	for i := range m.s.Topics {
		t := &m.s.Topics[i]
		for j := range t.Partitions {
			p := &t.Partitions[j]
			if !p.InFlight() {
				continue
			}
			m.plan.InFlight = append(m.plan.InFlight, InFlight{
				Topic: t.Name, Partition: p.ID, Target: p.Target(), Adding: ascending(p.Adding), Removing: ascending(p.Removing),
				Ours:   m.o.Ours != nil && m.o.Ours(t.Name, p.ID),
				Wanted: m.leadsToWanted(m.byName[t.Name], p),
			})
		}
	}
}

// leadsToWanted says whether a move in flight ends as a declared topic's
// partition is wanted.
func (m *maker) leadsToWanted(t *subject, p *state.Partition) bool {
	if t.failed || t.sol == nil || t.role != declared && t.role != placed {
		return false
	}
	return int(p.ID) < len(t.sol.Replicas) && slices.Equal(p.Target(), m.net.toIDs(t.sol.Replicas[p.ID]))
}

// ascending is a set of brokers in order; never nil.
func ascending(set []state.BrokerID) []state.BrokerID {
	out := append([]state.BrokerID{}, set...)
	sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })
	return out
}

// summarize counts the changes, and the topics without one.
func (m *maker) summarize() {
	s := &m.plan.Summary
	for i := range m.plan.Changes {
		s.count(&m.plan.Changes[i])
	}
	for _, t := range m.subjects {
		switch {
		case t.role == declared && !t.failed && t.change == nil:
			s.TopicsUnchanged++
		case (t.role == left || t.role == drained || t.role == placed) && t.change == nil:
			s.TopicsUnmanaged++
		}
	}
}

// count adds a change to a summary.
func (s *Summary) count(c *Change) {
	switch c.Action {
	case Create:
		s.TopicsCreate++
		return
	case Delete:
		s.TopicsDelete++
		return
	}
	s.TopicsUpdate++
	s.ConfigsChanged += len(c.Config)
	for i := range c.Assignments {
		a := &c.Assignments[i]
		if len(a.Before) == 0 {
			s.PartitionsAdded++
			continue
		}
		s.ReplicasAdded += len(without(a.After, a.Before))
		s.ReplicasRemoved += len(without(a.Before, a.After))
		if a.LeaderBefore != a.After[0] {
			s.LeadersMoved++
		}
		if a.Bytes != nil {
			s.BytesToCopy += *a.Bytes
		}
	}
}

func (m *maker) optimality() {
	s, o := &m.plan.Summary, &m.plan.Optimality
	o.ReplicaCopies = Against{s.ReplicasAdded, min(s.ReplicasAdded, m.solution.CopiesBound)}
	o.LeaderMoves = Against{s.LeadersMoved, min(s.LeadersMoved, m.solution.LeaderMovesBound)}
}

// estimate adds up the steps: copying at the throttle's highest rate, and the
// pauses between elections.
func (m *maker) estimate() {
	e := &m.plan.Estimate
	f := newTraffic(len(m.net.ids))
	for i := range m.batches {
		for _, v := range m.batches[i].moves {
			f.add(m.net, v)
			if v.copies() && !v.size.Known {
				e.UnknownSizes++
			}
		}
	}
	for i := range m.plan.Steps {
		step := &m.plan.Steps[i]
		e.Bytes += step.Bytes
		e.Seconds += step.Seconds
	}
	if _, broker := f.busiest(); broker >= 0 {
		e.BottleneckBroker = &m.net.ids[broker]
	}
	for i := range m.plan.Brokers {
		m.plan.Brokers[i].BytesIn, m.plan.Brokers[i].BytesOut = f.in[i], f.out[i]
	}
}

// bind notes what the plan read, for staleness.
func (m *maker) bind() {
	b := &m.plan.Bound
	for i := range m.s.Brokers {
		b.Brokers = append(b.Brokers, BoundBroker{m.s.Brokers[i].ID, m.s.Brokers[i].Rack})
	}
	for i := range m.plan.Changes {
		c := &m.plan.Changes[i]
		t := m.byName[c.Topic]
		if t.live == nil || t.live.Config == nil {
			continue
		}
		b.Overrides[c.Topic] = m.ownOverrides(t)
		if t.role == declared && len(t.want.IgnoreConfig) > 0 {
			if b.Ignored == nil {
				b.Ignored = map[string][]string{}
			}
			b.Ignored[c.Topic] = t.want.IgnoreConfig
		}
	}
}

// ownOverrides are the overrides that the plan answers for.
func (m *maker) ownOverrides(t *subject) map[string]string {
	out := map[string]string{}
	var globs []string
	if t.want != nil {
		globs = t.want.IgnoreConfig
	}
	for key, v := range t.live.Config {
		if v.Source == state.SourceTopic && (!foreign(key, globs) || t.change.changed(key) != nil) {
			out[key] = v.Value
		}
	}
	return out
}
