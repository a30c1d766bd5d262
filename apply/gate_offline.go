package apply

import "ballast/state"

// gateOffline waits while a partition anywhere has no leader that had one when
// the plan's first run began. Those without one before were told then.
func gateOffline(s *scene) []Hold {
	var out []Hold
	s.look.each(func(tp state.TopicPartition, p *state.Partition) {
		if p.Leader != state.NoLeader || s.run.base.offline[tp] || s.strengthens(tp) {
			return
		}
		out = append(out, hold(tp, noBroker, "bring back one of its brokers", "it has no leader"))
	})
	return out
}

// strengthens says whether the batch adds redundancy to a partition: that is
// never a reason to wait.
func (s *scene) strengthens(tp state.TopicPartition) bool {
	m, ok := s.inBatch[tp]
	return ok && addsRedundancy(m, s.look.alive)
}

// each visits all partitions of a look, by topic and id.
func (l *look) each(visit func(state.TopicPartition, *state.Partition)) {
	for t := range l.meta.Topics {
		topic := &l.meta.Topics[t]
		for i := range topic.Partitions {
			p := &topic.Partitions[i]
			visit(state.TopicPartition{Topic: topic.Name, Partition: p.ID}, p)
		}
	}
}
