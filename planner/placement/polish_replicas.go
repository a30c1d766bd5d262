package placement

// replicaSwaps are replicas that go anywhere at no cost: those of new partitions,
// and copies that are made in any case.
type replicaSwaps struct {
	replicas
	on [][]int32 // by broker
}

func (s *replicaSwaps) prepare(topics []int32) {
	s.on = make([][]int32, s.brokers)
	for _, t := range topics {
		from, to := s.units(t)
		for u := from; u < to; u++ {
			if s.unitHolds[u] == 0 {
				s.on[s.unitAt[u]] = append(s.on[s.unitAt[u]], u)
			}
		}
	}
}

func (s *replicaSwaps) between(a, b int16, out []swapUnit) ([]swapUnit, int) {
	if len(s.on[b]) == 0 {
		return out, 1
	}
	work := len(s.on[a])
	keep := s.on[a][:0]
	for _, u := range s.on[a] {
		if s.unitAt[u] != a {
			s.on[s.unitAt[u]] = append(s.on[s.unitAt[u]], u)
			continue
		}
		keep = append(keep, u)
		if s.topics[s.topicOf(u)].eligible[b] && s.fits(u, b) {
			out = append(out, swapUnit{unit: u})
		}
	}
	s.on[a] = keep
	return out, work
}

func (m replicas) swaps() swapper { return &replicaSwaps{replicas: m} }
