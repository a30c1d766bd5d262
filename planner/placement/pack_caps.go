package placement

import "slices"

// packCaps keeps one batch within the caps while it is made up.
type packCaps struct {
	k      *packer
	most   int32 // moves in a batch
	count  int32
	bytes  int64
	copies []int32 // by broker
	full   bool    // a move that goes alone is in it
}

func newPackCaps(k *packer, most int32) *packCaps {
	return &packCaps{k: k, most: most, copies: make([]int32, k.p.Brokers)}
}

func (c *packCaps) clear() {
	c.count, c.bytes, c.full = 0, 0, false
	clear(c.copies)
}

// room says whether a move keeps the batch within the caps. A move that exceeds
// one by itself has room where there is no other.
func (c *packCaps) room(m int) bool {
	if c.full || c.count >= c.most {
		return false
	}
	if c.k.alone[m] {
		return c.count == 0
	}
	if c.k.total[m] > c.k.maxBytes-c.bytes {
		return false
	}
	for _, s := range c.k.share[m] {
		if c.copies[s.broker] > c.k.maxCopies-s.copies {
			return false
		}
	}
	return true
}

func (c *packCaps) add(m int) {
	c.count++
	c.bytes += c.k.total[m]
	c.full = c.full || c.k.alone[m]
	for _, s := range c.k.share[m] {
		c.copies[s.broker] += s.copies
	}
}

// blocked tells which broker is in the way of moves of which none has the
// space. Of those that moves wait for it is the one that would lack most at the
// end, since others may only wait for it in turn.
func (d *disk) blocked(left []int) *Blocked {
	d.drop()
	end := append([]int64(nil), d.free...)
	waits := make([][]int, len(d.free))
	for _, m := range left {
		mv := &d.k.p.Moves[m]
		for _, b := range mv.Targets {
			end[b] -= d.k.bytes[m]
			if d.free[b] >= 0 && d.free[b] < d.wanted(d.k.bytes[m]) {
				waits[b] = append(waits[b], m)
			}
		}
		for _, b := range mv.Frees {
			end[b] += d.k.bytes[m]
		}
	}
	at := -1
	for b := range waits {
		if len(waits[b]) > 0 && (at < 0 || end[b] < end[at]) {
			at = b
		}
	}
	return d.describe(at, waits[at])
}

// describe is the broker with the moves that wait for it.
func (d *disk) describe(at int, waits []int) *Blocked {
	b := &Blocked{Broker: at, Free: d.free[at], Wanted: -1, Moves: waits}
	for _, m := range waits {
		if w := d.wanted(d.k.bytes[m]); b.Wanted < 0 || w < b.Wanted {
			b.Wanted = w
		}
	}
	slices.Sort(b.Moves)
	return b
}
