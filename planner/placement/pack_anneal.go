package placement

import (
	"math"
	"math/bits"
)

// packAnnealed is how many moves are few enough for annealing, packSteps how
// many changes it tries for each, and packStepsInAll how many altogether.
const (
	packAnnealed   = 5_000
	packSteps      = 300
	packStepsInAll = 300_000
)

// annealer shortens batches where changes that help at once have run out:
// it takes changes that cost a little too, fewer and fewer of them. Its random
// numbers are always the same ones.
type annealer struct {
	*improver
	random packRandom
	where  []int // by move: its batch
	sum    int64
	best   int64
	kept   []int // where, at the best sum
}

// anneal tries to get below the present sum of times, unless that is near the
// target, and leaves the batches as they are where it does not.
func (k *packer) anneal(target int64) {
	im := k.newImprover()
	if im.near(target, 33) {
		return
	}
	sum := im.sum()
	an := &annealer{improver: im, where: make([]int, len(im.p.Moves)), sum: sum, best: sum}
	for b, moves := range im.moves {
		for _, m := range moves {
			an.where[m] = b
		}
	}
	an.kept = append(an.kept, an.where...)
	hot := float64(sum) / float64(im.n) / 30
	steps := min(packSteps*len(im.p.Moves), packStepsInAll)
	for i := range steps {
		an.step(hot * math.Pow(1e-3, float64(i)/float64(steps)))
	}
	an.restore()
}

// step tries one change, drawn at random.
func (an *annealer) step(heat float64) {
	x, b := an.draw(), an.random.intN(an.n)
	a := an.where[x]
	if a == b || len(an.moves[b]) == 0 || !an.mayGo(x, b) {
		return
	}
	c := change{x: x, b: b, y: -1}
	if an.random.intN(2) == 0 {
		c.y = int(an.moves[b][an.random.intN(len(an.moves[b]))])
	}
	if !an.fits(b, x, c.y) || c.y >= 0 && (!an.mayGo(c.y, a) || !an.fits(a, c.y, x)) {
		return
	}
	cost := an.after(b, c.y, x) + an.after(a, x, c.y) - an.spent[a] - an.spent[b]
	if cost <= 0 || an.random.unit() < math.Exp(-float64(cost)/heat) {
		an.make(a, c, cost)
	}
}

// draw gives any move, or as often one at the busiest end of a batch.
func (an *annealer) draw() int {
	m := an.random.intN(len(an.where))
	batch := an.random.intN(an.n)
	if an.random.intN(2) == 0 || len(an.top[batch]) == 0 {
		return m
	}
	moves := an.moves[batch]
	first := an.random.intN(len(moves))
	for i := range moves {
		at := moves[(first+i)%len(moves)]
		if an.bytesAt(int(at), an.top[batch][0].end) > 0 {
			return int(at)
		}
	}
	return m
}

// mayGo says whether a move may be in a batch, caps aside.
func (an *annealer) mayGo(m, batch int) bool {
	return !an.alone[m] && batch < an.limits[urgency(&an.p.Moves[m])]
}

// make makes a change and remembers the batches where they are the best so far.
func (an *annealer) make(a int, c change, cost int64) {
	an.apply(a, c)
	an.where[c.x] = c.b
	if c.y >= 0 {
		an.where[c.y] = a
	}
	if an.sum += cost; an.sum < an.best {
		an.best = an.sum
		copy(an.kept, an.where)
	}
}

// packRandom is SplitMix64: the same numbers in every run and with every Go.
type packRandom uint64

func (r *packRandom) next() uint64 {
	n := Mixed(uint64(*r))
	*r += splitMixStep
	return n
}

// intN is a number from 0 to n-1.
func (r *packRandom) intN(n int) int {
	hi, _ := bits.Mul64(r.next(), uint64(n))
	return int(hi)
}

// unit is a number from 0 up to but not 1.
func (r *packRandom) unit() float64 { return float64(r.next()>>11) / (1 << 53) }

// restore brings every move back to where it was at the best sum.
func (an *annealer) restore() {
	for m, b := range an.kept {
		if an.where[m] != b {
			an.take(m, an.where[m])
			an.put(m, b)
		}
	}
	for b := range an.n {
		an.refresh(b)
	}
}
