package clustertest

// quorum: the controllers vote, and of the suite's brokers none is one.
func quorum(s *suite) {
	voters, err := s.Cluster.Voters(s.ctx)
	s.must(err)
	snap, err := s.Cluster.Snapshot(s.ctx)
	s.must(err)
	if len(voters) == 0 {
		s.Error("nobody votes")
	}
	for _, id := range voters {
		if snap.Broker(id) != nil {
			s.Errorf("broker %d is told to vote, and is no controller", id)
		}
	}
}
