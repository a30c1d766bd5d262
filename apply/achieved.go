package apply

import (
	"ballast/planner"
	"ballast/state"
	"slices"
)

// seeAchieved notes which parts of the plan the cluster shows before anything
// of this run: an earlier run's, or as wanted from the beginning. A run that
// stops before it has come to them then still counts them as done.
func (r *run) seeAchieved() {
	l := newLook(r.snap, nil)
	for i := range r.plan.Steps {
		s := &r.plan.Steps[i]
		switch s.Kind {
		case planner.Reassign, planner.ElectLeaders:
			r.seeMoves(s, l)
		default:
			if r.shows(s, r.snap.Topic(s.Topic)) {
				r.achieved[itemOf(s)] = true
			}
		}
	}
}

// itemOf is a step of one topic as a part to count.
func itemOf(s *planner.Step) item {
	switch s.Kind {
	case planner.CreateTopic:
		return item{OpCreate, s.Topic, 0}
	case planner.SetConfig:
		return item{OpConfig, s.Topic, int32(s.ID)}
	case planner.AddPartitions:
		return item{OpAdd, s.Topic, 0}
	case planner.DeleteTopic:
		return item{OpDelete, s.Topic, 0}
	}
	return item{}
}

// stepAchieved says whether a step of one topic is as planned.
func (r *run) stepAchieved(s *planner.Step) bool {
	it := itemOf(s)
	return it.op != "" && r.achieved[it]
}

func (r *run) seeMoves(s *planner.Step, l *look) {
	for _, v := range s.Moves {
		m := Moving(v)
		if l.classOf(m) != classDone {
			continue
		}
		if s.Kind == planner.Reassign {
			r.markMoved([]Moving{m}, l)
		} else if len(m.After) > 0 && l.partition(m.Key()).Leader == m.After[0] {
			r.markLed([]Moving{m})
		}
	}
}

// shows says whether a topic is as a step of it leaves it; nil: there is none.
func (r *run) shows(s *planner.Step, t *state.Topic) bool {
	if s.Kind == planner.DeleteTopic || t == nil {
		return s.Kind == planner.DeleteTopic && t == nil
	}
	if s.Kind == planner.SetConfig {
		return t.Config != nil && showsConfig(s, t)
	}
	if s.Kind == planner.CreateTopic && len(t.Partitions) != len(s.Moves) {
		return false
	}
	for _, m := range s.Moves {
		if int(m.Partition) >= len(t.Partitions) || !slices.Equal(t.Partitions[m.Partition].Replicas, m.After) {
			return false
		}
	}
	return true
}

func showsConfig(s *planner.Step, t *state.Topic) bool {
	for _, c := range s.Config {
		v, has := t.Config[c.Name]
		has = has && v.Source == state.SourceTopic
		if (c.After == nil) == has || has && v.Value != *c.After {
			return false
		}
	}
	return true
}
