package planner

import (
	"ballast/state"
	"slices"
)

// diff makes the changes, topic by topic, from what was placed and what configs
// are declared.
func (m *maker) diff() {
	for _, t := range m.subjects {
		switch {
		case t.role == absent && t.live != nil && !t.failed:
			t.change = m.deletion(t)
		case t.planned() && t.live == nil:
			t.change = m.creation(t)
		case t.planned():
			t.change = m.update(t)
		}
		if t.change != nil {
			m.risks(t)
		}
	}
	for _, t := range m.subjects {
		if t.change != nil {
			m.plan.Changes = append(m.plan.Changes, *t.change)
		}
	}
	m.relink()
}

// relink points the subjects at the plan's own changes.
func (m *maker) relink() {
	for i := range m.plan.Changes {
		m.byName[m.plan.Changes[i].Topic].change = &m.plan.Changes[i]
	}
}

func (m *maker) deletion(t *subject) *Change {
	return &Change{
		Topic: t.name, Action: Delete, Source: &Source{t.absent.Source.File, t.absent.Source.Line},
		Partitions:        &BeforeAfter{Before: len(t.live.Partitions)},
		ReplicationFactor: &BeforeAfter{Before: usualFactor(t.live)},
	}
}

func (m *maker) creation(t *subject) *Change {
	c := &Change{
		Topic: t.name, Action: Create, Source: sourceOf(t),
		Partitions:        &BeforeAfter{After: t.want.Partitions},
		ReplicationFactor: &BeforeAfter{After: t.want.ReplicationFactor},
		Config:            m.configChanges(t),
	}
	for i := range t.problem.Partitions {
		c.Assignments = append(c.Assignments, m.fresh(t, int32(i)))
	}
	return c
}

// update is the change of a topic that exists, or nil where it is as wanted.
func (m *maker) update(t *subject) *Change {
	c := &Change{Topic: t.name, Action: Update, Source: sourceOf(t), Config: m.configChanges(t)}
	for i := range t.problem.Partitions {
		if i >= len(t.live.Partitions) {
			c.Assignments = append(c.Assignments, m.fresh(t, int32(i)))
		} else if a, ok := m.assignment(t, &t.live.Partitions[i]); ok {
			c.Assignments = append(c.Assignments, a)
		}
	}
	if len(c.Assignments) == 0 && len(c.Config) == 0 {
		return nil
	}
	if n := len(t.problem.Partitions); n != len(t.live.Partitions) {
		c.Partitions = &BeforeAfter{len(t.live.Partitions), n}
	}
	if was, is := usualFactor(t.live), m.factor(t); was != is && t.role == declared {
		c.ReplicationFactor = &BeforeAfter{was, is}
	}
	return c
}

func sourceOf(t *subject) *Source {
	if t.want == nil || t.want.Source.File == "" {
		return nil
	}
	return &Source{t.want.Source.File, t.want.Source.Line}
}

// fresh is a partition that is created.
func (m *maker) fresh(t *subject, id int32) Assignment {
	after := m.net.toIDs(t.sol.Replicas[id])
	return Assignment{
		Partition: id, Before: []state.BrokerID{}, After: after, Reasons: []Reason{ReasonNew},
		LeaderBefore: state.NoLeader, LeaderAfter: m.net.firstAlive(after),
	}
}

// assignment is a partition that exists, and whether it changes: its list, or
// only its leader.
func (m *maker) assignment(t *subject, p *state.Partition) (Assignment, bool) {
	beforeList, after := p.Target(), m.net.toIDs(t.sol.Replicas[p.ID])
	a := Assignment{Partition: p.ID, Before: beforeList, After: after, LeaderBefore: p.Leader, LeaderAfter: m.net.firstAlive(after)}
	if slices.Equal(beforeList, after) {
		a.After, a.Reasons = beforeList, electionReasons(p)
		return a, m.asksElection(t, p)
	}
	added := without(after, beforeList)
	if p.Size.Known && len(added) > 0 {
		n := p.Size.Bytes * int64(len(added))
		a.Bytes = &n
	}
	a.Reasons = m.reasons(t, p, beforeList, after)
	return a, true
}

// electionReasons are the reasons of a partition whose leader alone changes.
func electionReasons(p *state.Partition) []Reason {
	if p.InFlight() {
		return []Reason{ReasonInFlight, ReasonLeader}
	}
	return []Reason{ReasonLeader}
}

// asksElection says whether the leader of a partition that does not move is to
// be elected: where the topic says where leaders belong, and the preferred one
// can take over. A move in flight is looked at as it ends.
func (m *maker) asksElection(t *subject, p *state.Partition) bool {
	first := p.Target()[0]
	if t.want == nil || !asksLeaders(t) || !m.net.alive(first) || p.Leader == first || m.settledLeader(p) == first {
		return false
	}
	return p.InFlight() || state.Contains(p.ISR, first)
}

// settledLeader is the leader once the move in flight, if any, has ended: the
// present one where it stays, else the first live one of the list (KIP-455).
func (m *maker) settledLeader(p *state.Partition) state.BrokerID {
	target := p.Target()
	if !p.InFlight() || state.Contains(target, p.Leader) && m.net.alive(p.Leader) {
		return p.Leader
	}
	return m.net.firstAlive(target)
}

// asksLeaders says whether the topic's leaders block asks for balance or a place.
func asksLeaders(t *subject) bool {
	l := &t.want.Leaders
	return balance(l.Balance) != 0 || len(l.Racks) > 0 || len(l.Brokers) > 0
}
