package placement

// packRounds is how often all batches are gone through at most.
const packRounds = 25

// packWork is how many changes are tried at most, so that the time stays
// bounded: counted, never measured.
const packWork = 400_000

// packTop is how many of a batch's busiest ends are kept in order. A change
// touches few ends, so the busiest of the others is nearly always among them.
const packTop = 12

// improver shortens batches by shifting moves and exchanging them.
type improver struct {
	*packer
	top  [][]packFlow // by batch: its busiest ends, largest first
	work int
	seen []int32 // by end, scratch: the last change that touched it
	tick int32
}

// newImprover works out what each batch is busiest with.
func (k *packer) newImprover() *improver {
	im := &improver{packer: k, top: make([][]packFlow, k.n), work: packWork, seen: make([]int32, 2*k.p.Brokers)}
	for b := range k.n {
		im.refresh(b)
	}
	return im
}

// improve takes moves at the busiest end of each batch and shifts them to
// another batch, or exchanges them for smaller ones of it, where that lowers
// the sum of batch times; until it is next to the target or nothing helps.
func (k *packer) improve(target int64) {
	im := k.newImprover()
	for range packRounds {
		if im.near(target, 200) || im.work <= 0 || !im.round() {
			return
		}
	}
}

// near says whether the sum of times is within one part in so many of a target.
func (im *improver) near(target, parts int64) bool { return im.sum() <= target+target/parts }

// sum is the sum of batch times.
func (im *improver) sum() (sum int64) {
	for _, t := range im.spent {
		sum += t
	}
	return sum
}

// round goes through all batches once and says whether anything helped.
func (im *improver) round() bool {
	helped := false
	for a := range im.n {
		if im.shorten(a) {
			helped = true
		}
	}
	return helped
}

// change is a move x that leaves batch a for b, and a move y that comes back
// (-1 for none).
type change struct {
	x, b, y int
	gain    int64
}

// shorten makes the best change of a move at a batch's busiest end.
func (im *improver) shorten(a int) bool {
	if len(im.top[a]) == 0 {
		return false
	}
	best := change{gain: 0}
	end := im.top[a][0].end
	for _, x := range im.moves[a] {
		if im.bytesAt(int(x), end) > 0 {
			im.bestFor(a, int(x), &best)
		}
	}
	if best.gain <= 0 {
		return false
	}
	im.apply(a, best)
	return true
}

// bestFor looks for a better change that takes x out of batch a.
func (im *improver) bestFor(a, x int, best *change) {
	if im.alone[x] {
		return
	}
	without := im.after(a, x, -1)
	most := im.spent[a] - without // more than this batch a cannot win without x
	for b := range im.limits[urgency(&im.p.Moves[x])] {
		if im.work <= 0 {
			return
		}
		if b == a || most <= best.gain || len(im.moves[b]) == 0 || im.alone[im.moves[b][0]] {
			continue
		}
		im.work--
		if im.fits(b, x, -1) {
			im.consider(a, change{x: x, b: b, y: -1}, best)
		}
		im.exchanges(a, x, b, best)
	}
}

// exchanges tries the moves of b that are smaller than x.
func (im *improver) exchanges(a, x, b int, best *change) {
	for _, y := range im.moves[b] {
		if im.time[y] >= im.time[x] || a >= im.limits[urgency(&im.p.Moves[y])] {
			continue
		}
		im.work--
		if im.fits(b, x, int(y)) && im.fits(a, int(y), x) {
			im.consider(a, change{x: x, b: b, y: int(y)}, best)
		}
	}
}

// consider keeps a change that is better than the best so far.
func (im *improver) consider(a int, c change, best *change) {
	before := im.spent[a] + im.spent[c.b]
	there := im.after(c.b, c.y, c.x)
	if before-there <= best.gain {
		return
	}
	if c.gain = before - there - im.after(a, c.x, c.y); c.gain > best.gain {
		*best = c
	}
}

// fits says whether a batch keeps the caps when one move comes and another goes.
func (im *improver) fits(batch, comes, goes int) bool {
	count, bytes := im.count[batch]+1, im.filled[batch]+im.total[comes]
	if goes >= 0 {
		count, bytes = count-1, bytes-im.total[goes]
	}
	if count > im.maxMoves || bytes > im.maxBytes {
		return false
	}
	for _, s := range im.share[comes] {
		n := im.copies[int(s.broker)*im.stride+batch] + s.copies
		if n > im.maxCopies && n-im.copiesAt(goes, s.broker) > im.maxCopies {
			return false
		}
	}
	return true
}

// copiesAt is how many copies of a move begin or end on a broker.
func (im *improver) copiesAt(m int, broker int32) (n int32) {
	if m >= 0 {
		for _, s := range im.share[m] {
			if s.broker == broker {
				n += s.copies
			}
		}
	}
	return n
}

// bytesAt is what a move brings to an end.
func (im *improver) bytesAt(m int, end int32) (n int64) {
	if m >= 0 {
		for _, f := range im.flows[m] {
			if f.end == end {
				n += f.bytes
			}
		}
	}
	return n
}
