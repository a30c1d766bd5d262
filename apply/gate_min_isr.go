package apply

import "ballast/state"

// gateMinISR waits while a partition anywhere has fewer in-sync replicas than
// min.insync.replicas that had enough when the plan's first run began.
func gateMinISR(s *scene) []Hold {
	var out []Hold
	s.look.each(func(tp state.TopicPartition, p *state.Partition) {
		least, known := s.run.minISR[tp.Topic]
		if !known || !underMinISR(p, least) || p.Leader == state.NoLeader || s.run.base.under[tp] || s.strengthens(tp) {
			return
		}
		out = append(out, hold(tp, noBroker, "see why its replicas fell behind (a broker down, disk, network)",
			"%d in-sync replicas, min.insync.replicas is %d", len(p.ISR), least))
	})
	return out
}

// underMinISR counts as Kafka does: a partition with fewer replicas than
// min.insync.replicas is under it only where one of those is out of sync.
func underMinISR(p *state.Partition, least int) bool {
	return len(p.ISR) < min(least, len(p.Replicas)-len(p.Adding))
}
