package placement

// leaderSwaps are, by pair of brokers, the units that the one leads and the other
// could lead.
type leaderSwaps struct {
	*leaders
	pairs [][]int32
}

func (s *leaderSwaps) prepare(topics []int32) {
	s.pairs = make([][]int32, s.brokers*s.brokers)
	for _, t := range topics {
		from, to := s.units(t)
		for u := from; u < to; u++ {
			s.list(u)
		}
	}
}

// list adds the pairs of unit u.
func (s *leaderSwaps) list(u int32) {
	a := s.on[u]
	for _, b := range s.targets(u) {
		if b != a {
			pair := int(a)*s.brokers + int(b)
			s.pairs[pair] = append(s.pairs[pair], u)
		}
	}
}

func (s *leaderSwaps) between(a, b int16, out []swapUnit) ([]swapUnit, int) {
	pair := &s.pairs[int(a)*s.brokers+int(b)]
	keep := (*pair)[:0]
	for _, u := range *pair {
		if s.on[u] != a {
			continue
		}
		keep = append(keep, u)
		var c vec
		s.costFirst(u, b, &c)
		out = append(out, swapUnit{price: c[leadRank]<<32 + c[leadChanges], unit: u})
	}
	*pair = keep
	return out, 1
}

// move keeps the pairs up to date.
func (s *leaderSwaps) move(u int32, to int16) {
	s.leaders.move(u, to)
	s.list(u)
}

func (l *leaders) swaps() swapper { return &leaderSwaps{leaders: l} }
