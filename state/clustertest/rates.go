package clustertest

import "time"

// throttledRate: a throttled move takes about bytes by rate, no less, and the
// copy grows all the while.
func throttledRate(s *suite) {
	const (
		bytes = 12_000_000
		rate  = "2000000"
	)
	name := s.create(ids(1))
	s.must(s.Fill(s.ctx, name, 0, bytes))
	s.rate(2, rate)
	s.set(topicRes(name), followerList, "0:2")
	began := time.Now()
	s.move(name, 0, ids(2))
	var sizes []int64
	s.await("the move ends", func() string {
		if size, ok := s.replicaSize(2, name, 0); ok && (len(sizes) == 0 || size != sizes[len(sizes)-1]) {
			sizes = append(sizes, size)
		}
		if p := s.partition(name, 0); p.InFlight() || !equal(p.Replicas, ids(2)) {
			return "it is in flight"
		}
		return ""
	})
	// Kafka lets about a second's worth through before it holds: (12 - 2) / 2.
	if took := time.Since(began); took < 4*time.Second || took > 25*time.Second {
		s.Errorf("12 MB at 2 MB/s took %v", took)
	}
	for i := 1; i < len(sizes); i++ {
		if sizes[i] < sizes[i-1] {
			s.Errorf("the copy shrank: %v", sizes)
		}
	}
	if len(sizes) < 4 {
		s.Errorf("the copy did not grow in steps: %v", sizes)
	}
	s.settled(name, 0, 2)
}
