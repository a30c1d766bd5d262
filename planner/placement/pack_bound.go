package placement

import "slices"

// bound is a lower bound of the sum of batch times of any packing within the
// caps, and the broker that it comes from (-1 where nothing is copied). Moves
// that have to go alone spend their own time. For the others it is the largest
// of:
//   - a broker's incoming or outgoing bytes;
//   - a broker's copies, largest first, the 1st, (M+1)-th, (2M+1)-th, … with M
//     the cap of copies at a broker: n batches hold at most n x M of them, so
//     one of the first n x M + 1 is in another batch;
//   - all moves, largest first, the 1st, (P+1)-th, … with P the cap of moves;
//   - all moves, largest first, the first, and each with which the bytes so far
//     exceed a further max_batch_bytes.
func (k *packer) bound() (int64, int) {
	alone, shared := int64(0), []int{}
	for m := range k.p.Moves {
		if k.alone[m] {
			alone += k.time[m]
		} else {
			shared = append(shared, m)
		}
	}
	k.largestFirst(shared)
	most, broker := k.brokerBound(shared)
	most = max(most, k.countBound(shared), k.bytesBound(shared))
	if broker < 0 {
		broker = k.busiest()
	}
	return alone + most, broker
}

// brokerBound is the first two bounds, at the broker where they are largest.
func (k *packer) brokerBound(shared []int) (most int64, broker int) {
	ends := make(packEnds, len(k.ends))
	copies := make([]int64, k.p.Brokers)
	steps := make([]int64, k.p.Brokers)
	for _, m := range shared {
		for _, f := range k.flows[m] {
			ends[f.end] += f.bytes
		}
		for _, s := range k.share[m] {
			for range s.copies {
				if copies[s.broker]%int64(k.maxCopies) == 0 {
					steps[s.broker] += k.bytes[m]
				}
				copies[s.broker]++
			}
		}
	}
	broker = -1
	for b := range k.p.Brokers {
		if v := max(ends.through(b), steps[b]); v > most {
			most, broker = v, b
		}
	}
	return most, broker
}

// countBound is the bound that the number of moves in a batch sets.
func (k *packer) countBound(shared []int) (sum int64) {
	for i := int64(0); i < int64(len(shared)); i += int64(k.maxMoves) {
		sum += k.time[shared[i]]
	}
	return sum
}

// bytesBound is the bound that the bytes in a batch set.
func (k *packer) bytesBound(shared []int) (sum int64) {
	room := int64(0)
	for _, m := range shared {
		if room -= k.total[m]; room < 0 {
			sum += k.time[m]
			room = max(room, -k.total[m]) + k.maxBytes
		}
	}
	return sum
}

// busiest is the broker with most bytes through it; -1 where there are none.
func (k *packer) busiest() int {
	through := make([]int64, k.p.Brokers)
	for b := range through {
		through[b] = k.ends.through(b)
	}
	if len(through) == 0 || slices.Max(through) == 0 {
		return -1
	}
	return slices.Index(through, slices.Max(through))
}
