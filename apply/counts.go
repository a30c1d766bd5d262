package apply

import (
	"ballast/planner"
	"ballast/state"
	"slices"
)

// opLead marks that a partition is led as planned, among achieved items.
const opLead Op = "lead"

// markMoved notes partitions that have the planned replicas, and of these the
// ones that are led as planned without an election.
func (r *run) markMoved(moves []Moving, l *look) {
	for _, m := range moves {
		r.achieved[item{OpReassign, m.Topic, m.Partition}] = true
		if p := l.partition(m.Key()); p != nil {
			r.leaderNow[m.Key()] = p.Leader
		}
	}
}

func (r *run) markLed(moves []Moving) {
	for _, m := range moves {
		r.achieved[item{opLead, m.Topic, m.Partition}] = true
		r.leaderNow[m.Key()] = m.After[0]
	}
}

// count fills in what was carried out and what was so already, in the plan's
// own units: where all was carried out, Counts is the plan's summary.
func (r *run) count(res *Result) {
	if r.plan == nil {
		return
	}
	for i := range r.plan.Changes {
		r.countChange(&r.plan.Changes[i], res)
	}
	res.Counts.TopicsUnchanged = r.plan.Summary.TopicsUnchanged
	res.Counts.TopicsUnmanaged = r.plan.Summary.TopicsUnmanaged
}

// into chooses between what this plan's runs wrote and what was so already;
// nil where it is not so at all.
func (r *run) into(res *Result, it item, wrote bool) *planner.Summary {
	switch {
	case !r.achieved[it]:
		return nil
	case wrote:
		return &res.Counts
	}
	return &res.Already
}

func (r *run) countChange(c *planner.Change, res *Result) {
	switch c.Action {
	case planner.Create:
		if s := r.into(res, item{OpCreate, c.Topic, 0}, r.mem.wrote[item{OpCreate, c.Topic, 0}]); s != nil {
			s.TopicsCreate++
		}
	case planner.Delete:
		if s := r.into(res, item{OpDelete, c.Topic, 0}, r.mem.wrote[item{OpDelete, c.Topic, 0}]); s != nil {
			s.TopicsDelete++
		}
	default:
		r.countUpdate(c, res)
	}
}

// countUpdate counts the parts of a topic's change. The topic counts as updated
// once all its parts are so.
func (r *run) countUpdate(c *planner.Change, res *Result) {
	all, wrote := true, false
	see := func(s *planner.Summary, add func(*planner.Summary)) {
		if s == nil {
			all = false
			return
		}
		wrote = wrote || s == &res.Counts
		add(s)
	}
	for _, step := range r.plan.Steps {
		if step.Topic != c.Topic {
			continue
		}
		switch step.Kind {
		case planner.SetConfig:
			see(r.into(res, item{OpConfig, c.Topic, int32(step.ID)}, r.mem.wrote[item{OpConfig, c.Topic, 0}]),
				func(s *planner.Summary) { s.ConfigsChanged += len(step.Config) })
		case planner.AddPartitions:
			see(r.into(res, item{OpAdd, c.Topic, 0}, r.mem.wrote[item{OpAdd, c.Topic, 0}]),
				func(s *planner.Summary) { s.PartitionsAdded += len(step.Moves) })
		}
	}
	for i := range c.Assignments {
		r.countAssignment(c.Topic, &c.Assignments[i], see, res)
	}
	if !all {
		return
	}
	if wrote {
		res.Counts.TopicsUpdate++
	} else {
		res.Already.TopicsUpdate++
	}
}

func (r *run) countAssignment(topic string, a *planner.Assignment, see func(*planner.Summary, func(*planner.Summary)), res *Result) {
	if len(a.Before) == 0 {
		return // a new partition, counted with its step
	}
	move := item{OpReassign, topic, a.Partition}
	if !slices.Equal(a.Before, a.After) {
		see(r.into(res, move, r.mem.wrote[move]), func(s *planner.Summary) {
			adds := len(without(a.After, a.Before))
			s.ReplicasAdded += adds
			s.ReplicasRemoved += len(without(a.Before, a.After))
			if a.Bytes != nil {
				s.BytesToCopy += *a.Bytes
			}
		})
	}
	if a.LeaderBefore == a.LeaderAfter {
		return
	}
	lead := item{opLead, topic, a.Partition}
	if now, ok := r.leaderNow[state.TopicPartition{Topic: topic, Partition: a.Partition}]; ok && now == a.LeaderAfter {
		r.achieved[lead] = true
	}
	see(r.into(res, lead, r.mem.wrote[move] || r.mem.wrote[item{OpElect, topic, a.Partition}]), func(s *planner.Summary) { s.LeadersMoved++ })
}
