package placement

import "slices"

// byteSearch evens out bytes per broker for topics that ask for that instead of
// fewest bytes: the least sum of squares of what brokers hold beside their share
// by weight. Sizes cannot be split, so the least is hard to find in general. Where
// few placements are as good otherwise, all are looked at; where they are many,
// this finds one that no exchange between two brokers improves, and then chooses
// a few partitions on a few brokers anew, again and again. Neither rules nor the
// number of copies change by it, and no replica in sync is given up for it.
type byteSearch struct {
	*graph
	replicas replicas
	*model
	scale sizeScale
	over  []int64   // by broker: scaled bytes of all topics beside its share
	on    [][]int32 // by broker: units of topics that ask
	asks  []int32   // their partitions
	loose bool      // one of these may change its racks
	// By broker: it has or had a replica that is a copy in any case, and may be
	// exchanged.
	giving []bool
	work   int64
	limit  int64
	// What took part in an exchange of this turn, by topic and by partition.
	usedTopic, usedPart []int32
	turn                int32
}

// evenBytes is run when everything else is settled.
func (s *solver) evenBytes(g *graph, budget int64) {
	b := &byteSearch{graph: g, replicas: replicas{s.model}, model: s.model, on: make([][]int32, s.brokers), giving: make([]bool, s.brokers)}
	for _, t := range g.topics {
		if topic := &s.topics[t]; topic.in.ByBytes {
			for i := topic.first; i < topic.first+topic.n; i++ {
				b.add(i)
			}
		}
	}
	if !b.movable() {
		return
	}
	b.over, b.scale = s.bytesBesideShare()
	b.usedTopic, b.usedPart = make([]int32, len(s.topics)), make([]int32, len(s.parts))
	b.limit = budget * 3 / 4
	if b.exchanges(); b.work >= b.limit {
		s.bytesOpen = true
		return
	}
	if b.limit = b.work + budget/exactPart; b.exact() {
		return
	}
	s.bytesOpen = true
	b.limit = b.work + budget/windowPart
	b.windows()
}

// Parts of the budget: what is spent on the attempt to look at every placement,
// and on windows.
const exactPart, windowPart = 100, 8

// add lists the units of a partition that asks.
func (s *byteSearch) add(i int32) {
	p := &s.parts[i]
	if p.units == 0 {
		return
	}
	s.asks = append(s.asks, i)
	s.loose = s.loose || !p.locked
	for u := p.unit; u < p.unit+int32(p.units); u++ {
		b := s.unitAt[u]
		s.on[b] = append(s.on[b], u)
		s.giving[b] = s.giving[b] || s.unitHolds[u] == 0
	}
}

// movable says whether anything could be elsewhere with no more copies.
func (s *byteSearch) movable() bool {
	return slices.Contains(s.giving, true) ||
		slices.ContainsFunc(s.asks, func(i int32) bool { return s.parts[i].vacant > 0 })
}

// bytesByBroker adds up the known sizes.
func (s *solver) bytesByBroker() []int64 {
	out := make([]int64, s.brokers)
	for t := range s.topics {
		topic := &s.topics[t]
		for i := range topic.in.Partitions {
			p := &topic.in.Partitions[i]
			if list, fixed := topic.fixedList(p); fixed {
				for _, b := range list {
					out[b] += max(0, p.Size)
				}
			}
		}
		for i := topic.first; i < topic.first+topic.n; i++ {
			for _, b := range s.unitsOf(&s.parts[i]) {
				out[b] += s.parts[i].size()
			}
		}
	}
	return out
}

// size is the size of p's replicas, 0 where unknown.
func (p *part) size() int64 { return max(0, p.in.Size) }

// sizeScale makes sizes such that shares are whole numbers, and small enough that
// their sums of squares are exact.
type sizeScale struct {
	times int64
	down  uint
}

// of is a scaled size.
func (s sizeScale) of(size int64) int64 { return (size >> s.down) * s.times }

// scaledLimit bounds scaled bytes: squares of a thousand brokers stay within 128
// bits.
const scaledLimit = 1 << 58

// bytesBesideShare is by broker what it holds more than its share, scaled; 0
// where a broker has no share.
func (s *solver) bytesBesideShare() ([]int64, sizeScale) {
	over := s.bytesByBroker()
	sum, weight := int64(0), int64(0)
	scale := sizeScale{times: 1}
	for _, b := range s.scope {
		for sum>>scale.down > scaledLimit-over[b]>>scale.down {
			scale.down++
		}
		sum += over[b]
		weight += s.weight[b]
	}
	sum >>= scale.down
	if sum <= scaledLimit/max(1, weight) {
		scale.times = weight
	}
	out := make([]int64, s.brokers)
	for _, b := range s.scope {
		out[b] = scale.of(over[b]) - share(sum, s.weight[b], weight, scale.times)
	}
	return out, scale
}

// share is the part of sum that a weight has, scaled; exact where scaled by all
// weights.
func share(sum, weight, all, times int64) int64 {
	if times == all {
		return sum * weight
	}
	return sum / all * weight
}

// make moves units, one each of different partitions or all of one, if that costs
// nothing that comes before bytes; it says whether it did.
func (s *byteSearch) make(steps []step) bool {
	var c, back vec
	for _, x := range steps {
		s.shift(x, &c)
	}
	if c[costRule] > 0 || c[costCopies] > 0 || c[costWorth] >= worthISR/2 || !s.allLegal(steps) {
		for i := len(steps) - 1; i >= 0; i-- {
			s.shift(steps[i].reverse(), &back)
		}
		return false
	}
	for _, x := range steps {
		size := s.sizeOf(x.unit)
		s.over[x.from] -= size
		s.over[x.to] += size
		i := slices.Index(s.on[x.from], x.unit)
		s.on[x.from] = slices.Delete(s.on[x.from], i, i+1)
		s.on[x.to] = append(s.on[x.to], x.unit)
		s.giving[x.to] = s.giving[x.to] || s.unitHolds[x.unit] == 0
	}
	return true
}

// sizeOf is the scaled size of a unit.
func (s *byteSearch) sizeOf(u int32) int64 { return s.scale.of(s.parts[s.unitPart[u]].size()) }
