package apply

import "ballast/state"

// planMeter is how far the whole plan has come: what the runs before this one
// have copied counts as done, what is to come as large as the plan says, and
// the batches of this run as they were measured. So it never passes its end:
// neither an adopted move, which the plan does not copy, nor a leader that
// grows meanwhile makes more of what is done than of what there is.
type planMeter struct {
	done  int64                          // by earlier runs
	ahead map[state.TopicPartition]int64 // of moves that no batch has begun
	left  int64                          // the sum of ahead
}

// meterPlan takes the sizes of the plan's moves.
func (r *run) meterPlan() *planMeter {
	m := &planMeter{ahead: map[state.TopicPartition]int64{}}
	for i := range r.plan.Changes {
		c := &r.plan.Changes[i]
		for _, a := range c.Assignments {
			switch {
			case a.Bytes == nil || len(a.Before) == 0:
			case r.achieved[item{OpReassign, c.Topic, a.Partition}]:
				m.done += *a.Bytes
			default:
				m.ahead[state.TopicPartition{Topic: c.Topic, Partition: a.Partition}] = *a.Bytes
				m.left += *a.Bytes
			}
		}
	}
	return m
}

// begin takes moves out of what is ahead: a batch measures them from now on.
func (m *planMeter) begin(moves []Moving) {
	for _, mv := range moves {
		m.left -= m.ahead[mv.Key()]
		delete(m.ahead, mv.Key())
	}
}

// progress is what of the plan is copied, of how much, with a batch in flight.
func (m *planMeter) progress(ended int64, batch *meter) (done, total int64) {
	done = m.done + ended
	return done + batch.got, done + batch.total + m.left
}
