package placement

// fill puts all moves into batches, the most urgent first: each urgency fills
// what is left of the batches before it and adds as few as it needs.
func (k *packer) fill() {
	need := newPackNeed(k)
	shared := 0 // batches that several moves may share
	for u := range int8(len(k.limits)) {
		alone, others := k.ofUrgency(u)
		for _, m := range alone {
			k.putAlone(m)
		}
		for _, m := range others {
			need.add(m)
		}
		if more := need.batches() - shared; more > 0 {
			k.grow(k.n + more)
			shared += more
		}
		k.largestFirst(others)
		shared += k.place(others)
		k.limits[u] = k.n
	}
}

// putAlone gives a move a batch of its own, which no other may share.
func (k *packer) putAlone(m int) {
	k.grow(k.n + 1)
	k.put(m, k.n-1)
	k.count[k.n-1] = k.maxMoves
}

// place puts moves into the batches, each where it costs least, and gives the
// number of batches that it had to add.
func (k *packer) place(moves []int) (added int) {
	g := newPackGroups(k)
	for _, m := range moves {
		from, to := g.pick(m)
		at := k.best(m, from, to)
		if at < 0 && to-from < k.n {
			at = k.best(m, 0, k.n)
		}
		if at < 0 {
			k.grow(k.n + 1)
			at = k.n - 1
			added++
		}
		k.put(m, at)
	}
	return added
}

// packNeed counts how many shared batches moves need at least.
type packNeed struct {
	k      *packer
	moves  int64
	bytes  int64
	copies []int64 // by broker
	most   int64   // of copies
}

func newPackNeed(k *packer) *packNeed {
	return &packNeed{k: k, copies: make([]int64, k.p.Brokers)}
}

func (n *packNeed) add(m int) {
	n.moves++
	n.bytes += n.k.total[m]
	for _, s := range n.k.share[m] {
		n.copies[s.broker] += int64(s.copies)
		n.most = max(n.most, n.copies[s.broker])
	}
}

func (n *packNeed) batches() int {
	up := func(a, b int64) int64 { return a/b + min(a%b, 1) }
	return int(max(up(n.moves, int64(n.k.maxMoves)), up(n.bytes, n.k.maxBytes), up(n.most, int64(n.k.maxCopies))))
}

// packGroupSize is how many batches are looked at for one move. Where there are
// many more, moves are dealt to groups of batches first, so that the work grows
// with the moves and not with moves x batches.
const packGroupSize = 128

// packGroups are runs of batches, each with its load as if it were one batch.
type packGroups struct {
	k    *packer
	n    int     // groups; 1: no dealing
	size int     // batches in a group
	load []int64 // [end*n + group]
}

func newPackGroups(k *packer) *packGroups {
	g := &packGroups{k: k, n: 1, size: k.n}
	if k.n < 4*packGroupSize {
		return g
	}
	g.size = packGroupSize
	g.n = (k.n + g.size - 1) / g.size
	g.load = make([]int64, 2*k.p.Brokers*g.n)
	for e := range 2 * k.p.Brokers {
		for b := range k.n {
			g.load[e*g.n+b/g.size] += k.load[e*k.stride+b]
		}
	}
	return g
}

// pick is the run of batches that a move is dealt to: the one with least to do,
// for its number of batches, at the move's busiest end there.
func (g *packGroups) pick(m int) (from, to int) {
	if g.n == 1 {
		return 0, g.k.n
	}
	at, least := 0, float64(0)
	for i := range g.n {
		peak := int64(0)
		for _, f := range g.k.flows[m] {
			peak = max(peak, g.load[int(f.end)*g.n+i]+f.bytes)
		}
		if share := float64(peak) / float64(g.width(i)); i == 0 || share < least {
			at, least = i, share
		}
	}
	for _, f := range g.k.flows[m] {
		g.load[int(f.end)*g.n+at] += f.bytes
	}
	return at * g.size, at*g.size + g.width(at)
}

// width is the number of batches of a group; the last may have fewer.
func (g *packGroups) width(i int) int { return min(g.size, max(g.k.n-i*g.size, 1)) }
