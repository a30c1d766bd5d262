package placement

import (
	"math"
	"slices"
)

// nonEmpty gives the batches that have moves, each ascending.
func (k *packer) nonEmpty() [][]int {
	batches := [][]int{}
	for _, moves := range k.moves {
		if len(moves) == 0 {
			continue
		}
		batch := make([]int, len(moves))
		for i, m := range moves {
			batch[i] = int(m)
		}
		slices.Sort(batch)
		batches = append(batches, batch)
	}
	return batches
}

// disk is the free space of each broker between two batches, and what the next
// batch brings and frees.
type disk struct {
	k       *packer
	free    []int64 // -1: unknown
	arrives []int64
	freed   []int64
	touched []int16 // brokers with an entry in arrives or freed
	back    bool    // time runs backwards: free is what there is after the batch
}

// newDisk is the free space at the beginning; nil where nothing is known.
func (k *packer) newDisk() *disk {
	if len(k.p.Free) == 0 || slices.Max(k.p.Free) < 0 {
		return nil
	}
	n := k.p.Brokers
	d := &disk{k: k, free: make([]int64, n), arrives: make([]int64, n), freed: make([]int64, n)}
	for b := range d.free {
		d.free[b] = -1
	}
	copy(d.free, k.p.Free)
	return d
}

// wanted is the free space that so many arriving bytes want.
func (d *disk) wanted(bytes int64) int64 {
	w := math.Ceil(float64(bytes) * max(d.k.p.Headroom, 1))
	if w >= math.MaxInt64/2 {
		return math.MaxInt64 / 2
	}
	return int64(w)
}

// add puts a move into the batch that is being made up, if there is the space.
func (d *disk) add(m int) bool {
	touched := len(d.touched)
	d.note(m, 1)
	mv := &d.k.p.Moves[m]
	for _, list := range [2][]int16{mv.Targets, mv.Frees} {
		for _, b := range list {
			if !d.enough(int(b)) {
				d.note(m, -1)
				d.touched = d.touched[:touched]
				return false
			}
		}
	}
	return true
}

// note adds what a move brings and frees, sign times.
func (d *disk) note(m int, sign int64) {
	mv := &d.k.p.Moves[m]
	for _, b := range mv.Targets {
		d.arrives[b] += sign * d.k.bytes[m]
	}
	for _, b := range mv.Frees {
		d.freed[b] += sign * d.k.bytes[m]
	}
	if sign > 0 {
		d.touched = append(append(d.touched, mv.Targets...), mv.Frees...)
	}
}

// enough says whether a broker has the space for the batch being made up.
func (d *disk) enough(b int) bool {
	if d.free[b] < 0 {
		return true
	}
	before := d.free[b]
	if d.back {
		before += d.arrives[b] - d.freed[b]
	}
	return before >= 0 && (d.arrives[b] == 0 || before >= d.wanted(d.arrives[b]))
}

// pass ends the batch that is being made up.
func (d *disk) pass() {
	for _, b := range d.touched {
		if d.free[b] >= 0 {
			change := d.freed[b] - d.arrives[b]
			if d.back {
				change = -change
			}
			d.free[b] = max(d.free[b]+change, 0)
		}
		d.arrives[b], d.freed[b] = 0, 0
	}
	d.touched = d.touched[:0]
}

// drop forgets the batch that is being made up.
func (d *disk) drop() {
	for _, b := range d.touched {
		d.arrives[b], d.freed[b] = 0, 0
	}
	d.touched = d.touched[:0]
}

// takes says whether a whole batch has the space, and keeps it if so.
func (d *disk) takes(batch []int) bool {
	for _, m := range batch {
		d.note(m, 1)
	}
	for _, b := range d.touched {
		if !d.enough(int(b)) {
			d.drop()
			return false
		}
	}
	d.pass()
	return true
}

// simulate says whether the batches, in this order, have the space.
func (k *packer) simulate(batches [][]int) bool {
	d := k.newDisk()
	if d == nil {
		return true
	}
	for _, batch := range batches {
		if !d.takes(batch) {
			return false
		}
	}
	return true
}
