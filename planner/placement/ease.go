package placement

// ease spreads what the plan copies: among replicas that cost the same elsewhere,
// so that the broker with most bytes to send or to receive has least to do, then
// the next, and so on. Copies are sent by the live leader. No level of the replicas
// changes by it, and no leader. Where few placements cost the same, all are looked
// at.
type ease struct {
	*together
	in, out []int64 // by broker: bytes that it receives, and sends
	work    int64
}

// easeCopies looks at every placement, or else takes load off the busiest brokers,
// exchange by exchange, until none helps or the budget ends; then it places a few
// partitions anew, again and again.
func (j *together) easeCopies(budget int64) {
	e := j.newEase()
	if e.idle() || e.exact(budget/8) {
		return
	}
	budget += e.work
	for e.settle(2 * budget); e.work < budget && e.relieve(budget); {
	}
	e.redraw(budget)
}

// newEase adds up what brokers have to do.
func (j *together) newEase() *ease {
	e := &ease{together: j, in: make([]int64, j.brokers), out: make([]int64, j.brokers)}
	for u, b := range j.unitAt {
		e.count(int32(u), b, 1)
	}
	return e
}

// idle says whether nobody has anything to do.
func (e *ease) idle() bool {
	for b := range int16(e.brokers) {
		if e.busy(b) > 0 {
			return false
		}
	}
	return true
}

// count adds a unit's copy to b, if it is one there, so many times.
func (e *ease) count(u int32, b int16, times int64) {
	e.copied(&e.model.parts[e.unitPart[u]], b, times)
}

// copied adds a copy of p to b, if it is one there, so many times.
func (e *ease) copied(p *part, b int16, times int64) {
	if !p.exists || p.in.Size <= 0 || has(e.homesOf(p), b) {
		return
	}
	e.in[b] += times * p.in.Size
	if p.in.Leader >= 0 {
		e.out[p.in.Leader] += times * p.in.Size
	}
}

// busy is what the broker has to do.
func (e *ease) busy(b int16) int64 { return max(e.in[b], e.out[b]) }

// relieve makes one exchange that takes something off the busiest broker and
// makes nobody as busy as that; it says whether there was one.
func (e *ease) relieve(budget int64) bool {
	most := e.scope[0]
	for b := range int16(e.brokers) {
		if e.busy(b) > e.busy(most) {
			most = b
		}
	}
	limit := e.busy(most)
	if limit == 0 {
		return false
	}
	receives := e.in[most] == limit
	for u, b := range e.unitAt {
		p := &e.model.parts[e.unitPart[u]]
		if e.unitHolds[u] != 0 || receives && b != most || !receives && p.in.Leader != most {
			continue
		}
		if p.exists && p.in.Size > 0 && e.leadOf(e.unitPart[u]) != b && e.relieveOf(int32(u), limit, budget) {
			return true
		}
	}
	return false
}

// relieveOf looks for such an exchange that moves u.
func (e *ease) relieveOf(u int32, limit, budget int64) bool {
	b := e.unitAt[u]
	p := &e.model.parts[e.unitPart[u]]
	for _, c := range e.topics[p.topic].in.Eligible {
		if has(e.unitsOf(p), c) {
			continue
		}
		for _, t := range e.peers[p.topic] {
			if e.work++; !e.topics[t].eligible[b] {
				continue
			}
			for _, v := range e.on[int(t)*e.brokers+int(c)] {
				if e.work++; e.work > budget {
					return false
				}
				if e.unitAt[v] == c && e.exchange(u, v, b, c, limit) {
					return true
				}
			}
		}
	}
	return false
}

// exchange exchanges u on b and v on c if all then have less to do than limit.
func (e *ease) exchange(u, v int32, b, c int16, limit int64) bool {
	i := e.unitPart[v]
	q := &e.model.parts[i]
	if i == e.unitPart[u] || has(e.unitsOf(q), b) || e.leadOf(i) == c {
		return false
	}
	e.turn(u, v, b, c, 1)
	ok := e.busy(b) < limit && e.busy(c) < limit && e.sends(u) < limit && e.sends(v) < limit
	if e.try = [2]step{{u, b, c}, {v, c, b}}; ok && e.free(e.try[:]) {
		for _, s := range e.try {
			e.carry(s)
		}
		return true
	}
	e.turn(u, v, b, c, -1)
	return false
}

// turn counts the exchange of u on b and v on c, so many times.
func (e *ease) turn(u, v int32, b, c int16, times int64) {
	e.count(u, b, -times)
	e.count(v, c, -times)
	e.count(u, c, times)
	e.count(v, b, times)
}

// sends is what the broker that sends u's partition has to do.
func (e *ease) sends(u int32) int64 {
	if b := e.model.parts[e.unitPart[u]].in.Leader; b >= 0 {
		return e.busy(b)
	}
	return 0
}
