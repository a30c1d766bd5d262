package clustertest

import "time"

// throttledRate: a throttled move takes about bytes by rate, and the copy grows
// all the while. Kafka measures a rate over the last 11 seconds: a broker that
// has copied next to nothing under a throttle in that time lets through at once
// what it would have been allowed (8.9 MB were seen at 2 MB/s).
func throttledRate(s *suite) {
	const (
		bytes = 32_000_000
		rate  = "2000000"
		burst = 11 * 2_000_000
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
	least, most := (bytes-burst)*time.Second/2_000_000, 2*bytes*time.Second/2_000_000
	if took := time.Since(began); took < least*9/10 || took > most {
		s.Errorf("32 MB at 2 MB/s took %v, not %v to %v; the copy was %v", took, least, most, sizes)
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
