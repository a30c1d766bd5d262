package placement

// hubSize is how many candidates a hub remembers.
const hubSize = 6

// candidate is a unit that may enter a zone, and how near a broker comes by it.
type candidate struct {
	dist       vec
	unit, part int32
}

// hub has the nearest candidates of a zone, nearest first. All brokers of the
// zone are the same to a candidate, but for those that its partition is on, so
// one list serves them all, and no arc from every unit to every broker is needed.
type hub struct {
	best [hubSize]candidate
	n    int
	more bool // there were candidates besides
}

// offer adds a candidate where it is among the nearest.
func (h *hub) offer(d *vec, unit, part int32) {
	i := h.n
	if i == hubSize {
		h.more = true
		if !d.less(&h.best[i-1].dist) {
			return
		}
		i--
	} else {
		h.n++
	}
	for ; i > 0 && d.less(&h.best[i-1].dist); i-- {
		h.best[i] = h.best[i-1]
	}
	h.best[i] = candidate{*d, unit, part}
}

// relaxUnits relaxes the moves of a topic's units: those to brokers that hold
// their partition today one by one, all others through the zones' hubs.
func (m replicas) relaxUnits(g *graph, slot int) {
	t := &m.topics[g.slots[slot]]
	for len(g.hubs) < len(t.zones) {
		g.hubs = append(g.hubs, hub{})
	}
	for z := range t.zones {
		g.hubs[z].n, g.hubs[z].more = 0, false
	}
	row := g.dist[slot*m.brokers : (slot+1)*m.brokers]
	g.offers = 0
	for i := t.first; i < t.first+t.n; i++ {
		p := &m.parts[i]
		if int(p.units) == len(t.in.Eligible) {
			continue // wherever it may be it is
		}
		for u := p.unit; u < p.unit+int32(p.units); u++ {
			m.offerUnit(g, t, i, u, &row[m.unitAt[u]])
			if p.homesN > 0 {
				g.offers += int64(p.homesN) * m.scan(p)
				m.relaxHomes(g, slot, p, u)
			}
		}
	}
	g.work += int64(t.n)*3 + max(0, g.offers-int64(t.n)*usualOffers)
	for z := range t.zones {
		for _, b := range t.zones[z].brokers {
			m.relaxZone(g, slot, z, b)
		}
	}
}

// scan is the work of looking through p's replicas, 0 where they are few.
func (m *model) scan(p *part) int64 { return int64(p.units) / 8 }

// usualOffers is to how many zones the replicas of a partition are offered before
// that counts as more work than three arcs.
const usualOffers = 12

// offerUnit offers a unit to the hubs of all zones that it may enter.
func (m *model) offerUnit(g *graph, t *topicModel, i, u int32, dist *vec) {
	p := &m.parts[i]
	d := *dist
	holds := m.unitHolds[u]
	if t.ranked() {
		holds &^= holdsLead // see led
	}
	p.leave(holds, &d)
	p.enter(0, &d)
	from := m.rackOf[m.unitAt[u]]
	if p.locked {
		m.offerRack(g, t, i, u, from, &d)
		return
	}
	for to := range int16(m.racks) {
		if m.rackFits(i, p, from, to) {
			m.offerRack(g, t, i, u, to, &d)
		}
	}
}

// offerRack offers a unit to the hubs of a rack's zones.
func (m *model) offerRack(g *graph, t *topicModel, i, u int32, to int16, d *vec) {
	first, last := t.zonesIn[to], t.zonesIn[to+1]
	g.offers += int64(last - first)
	if !t.ranked() {
		if first < last {
			g.hubs[first].offer(d, u, i)
		}
		return
	}
	p := &m.parts[i]
	at := m.unitAt[u]
	here := m.led(t, p, u, t.in.LeaderRank[at], m.unitHolds[u])
	for z := first; z < last; z++ {
		rank := t.zones[z].rank
		if t.in.LeaderRequired && rank >= t.in.NumLeaderRanks && !m.leadWithout(t, p, at) {
			continue
		}
		ranked := *d
		ranked[costWorth] += m.led(t, p, u, rank, 0) - here
		g.hubs[z].offer(&ranked, u, i)
	}
}

// relaxHomes relaxes the moves of u back to brokers that hold its partition today.
func (m replicas) relaxHomes(g *graph, slot int, p *part, u int32) {
	var c vec
	for _, b := range m.homesOf(p) {
		if !m.fits(u, b) {
			continue
		}
		m.cost(u, b, &c)
		from := int32(slot*m.brokers) + int32(m.unitAt[u])
		c.plus(&g.dist[from])
		g.reachTopic(int32(slot), int32(slot*m.brokers)+int32(b), &c, from, u)
	}
}

// relaxZone relaxes the moves to broker b of a zone.
func (m replicas) relaxZone(g *graph, slot, z int, b int16) {
	h := &g.hubs[z]
	base := int32(slot * m.brokers)
	for k := range h.n {
		c := &h.best[k]
		if !c.dist.less(&g.dist[base+int32(b)]) {
			return
		}
		if has(m.unitsOf(&m.parts[c.part]), b) {
			continue
		}
		g.reachTopic(int32(slot), base+int32(b), &c.dist, base+int32(m.unitAt[c.unit]), c.unit)
		return
	}
	if h.more {
		m.relaxAll(g, slot, b)
	}
}

// relaxAll relaxes the moves of every unit of a topic to one broker.
func (m replicas) relaxAll(g *graph, slot int, b int16) {
	var c vec
	base := int32(slot * m.brokers)
	from, to := m.units(g.slots[slot])
	g.work += int64(to - from)
	for u := from; u < to; u++ {
		if g.work += m.scan(&m.parts[m.unitPart[u]]); !m.fits(u, b) {
			continue
		}
		m.cost(u, b, &c)
		a := base + int32(m.unitAt[u])
		c.plus(&g.dist[a])
		g.reachTopic(int32(slot), base+int32(b), &c, a, u)
	}
}
