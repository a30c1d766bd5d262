package placement

import "slices"

// neutral is an exchange between two brokers, or a move, that costs nothing before
// bytes: it takes that many from the one to the other. A unit is -1 where none goes
// that way.
type neutral struct {
	bytes     int64
	out, back int32
}

// maxNeutrals is about how many of them are listed for a pair of brokers.
const maxNeutrals = 2000

// neutrals lists them for a and b, by bytes.
func (s *byteSearch) neutrals(a, b int16) []neutral {
	out, back := s.offers(a, b), s.offers(b, a)
	back = s.matching(back, out)
	out = s.matching(out, back)
	stride := 1 + len(out)*len(back)/maxNeutrals
	var list []neutral
	for i := range out {
		o := &out[i]
		if o.free && o.price <= 0 {
			list = append(list, neutral{o.size, o.unit, -1})
		}
		k, _ := slices.BinarySearchFunc(back, offer{key: o.key, price: -o.price}, compareOffers)
		for k += i % stride; k < len(back) && back[k].key == o.key && back[k].price == -o.price; k += stride {
			if v := &back[k]; s.unitPart[v.unit] != s.unitPart[o.unit] && (o.key != anyKey || !s.sameBalanced(o.unit, v.unit)) {
				list = append(list, neutral{o.size - v.size, o.unit, v.unit})
			}
		}
	}
	for i := range back {
		if o := &back[i]; o.free && o.price <= 0 {
			list = append(list, neutral{-o.size, -1, o.unit})
		}
	}
	slices.SortFunc(list, func(x, y neutral) int {
		switch {
		case x.bytes != y.bytes:
			return int(max(-1, min(1, x.bytes-y.bytes)))
		case x.out != y.out:
			return int(x.out - y.out)
		}
		return int(x.back - y.back)
	})
	s.work += int64(4 * len(list))
	return list
}

// combine makes the best two exchanges at once: one between the first two of three
// brokers, one between any two of them. It says whether that was worth it.
func (s *byteSearch) combine(among []int16) bool {
	a, b, c := among[0], among[1], among[2]
	first := s.neutrals(a, b)
	least := s.squaresOf(among)
	var best []step
	for _, pair := range [][2]int16{{a, b}, {a, c}, {b, c}} {
		second := first
		if pair[1] == c {
			second = s.neutrals(pair[0], c)
		}
		for i := range first {
			x := &first[i]
			s.over[a], s.over[b] = s.over[a]-x.bytes, s.over[b]+x.bytes
			y := s.nearest(second, x, s.over[pair[0]]-s.over[pair[1]])
			if y != nil {
				s.over[pair[0]], s.over[pair[1]] = s.over[pair[0]]-y.bytes, s.over[pair[1]]+y.bytes
				if sum := s.squaresOf(among); sum.less(least) {
					least, best = sum, append(x.steps(a, b), y.steps(pair[0], pair[1])...)
				}
				s.over[pair[0]], s.over[pair[1]] = s.over[pair[0]]+y.bytes, s.over[pair[1]]-y.bytes
			}
			s.over[a], s.over[b] = s.over[a]+x.bytes, s.over[b]-x.bytes
		}
		s.work += int64(8 * len(first))
	}
	return best != nil && s.make(best)
}

// squaresOf is the sum of squares of some brokers.
func (s *byteSearch) squaresOf(among []int16) (sum square) {
	for _, b := range among {
		sum = sum.plus(squareOf(s.over[b]))
	}
	return sum
}

// nearest is the one of list that leaves least of a difference and has nothing to
// do with x, of the few that come nearest; nil where all have.
func (s *byteSearch) nearest(list []neutral, x *neutral, differ int64) *neutral {
	k, _ := slices.BinarySearchFunc(list, differ/2, func(n neutral, bytes int64) int {
		return int(max(-1, min(1, n.bytes-bytes)))
	})
	var best *neutral
	for _, way := range [2]int{-1, 1} {
		for d := range 4 {
			i := k + way*d
			if way < 0 {
				i--
			}
			if i < 0 || i >= len(list) {
				break
			}
			y := &list[i]
			if s.meet(x.out, y) || s.meet(x.back, y) {
				continue
			}
			if best == nil || distance(differ, 2*y.bytes) < distance(differ, 2*best.bytes) {
				best = y
			}
			break
		}
	}
	return best
}

// distance is how far apart two numbers are.
func distance(a, b int64) int64 { return max(a-b, b-a) }

// meet says whether u and what y moves are of one partition, or of one topic that
// is balanced.
func (s *byteSearch) meet(u int32, y *neutral) bool {
	for _, v := range [2]int32{y.out, y.back} {
		if u >= 0 && v >= 0 && (s.unitPart[u] == s.unitPart[v] || s.sameBalanced(u, v)) {
			return true
		}
	}
	return false
}

// steps are its moves.
func (x *neutral) steps(a, b int16) (out []step) {
	if x.out >= 0 {
		out = append(out, step{x.out, a, b})
	}
	if x.back >= 0 {
		out = append(out, step{x.back, b, a})
	}
	return out
}
