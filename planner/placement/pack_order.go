package placement

import (
	"cmp"
	"slices"
)

// orderForDisk brings the batches into an order in which each has the space it
// wants; where the batches as they are have none, it makes others up. It says
// whether it had to, and where none is found, which broker is in the way: then
// the batches are those that can go before it.
func (k *packer) orderForDisk(batches *[][]int) (*Blocked, bool) {
	if k.simulate(*batches) {
		return nil, false
	}
	if ordered, ok := k.reorder(*batches); ok {
		*batches = ordered
		return nil, true
	}
	forward, blocked := k.forward(k.maxMoves)
	if blocked == nil {
		*batches = forward
		return nil, true
	}
	for _, attempt := range []func() ([][]int, bool){k.backward, k.oneByOne, k.oneByOneBackward} {
		if other, ok := attempt(); ok && k.simulate(other) {
			*batches = other
			return nil, true
		}
	}
	*batches = forward
	return blocked, true
}

// reorder takes the first batch that has the space, again and again.
func (k *packer) reorder(batches [][]int) ([][]int, bool) {
	d, left, out := k.newDisk(), slices.Clone(batches), [][]int{}
	for len(left) > 0 {
		i := slices.IndexFunc(left, d.takes)
		if i < 0 {
			return nil, false
		}
		out = append(out, left[i])
		left = slices.Delete(left, i, i+1)
	}
	return out, true
}

// byUrgency gives all moves, the most urgent first, each urgency largest first.
func (k *packer) byUrgency() []int {
	all := make([]int, len(k.p.Moves))
	for m := range all {
		all[m] = m
	}
	k.largestFirst(all)
	slices.SortStableFunc(all, func(a, b int) int {
		return cmp.Compare(urgency(&k.p.Moves[a]), urgency(&k.p.Moves[b]))
	})
	return all
}

// forward makes up batch after batch of the first moves that fit, at most so
// many in each; where none fits any more, it tells what is in the way.
func (k *packer) forward(most int32) ([][]int, *Blocked) {
	d := k.newDisk()
	batches, left := k.sequence(d, k.byUrgency(), most)
	if len(left) > 0 {
		return batches, d.blocked(left)
	}
	return batches, nil
}

// backward does the same back from the end, when copies come back to where they
// were: an order that is hard to find from one side may be easy from the other.
func (k *packer) backward() ([][]int, bool) { return k.fromTheEnd(k.maxMoves) }

// packSerial is how many moves are tried one by one at most.
const packSerial = 4000

// oneByOne moves one partition at a time, which wants the least space, and then
// joins neighbours again.
func (k *packer) oneByOne() ([][]int, bool) {
	if len(k.p.Moves) > packSerial {
		return nil, false
	}
	batches, blocked := k.forward(1)
	return k.join(batches), blocked == nil
}

func (k *packer) oneByOneBackward() ([][]int, bool) {
	if len(k.p.Moves) > packSerial {
		return nil, false
	}
	batches, ok := k.fromTheEnd(1)
	return k.join(batches), ok
}

func (k *packer) fromTheEnd(most int32) ([][]int, bool) {
	d := k.newDisk()
	for m := range k.p.Moves {
		d.note(m, 1)
	}
	for b := range d.free {
		if d.free[b] >= 0 && d.free[b]+d.freed[b]-d.arrives[b] < 0 {
			return nil, false // the end itself has no space
		}
	}
	d.pass()
	d.back = true
	order := k.byUrgency()
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(urgency(&k.p.Moves[b]), urgency(&k.p.Moves[a]))
	})
	batches, left := k.sequence(d, order, most)
	slices.Reverse(batches)
	return batches, len(left) == 0
}

// sequence makes up batches of the first moves that fit the caps and the disk,
// and gives what never fitted.
func (k *packer) sequence(d *disk, order []int, most int32) (batches [][]int, left []int) {
	left = order
	caps := newPackCaps(k, most)
	for len(left) > 0 {
		batch, rest := []int{}, left[:0]
		caps.clear()
		for _, m := range left {
			if caps.room(m) && d.add(m) {
				caps.add(m)
				batch = append(batch, m)
			} else {
				rest = append(rest, m)
			}
		}
		if left = rest; len(batch) == 0 {
			return batches, left
		}
		d.pass()
		slices.Sort(batch)
		batches = append(batches, batch)
	}
	return batches, nil
}

// join puts neighbouring batches together where caps and disk allow.
func (k *packer) join(batches [][]int) [][]int {
	d, caps, out := k.newDisk(), newPackCaps(k, k.maxMoves), [][]int{}
	for _, batch := range batches {
		for _, m := range batch {
			if n := len(out); n > 0 && caps.room(m) && d.add(m) {
				out[n-1] = append(out[n-1], m)
			} else {
				d.pass()
				caps.clear()
				d.add(m)
				out = append(out, []int{m})
			}
			caps.add(m)
		}
	}
	for _, batch := range out {
		slices.Sort(batch)
	}
	return out
}
