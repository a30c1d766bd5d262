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
		at := g.best(m)
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
