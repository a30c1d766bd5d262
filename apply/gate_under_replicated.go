package apply

import "ballast/state"

// gateUnderReplicated waits while a partition with a replica on one of the
// batch's brokers is under-replicated. Not counted is what the plan itself is
// about: a partition that this batch strengthens or puts off, and a replica that a step
// still to come takes away or that is on a draining broker.
func gateUnderReplicated(s *scene) []Hold {
	return s.underReplicated(func(tp state.TopicPartition, behind []state.BrokerID) bool {
		if s.strengthens(tp) || s.putOff[tp] {
			return true
		}
		return s.run.expected(tp, behind, s.look)
	})
}

// gateUnderReplicatedAfter is the same after a batch, for partitions that were
// not under-replicated before it. The batch's own are the in_sync gate's.
func gateUnderReplicatedAfter(s *scene) []Hold {
	return s.underReplicated(func(tp state.TopicPartition, _ []state.BrokerID) bool {
		_, own := s.inBatch[tp]
		return own || s.urp[tp]
	})
}

func (s *scene) underReplicated(excused func(state.TopicPartition, []state.BrokerID) bool) []Hold {
	var out []Hold
	s.look.each(func(tp state.TopicPartition, p *state.Partition) {
		behind := outOfSync(p)
		if len(behind) == 0 || !s.touches(p) || p.Leader == state.NoLeader || excused(tp, behind) {
			return
		}
		out = append(out, hold(tp, behind[0], "wait for it to catch up, or see why it can't",
			"%s of %s out of sync", plural(len(behind), "replica", "replicas")+" on "+listIDs(behind), listIDs(p.Replicas)))
	})
	return out
}

func (s *scene) touches(p *state.Partition) bool {
	for _, b := range p.Replicas {
		if s.brokers[b] {
			return true
		}
	}
	return false
}

// expected says whether a partition is under-replicated in a way that the plan
// mends: each replica that is behind goes in a step to come, or is on a broker
// that the plan drains, or the step adds redundancy to the partition.
func (r *run) expected(tp state.TopicPartition, behind []state.BrokerID, l *look) bool {
	m, planned := r.future[tp]
	if planned && addsRedundancy(Moving(m), l.alive) {
		return true
	}
	for _, b := range behind {
		goes := planned && !state.Contains(m.After, b)
		if !goes && !r.drains[b] {
			return false
		}
	}
	return true
}
