package placement

import "slices"

// packTable has the batches while they are being filled. Loads are kept end by end
// and not batch by batch, since what is asked most is: which batch has room at
// these two or three ends.
type packTable struct {
	n, stride int
	load      []int64 // [end*stride + batch], bytes
	copies    []int32 // [broker*stride + batch]
	moves     [][]int32
	count     []int32 // moves in each batch; at the cap where a move goes alone
	filled    []int64 // bytes that arrive
	spent     []int64 // the busiest end's bytes

	peak []int64 // scratch of best
	open []bool
}

// grow makes the table n batches long.
func (k *packer) grow(n int) {
	t := &k.packTable
	if n > t.stride {
		k.widen(n + n/4 + 16)
	}
	for len(t.moves) < n {
		t.moves = append(t.moves, nil)
		t.count = append(t.count, 0)
		t.filled = append(t.filled, 0)
		t.spent = append(t.spent, 0)
	}
	t.n = n
	t.peak, t.open = slices.Grow(t.peak[:0], n)[:n], slices.Grow(t.open[:0], n)[:n]
}

// widen makes room for more batches.
func (k *packer) widen(stride int) {
	t := &k.packTable
	load, copies := make([]int64, 2*k.p.Brokers*stride), make([]int32, k.p.Brokers*stride)
	for e := range 2 * k.p.Brokers {
		copy(load[e*stride:], t.load[e*t.stride:(e+1)*t.stride])
	}
	for b := range k.p.Brokers {
		copy(copies[b*stride:], t.copies[b*t.stride:(b+1)*t.stride])
	}
	t.load, t.copies, t.stride = load, copies, stride
}

// put adds a move to a batch.
func (k *packer) put(m, batch int) {
	t := &k.packTable
	t.moves[batch] = append(t.moves[batch], int32(m))
	t.count[batch]++
	t.filled[batch] += k.total[m]
	for _, s := range k.share[m] {
		t.copies[int(s.broker)*t.stride+batch] += s.copies
	}
	for _, f := range k.flows[m] {
		at := int(f.end)*t.stride + batch
		t.load[at] += f.bytes
		t.spent[batch] = max(t.spent[batch], t.load[at])
	}
}

// take removes a move from a batch; spent is left to the caller.
func (k *packer) take(m, batch int) {
	t := &k.packTable
	i := slices.Index(t.moves[batch], int32(m))
	t.moves[batch] = slices.Delete(t.moves[batch], i, i+1)
	t.count[batch]--
	t.filled[batch] -= k.total[m]
	for _, s := range k.share[m] {
		t.copies[int(s.broker)*t.stride+batch] -= s.copies
	}
	for _, f := range k.flows[m] {
		t.load[int(f.end)*t.stride+batch] -= f.bytes
	}
}

// best is the batch in [from, to) whose time grows least by the move, then the
// one whose load at the move's busiest end is least, then the first; -1 where
// none has room.
func (k *packer) best(m, from, to int) int {
	t := &k.packTable
	open, peak := t.open[:to-from], t.peak[:to-from]
	count, bytes := t.count[from:to], t.filled[from:to]
	for i := range open {
		open[i] = count[i] < k.maxMoves && k.total[m] <= k.maxBytes-bytes[i]
		peak[i] = 0
	}
	for _, s := range k.share[m] {
		for i, c := range t.copies[int(s.broker)*t.stride+from : int(s.broker)*t.stride+to] {
			if c > k.maxCopies-s.copies {
				open[i] = false
			}
		}
	}
	for _, f := range k.flows[m] {
		for i, l := range t.load[int(f.end)*t.stride+from : int(f.end)*t.stride+to] {
			peak[i] = max(peak[i], l+f.bytes)
		}
	}
	if at := cheapest(open, peak, t.spent[from:to]); at >= 0 {
		return from + at
	}
	return -1
}

// cheapest is the first open batch with least growth, then least peak; -1 where
// none is open.
func cheapest(open []bool, peak, spent []int64) int {
	at, growth := -1, int64(0)
	for i, ok := range open {
		if !ok {
			continue
		}
		g := max(peak[i]-spent[i], 0)
		if at < 0 || g < growth || g == growth && peak[i] < peak[at] {
			at, growth = i, g
		}
	}
	return at
}
