package placement

// shelves are the heights that are tried, with the most moves for which they
// are: a pass over all moves for each batch is work that grows with both.
var shelves = []struct {
	height int64
	moves  int
}{{1, 400_000}, {2, 20_000}, {3, 20_000}}

// packing is one way to put the moves into batches.
type packing struct {
	batches [][]int
	limits  [3]int // by urgency: the number of batches until its last move
	sum     int64  // of the batches' times
}

// choose puts the moves into batches in several ways and keeps the shortest.
func (k *packer) choose() {
	target, _ := k.bound()
	k.fill()
	k.improve(target)
	best := k.packing()
	for _, s := range shelves {
		if len(k.p.Moves) <= s.moves && best.sum > target+target/200 {
			k.refill(k.shelf(s.height))
			k.improve(target)
			best = shorter(best, k.packing())
		}
	}
	k.refill(best.batches)
	if len(k.p.Moves) <= packAnnealed {
		k.anneal(target)
	}
}

// shorter is the packing that takes less time, by a part in a hundred if it has
// more batches, and no longer until the last urgent move.
func shorter(best, other packing) packing {
	most := best.sum
	if len(other.batches) > len(best.batches) {
		most -= best.sum / 100
	}
	if other.sum < most && other.limits[0] <= best.limits[0] && other.limits[1] <= best.limits[1] {
		return other
	}
	return best
}

// packing is the batches as they are.
func (k *packer) packing() packing {
	p := packing{batches: k.nonEmpty()}
	p.limits = k.limitsOf(p.batches)
	for _, t := range k.spent {
		p.sum += t
	}
	return p
}

// limitsOf has for each urgency the number of batches until its last move, or
// that of a more urgent one.
func (k *packer) limitsOf(batches [][]int) (limits [3]int) {
	for i, batch := range batches {
		for _, m := range batch {
			for u := urgency(&k.p.Moves[m]); u <= NotUrgent; u++ {
				limits[u] = i + 1
			}
		}
	}
	return limits
}

// refill replaces the batches.
func (k *packer) refill(batches [][]int) {
	k.packTable, k.limits = packTable{}, k.limitsOf(batches)
	k.grow(len(batches))
	for i, batch := range batches {
		for _, m := range batch {
			k.put(m, i)
		}
		if k.alone[batch[0]] {
			k.count[i] = k.maxMoves
		}
	}
}
