package placement

import "math"

// packTried is how many moves are few enough for the cause of loose batches to
// be found by packing anew.
const packTried = 1_000

// loose says whether batches take notably longer than the busiest broker needs.
func loose(sum, busiest int64) bool { return float64(sum) > 1.1*float64(busiest) }

// relief is a cause of loose batches, and the problem without it.
type relief struct {
	cause LooseCause
	from  func(*PackProblem)
}

// reliefs are the causes in the order in which they are named.
var reliefs = []relief{
	{LooseBatchBytes, func(p *PackProblem) { p.MaxBatchBytes = 0 }},
	{LooseBrokerMoves, func(p *PackProblem) { p.MaxMovesPerBroker = 0 }},
	{LooseBatchMoves, func(p *PackProblem) { p.MaxBatchMoves = 0 }},
	{LooseUrgency, func(p *PackProblem) {
		p.Moves = append([]PackMove(nil), p.Moves...)
		for m := range p.Moves {
			p.Moves[m].Urgency = NotUrgent
		}
	}},
}

// cause tells why the batches take longer than the busiest broker: because of
// what it would help most to be without.
func (k *packer) cause(disk bool, sum, busiest int64) LooseCause {
	if disk {
		return LooseDisk
	}
	if len(k.p.Moves) > packTried {
		return k.likelyCause(busiest)
	}
	best, cause := sum-sum/50, LooseCaps
	for _, r := range reliefs {
		p := *k.p
		r.from(&p)
		if t := packedSum(p); t < best {
			best, cause = t, r.cause
		}
	}
	return cause
}

// packedSum is how long the batches take, disk space aside.
func packedSum(p PackProblem) int64 {
	k := newPacker(&p)
	k.choose()
	return k.packing().sum
}

// likelyCause is the cap that by itself keeps any batches from being short, or
// else what makes that likely.
func (k *packer) likelyCause(busiest int64) LooseCause {
	all := make([]int, len(k.p.Moves))
	for m := range all {
		all[m] = m
	}
	k.largestFirst(all)
	through, _ := k.brokerBound(all)
	switch {
	case k.maxBytes < math.MaxInt64 && loose(k.bytesBound(all), busiest) || k.tightBytes():
		return LooseBatchBytes
	case loose(through, busiest):
		return LooseBrokerMoves
	case loose(k.countBound(all), busiest):
		return LooseBatchMoves
	case k.limits[UrgentRedundancy] > 0 && k.limits[UrgentRedundancy] < k.limits[NotUrgent]:
		return LooseUrgency
	}
	return LooseCaps
}

// tightBytes says whether max_batch_bytes is below what a batch with the
// largest move needs for the other brokers to be as busy.
func (k *packer) tightBytes() bool {
	busy, largest := int64(0), int64(0)
	for b := range k.p.Brokers {
		if k.ends.through(b) > 0 {
			busy++
		}
	}
	for m := range k.p.Moves {
		largest = max(largest, k.time[m])
	}
	return k.p.MaxBatchBytes > 0 && busy > 0 && k.p.MaxBatchBytes/busy < largest
}
