package placement

import "slices"

// replicaLists has the units on each broker, the cheapest to move first.
type replicaLists struct {
	replicas
	on     [][]pileEntry
	inRack [][]int16
}

// listReplicas lists the units of topics.
func (m replicas) listReplicas(topics []int32) *replicaLists {
	l := &replicaLists{replicas: m, on: make([][]pileEntry, m.brokers), inRack: make([][]int16, m.racks)}
	for _, b := range m.scope {
		l.inRack[m.rackOf[b]] = append(l.inRack[m.rackOf[b]], b)
	}
	for _, t := range topics {
		from, to := m.units(t)
		for u := from; u < to; u++ {
			l.on[m.unitAt[u]] = append(l.on[m.unitAt[u]], m.pileEntry(u))
		}
	}
	for _, list := range l.on {
		slices.SortFunc(list, comparePile)
	}
	return l
}

// pileEntry is unit u with what it costs to move it where its partition is not.
func (m replicas) pileEntry(u int32) pileEntry {
	p := &m.parts[m.unitPart[u]]
	var c vec
	p.leave(m.unitHolds[u], &c)
	p.enter(0, &c)
	return pileEntry{c[costCopies], c[costBytes], c[costWorth], u}
}

// comparePile orders by cost, then by index.
func comparePile(a, b pileEntry) int {
	if a.less(&b) {
		return -1
	}
	if b.less(&a) {
		return 1
	}
	return 0
}

// arcsFrom takes units in order of cost until every broker that any of them could
// reach has one. Brokers that hold the partition today cost less and are looked
// at in any case, but for those behind the last unit looked at.
func (l *replicaLists) arcsFrom(a int16, row []arc) {
	open := l.reachable(a)
	for _, e := range l.on[a] {
		if open == 0 {
			return
		}
		u := e.unit
		i := l.unitPart[u]
		p := &l.parts[i]
		t := &l.topics[p.topic]
		for r, brokers := range l.inRack {
			if !l.rackFits(i, p, l.rackOf[a], int16(r)) {
				continue
			}
			for _, b := range brokers {
				if row[b].unit >= 0 && !has(l.homesOf(p), b) || !t.eligible[b] || !l.fits(u, b) {
					continue
				}
				if row[b].unit < 0 {
					open--
				}
				l.offerArc(u, b, &row[b])
			}
		}
	}
}

// reachable is how many brokers units of a may go to: those of its own rack where
// no unit may leave it, or else all.
func (l *replicaLists) reachable(a int16) int {
	for _, e := range l.on[a] {
		if !l.parts[l.unitPart[e.unit]].locked {
			return len(l.scope) - 1
		}
	}
	return len(l.inRack[l.rackOf[a]]) - 1
}

// offerArc makes u the unit of an arc where it is the cheapest.
func (l *replicaLists) offerArc(u int32, b int16, x *arc) {
	var c vec
	l.cost(u, b, &c)
	cost := [costTopic]int64(c[:costTopic])
	if x.unit < 0 || slices.Compare(cost[:], x.cost[:]) < 0 {
		*x = arc{u, cost}
	}
}

func (l *replicaLists) moved(u int32, from int16) {
	list := l.on[from]
	if i := slices.IndexFunc(list, func(e pileEntry) bool { return e.unit == u }); i >= 0 {
		l.on[from] = slices.Delete(list, i, i+1)
	}
	to := l.unitAt[u]
	e := l.pileEntry(u)
	i, _ := slices.BinarySearchFunc(l.on[to], e, comparePile)
	l.on[to] = slices.Insert(l.on[to], i, e)
}

func (l *replicaLists) sides(u int32) []int16 { return l.unitsOf(&l.parts[l.unitPart[u]]) }
