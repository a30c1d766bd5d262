package placement

// shelf makes up batch after batch: the first move of the order, then all that
// fit beside it without any end taking longer than height times as long as that
// move. Where the number of moves or bytes in a batch binds, and not the busiest
// broker, that wastes less than spreading moves over all batches.
func (k *packer) shelf(height int64) (batches [][]int) {
	left, caps := k.byUrgency(), newPackCaps(k, k.maxMoves)
	load, touched := make(packEnds, len(k.ends)), []int32{}
	for len(left) > 0 {
		batch, rest, most := []int{}, left[:0], height*k.time[left[0]]
		caps.clear()
		for i, m := range left {
			if caps.full || caps.count == caps.most {
				rest = append(rest, left[i:]...)
				break
			}
			if !caps.room(m) || !k.under(load, m, most) {
				rest = append(rest, m)
				continue
			}
			caps.add(m)
			batch = append(batch, m)
			for _, f := range k.flows[m] {
				load[f.end] += f.bytes
				touched = append(touched, f.end)
			}
		}
		for _, e := range touched {
			load[e] = 0
		}
		batches, left, touched = append(batches, batch), rest, touched[:0]
	}
	return batches
}

// under says whether a move keeps all ends within a time.
func (k *packer) under(load packEnds, m int, most int64) bool {
	for _, f := range k.flows[m] {
		if load[f.end]+f.bytes > most {
			return false
		}
	}
	return true
}
