package placement

// packGroupSize is how many batches are looked at for one move. Where there are
// many more, moves are dealt to groups of batches first, so that the work grows
// with the moves and not with moves x batches.
const packGroupSize = 64

// packGroups are runs of batches, each with its load as if it were one batch.
type packGroups struct {
	k      *packer
	n      int       // groups; 1: no dealing
	load   []float64 // [end*n + group], as parts of the busiest end's even share
	copies []float64 // [broker*n + group], as parts of what caps allow
	filled []float64 // by group, as parts of what caps allow
	count  []float64
	even   float64 // the bytes through the busiest end, for each batch
}

func newPackGroups(k *packer) *packGroups {
	g := &packGroups{k: k, n: 1}
	if k.n < 4*packGroupSize {
		return g
	}
	g.n = (k.n + packGroupSize - 1) / packGroupSize
	g.load, g.copies = make([]float64, 2*k.p.Brokers*g.n), make([]float64, k.p.Brokers*g.n)
	g.filled, g.count = make([]float64, g.n), make([]float64, g.n)
	for b := range k.p.Brokers {
		g.even = max(g.even, float64(k.ends.through(b))/float64(k.n))
	}
	g.even = max(g.even, 1)
	for b, moves := range k.moves {
		for _, m := range moves {
			g.add(int(m), b/packGroupSize)
		}
	}
	return g
}

// add counts a move as part of a group.
func (g *packGroups) add(m, i int) {
	w := g.width(i)
	g.count[i] += 1 / w / float64(g.k.maxMoves)
	g.filled[i] += float64(g.k.total[m]) / w / float64(g.k.maxBytes)
	for _, f := range g.k.flows[m] {
		g.load[int(f.end)*g.n+i] += float64(f.bytes) / w / g.even
	}
	for _, s := range g.k.share[m] {
		g.copies[int(s.broker)*g.n+i] += float64(s.copies) / w / float64(g.k.maxCopies)
	}
}

// width is the number of batches of a group; the last may have fewer or more.
func (g *packGroups) width(i int) float64 {
	if i == g.n-1 {
		return float64(g.k.n - i*packGroupSize)
	}
	return packGroupSize
}

// best is the batch for a move, -1 where none has room: the best of the group
// with least of what the move needs, or else of the first group with room.
func (g *packGroups) best(m int) int {
	if g.n == 1 {
		return g.k.best(m, 0, g.k.n)
	}
	first := g.emptiest(m)
	for i := range g.n {
		group := (first + i) % g.n
		from, to := group*packGroupSize, (group+1)*packGroupSize
		if group == g.n-1 {
			to = g.k.n // with those that were added since
		}
		if at := g.k.best(m, from, to); at >= 0 {
			g.add(m, group)
			return at
		}
	}
	return -1
}

// emptiest is the group where the scarcest of what a move needs is least used.
func (g *packGroups) emptiest(m int) int {
	at, least := 0, 0.0
	for i := range g.n {
		used := max(g.count[i], g.filled[i])
		for _, f := range g.k.flows[m] {
			used = max(used, g.load[int(f.end)*g.n+i])
		}
		for _, s := range g.k.share[m] {
			used = max(used, g.copies[int(s.broker)*g.n+i])
		}
		if i == 0 || used < least {
			at, least = i, used
		}
	}
	return at
}
