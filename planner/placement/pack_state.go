package placement

import (
	"cmp"
	"math"
	"slices"
)

// An end is a broker's incoming (2b) or outgoing (2b+1) side: a batch takes as
// long as its busiest end.

// packFlow is what a move brings to one end.
type packFlow struct {
	end   int32
	bytes int64
}

// packShare is how many copies of a move begin or end on one broker.
type packShare struct {
	broker int32
	copies int32
}

// packEnds has the bytes through each end over all moves.
type packEnds []int64

// through is the bytes through a broker's busier side.
func (e packEnds) through(broker int) int64 { return max(e[2*broker], e[2*broker+1]) }

// packer has the moves in a flat form and the batches that they are in.
type packer struct {
	p     *PackProblem
	flows [][]packFlow // by move
	share [][]packShare
	bytes []int64 // by move, of one copy; unknown is 0
	total []int64 // by move, of all its copies
	time  []int64 // by move, through its busiest end
	alone []bool  // by move: exceeds a cap by itself
	ends  packEnds

	maxCopies, maxMoves int32
	maxBytes            int64

	limits [3]int // by urgency: its moves are in batches below this
	packTable
}

func newPacker(p *PackProblem) *packer {
	n := len(p.Moves)
	k := &packer{
		p:     p,
		flows: make([][]packFlow, n), share: make([][]packShare, n),
		bytes: make([]int64, n), total: make([]int64, n), time: make([]int64, n), alone: make([]bool, n),
		ends:      make(packEnds, 2*p.Brokers),
		maxCopies: packCap(p.MaxMovesPerBroker), maxMoves: packCap(p.MaxBatchMoves), maxBytes: p.MaxBatchBytes,
	}
	if k.maxBytes <= 0 {
		k.maxBytes = math.MaxInt64
	}
	for m := range p.Moves {
		k.flatten(m)
	}
	return k
}

// packUncapped is more than there can be of anything, with room to add one.
const packUncapped = 1 << 30

// packCap is the cap as a number that binds only if the cap does.
func packCap(n int) int32 {
	if n <= 0 || n > packUncapped {
		return packUncapped
	}
	return int32(n)
}

// flatten works out what a move brings to whom.
func (k *packer) flatten(m int) {
	mv := &k.p.Moves[m]
	copies := int32(len(mv.Targets))
	k.bytes[m] = max(mv.Bytes, 0)
	k.total[m] = k.bytes[m] * int64(copies)
	flows, shares := make([]packFlow, 0, copies+1), make([]packShare, 0, copies+1)
	if mv.Source >= 0 && copies > 0 {
		flows = append(flows, packFlow{2*int32(mv.Source) + 1, k.total[m]})
		shares = append(shares, packShare{int32(mv.Source), copies})
	}
	for _, t := range mv.Targets {
		flows = append(flows, packFlow{2 * int32(t), k.bytes[m]})
		if mv.Source == t && len(shares) > 0 { // no move that Kafka has, but the caps hold
			shares[0].copies++
			continue
		}
		shares = append(shares, packShare{int32(t), 1})
	}
	for _, f := range flows {
		k.time[m] = max(k.time[m], f.bytes)
		k.ends[f.end] += f.bytes
	}
	for _, s := range shares {
		k.alone[m] = k.alone[m] || s.copies > k.maxCopies
	}
	k.alone[m] = k.alone[m] || k.total[m] > k.maxBytes
	k.flows[m], k.share[m] = flows, shares
}

// largestFirst sorts moves by time, largest first, then those whose busier end
// has more to do with these moves, then by index.
func (k *packer) largestFirst(moves []int) {
	ends, busier := make(packEnds, len(k.ends)), make([]int64, len(k.time))
	for _, m := range moves {
		for _, f := range k.flows[m] {
			ends[f.end] += f.bytes
		}
	}
	for _, m := range moves {
		for _, f := range k.flows[m] {
			busier[m] = max(busier[m], ends[f.end])
		}
	}
	slices.SortFunc(moves, func(a, b int) int {
		return cmp.Or(cmp.Compare(k.time[b], k.time[a]), cmp.Compare(busier[b], busier[a]), cmp.Compare(a, b))
	})
}

// ofUrgency gives the moves of one urgency: those that have to go alone, and
// the others.
func (k *packer) ofUrgency(u int8) (alone, others []int) {
	for m := range k.p.Moves {
		switch {
		case urgency(&k.p.Moves[m]) != u:
		case k.alone[m]:
			alone = append(alone, m)
		default:
			others = append(others, m)
		}
	}
	return alone, others
}

// urgency is a move's urgency; what is out of range is not urgent.
func urgency(m *PackMove) int8 {
	if m.Urgency < 0 || m.Urgency > NotUrgent {
		return NotUrgent
	}
	return m.Urgency
}

// batchTime is the bytes through the busiest end of a batch.
func (k *packer) batchTime(batch []int) int64 {
	load, most := map[int32]int64{}, int64(0)
	for _, m := range batch {
		for _, f := range k.flows[m] {
			load[f.end] += f.bytes
			most = max(most, load[f.end])
		}
	}
	return most
}
