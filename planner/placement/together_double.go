package placement

import "slices"

// double is a move of two leaderships of one topic at once: the first goes to a
// broker that the second leaves, since the replica there goes over to the first
// one's partition, and the second goes where it has another.
type double struct {
	first, second int32
	from, at, to  int16 // the first goes from from to at, the second from at to to
}

// doubleOf is the double that u stands for, nil where u is a unit of leaders.
func (j *together) doubleOf(u int32) *double {
	if k := int(u) - len(j.leaders.on); k >= 0 {
		return &j.double[k]
	}
	return nil
}

func (j *together) at(u int32) int16 {
	d := j.doubleOf(u)
	switch {
	case d == nil:
		return j.leaders.on[u]
	case j.leaders.on[d.first] == d.from && j.leaders.on[d.second] == d.at:
		return d.from
	}
	return -1
}

// plain is the unit of leaders that u is, or begins with.
func (j *together) plain(u int32) int32 {
	if d := j.doubleOf(u); d != nil {
		return d.first
	}
	return u
}

func (j *together) partition(u int32) int32 { return j.leaders.partition(j.plain(u)) }
func (j *together) topicOf(u int32) int32   { return j.leaders.topicOf(j.plain(u)) }

func (j *together) cost(u int32, to int16, c *vec) {
	d := j.doubleOf(u)
	if d == nil {
		j.leaders.cost(u, to, c)
		return
	}
	var second vec
	j.leaders.cost(d.first, d.at, c)
	j.leaders.cost(d.second, d.to, &second)
	c.plus(&second)
}

// findDouble is the exchange that a double takes, nil where there is none.
func (j *together) findDouble(d *double) []step {
	p, q := &j.model.parts[j.parts[d.first]], &j.model.parts[j.parts[d.second]]
	x := j.replicaOn(q, d.at)
	if x < 0 || has(j.unitsOf(p), d.at) {
		return nil
	}
	for w := p.unit; w < p.unit+int32(p.units); w++ {
		c := j.unitAt[w]
		if has(j.unitsOf(q), c) || c != d.to && !has(j.unitsOf(q), d.to) {
			continue
		}
		if j.try = [2]step{{w, c, d.at}, {x, d.at, c}}; j.free(j.try[:]) {
			return slices.Clone(j.try[:])
		}
	}
	return nil
}

// replicaOn is p's unit on b, -1 where there is none.
func (j *together) replicaOn(p *part, b int16) int32 {
	for w := p.unit; w < p.unit+int32(p.units); w++ {
		if j.unitAt[w] == b {
			return w
		}
	}
	return -1
}

// relaxDoubles relaxes the doubles of a topic.
func (j *together) relaxDoubles(g *graph, slot int) {
	from, to := j.units(g.slots[slot])
	for u := from; u < to; u++ {
		for v := from; v < to && g.work <= g.budget; v++ {
			at := j.leaders.on[v]
			if u == v || has(j.targets(u), at) {
				continue
			}
			g.work += 4
			for _, b := range j.targets(v) {
				j.relaxDouble(g, slot, double{first: u, second: v, from: j.leaders.on[u], at: at, to: b})
			}
			for _, b := range j.targets(u) {
				j.relaxDouble(g, slot, double{first: u, second: v, from: j.leaders.on[u], at: at, to: b})
			}
		}
	}
}

// relaxDouble relaxes one if it brings its end nearer and there is an exchange.
func (j *together) relaxDouble(g *graph, slot int, d double) {
	if d.to == d.at {
		return
	}
	var c, second vec
	base := int32(slot * j.brokers)
	j.leaders.cost(d.first, d.at, &c)
	j.leaders.cost(d.second, d.to, &second)
	c.plus(&second)
	c.plus(&g.dist[base+int32(d.from)])
	if !c.less(&g.dist[base+int32(d.to)]) {
		return
	}
	g.work += 8
	if j.findDouble(&d) == nil {
		return
	}
	u := int32(len(j.leaders.on) + len(j.double))
	j.double = append(j.double, d)
	g.reachTopic(int32(slot), base+int32(d.to), &c, base+int32(d.from), u)
}
