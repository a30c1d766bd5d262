package placement

import "slices"

// replicaLists has the units on each broker, the cheapest to move first.
type replicaLists struct {
	replicas
	on     [][]pileEntry
	inRack [][]int16
	free   bool    // only units that go anywhere at no cost, and only where they do
	price  []int64 // by broker: arcs lead to brokers of the same price only; nil where to all
}

// leads says whether an arc may lead from a to b.
func (l *replicaLists) leads(a, b int16) bool { return l.price == nil || l.price[a] == l.price[b] }

// listReplicas lists the units of topics.
func (m replicas) listReplicas(topics []int32) *replicaLists { return m.listUnits(topics, false) }

// listUnits lists all units of topics, or those that go anywhere at no cost.
func (m replicas) listUnits(topics []int32, free bool) *replicaLists {
	l := &replicaLists{replicas: m, on: make([][]pileEntry, m.brokers), inRack: make([][]int16, m.racks), free: free}
	for _, b := range m.scope {
		if slices.ContainsFunc(topics, func(t int32) bool { return m.topics[t].eligible[b] }) {
			l.inRack[m.rackOf[b]] = append(l.inRack[m.rackOf[b]], b)
		}
	}
	for _, t := range topics {
		from, to := m.units(t)
		for u := from; u < to; u++ {
			if !free || m.unitHolds[u] == 0 {
				l.on[m.unitAt[u]] = append(l.on[m.unitAt[u]], m.pileEntry(u))
			}
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
// at by themselves, for all units.
func (l *replicaLists) arcsFrom(a int16, row []arc) (work int) {
	open, left := l.open(a)
	for _, e := range l.on[a] {
		i := l.unitPart[e.unit]
		p := &l.parts[i]
		left -= l.homeArcs(e.unit, p, row, open)
		if left == 0 {
			continue
		}
		for r, brokers := range l.inRack {
			if open[r] == 0 || !l.rackFits(i, p, l.rackOf[a], int16(r)) {
				continue
			}
			for _, b := range brokers {
				if row[b].unit < 0 && l.leads(a, b) && l.goes(e.unit, p, b) {
					left -= l.offerArc(e.unit, b, row, open)
				}
			}
			work += open[r]
		}
	}
	return work + len(l.on[a])
}

// goes says whether u, of p, may go to b.
func (l *replicaLists) goes(u int32, p *part, b int16) bool {
	return l.topics[p.topic].eligible[b] && l.fits(u, b) && (!l.free || l.costsNothing(u, b))
}

// homeArcs offers the arcs of u to brokers that hold its partition today and will
// not otherwise.
func (l *replicaLists) homeArcs(u int32, p *part, row []arc, open []int) (filled int) {
	if p.vacant == 0 || l.free {
		return 0
	}
	for _, b := range l.homesOf(p) {
		if l.leads(l.unitAt[u], b) && l.fits(u, b) {
			filled += l.offerArc(u, b, row, open)
		}
	}
	return filled
}

// open is by rack to how many brokers there is no arc from a yet, and their
// number in those racks that some unit might reach.
func (l *replicaLists) open(a int16) (open []int, left int) {
	open = make([]int, l.racks)
	own := l.rackOf[a]
	open[own] = l.reached(a, own) - 1
	left = open[own]
	if slices.ContainsFunc(l.on[a], func(e pileEntry) bool { return !l.parts[l.unitPart[e.unit]].locked }) {
		for r := range open {
			if r != int(own) {
				open[r] = l.reached(a, int16(r))
				left += open[r]
			}
		}
	}
	return open, left
}

// reached is to how many brokers of a rack an arc may lead from a.
func (l *replicaLists) reached(a, rack int16) (n int) {
	for _, b := range l.inRack[rack] {
		if l.leads(a, b) {
			n++
		}
	}
	return n
}

// offerArc makes u the unit of the arc to b where it is the cheapest. It gives 1
// where there was none, and counts it in open.
func (l *replicaLists) offerArc(u int32, b int16, row []arc, open []int) (filled int) {
	var c vec
	l.cost(u, b, &c)
	x := &row[b]
	cost := [costTopic]int64(c[:costTopic])
	if x.unit >= 0 && slices.Compare(cost[:], x.cost[:]) >= 0 {
		return 0
	}
	if x.unit < 0 {
		open[l.rackOf[b]]--
		filled = 1
	}
	*x = arc{u, cost}
	return filled
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
