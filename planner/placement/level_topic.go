package placement

// levelTopic evens out one topic by direct moves, as a start for the search: as
// long as it gains, a replica goes from a broker with the most to one with the
// fewest, of those that can the one that costs least to move. Where that is too
// much work the rest is left to the search.
func (m replicas) levelTopic(g *graph, topic int32) {
	from, to := m.units(topic)
	load := m.loads(topic)
	g.work = 0
	for limit := 2 * (to - from); limit > 0 && g.work < g.direct; limit-- {
		u, b := m.bestLevelling(g, topic, load)
		if u < 0 {
			return
		}
		var c vec
		g.shift(step{u, m.unitAt[u], b}, &c)
	}
}

// bestLevelling is the move that levels most, and of these the cheapest; -1
// where none levels.
func (m replicas) bestLevelling(g *graph, topic int32, load []int32) (unit int32, to int16) {
	t := &m.topics[topic]
	top, bottom := g.rackEnds(m.model, topic, load)
	g.work += int64(len(t.in.Eligible)) + int64(t.n)/4
	unit, gain := int32(-1), int64(0)
	var least vec
	from, end := m.units(topic)
	for u := from; u < end; u++ {
		a := m.unitAt[u]
		r := m.rackOf[a]
		out := g.even[topic].marginal(a, load[a]-1)
		if out < top[r] {
			continue
		}
		for in := range bottom {
			more := out - bottom[in]
			if more <= 0 || more < gain || !m.rackFits(m.unitPart[u], &m.parts[m.unitPart[u]], r, int16(in)) {
				continue
			}
			if b, c := m.cheapest(g, topic, u, int16(in), bottom[in], load); b >= 0 && (more > gain || c.less(&least)) {
				unit, to, gain, least = u, b, more, c
			}
		}
	}
	return unit, to
}

// rackEnds are by rack the greatest marginal of a broker that holds something,
// and the least of one that may get more.
func (g *graph) rackEnds(m *model, topic int32, load []int32) (top, bottom []int64) {
	const none = 1 << 62
	g.top, g.bottom = g.top[:0], g.bottom[:0]
	for range m.racks {
		g.top, g.bottom = append(g.top, -none), append(g.bottom, none)
	}
	for _, b := range m.topics[topic].in.Eligible {
		r := m.rackOf[b]
		g.bottom[r] = min(g.bottom[r], g.even[topic].marginal(b, load[b]))
		if load[b] > 0 {
			g.top[r] = max(g.top[r], g.even[topic].marginal(b, load[b]-1))
		}
	}
	return g.top, g.bottom
}

// cheapest is the broker of a rack, at that marginal, to which u goes at least
// cost; -1 where it fits none.
func (m replicas) cheapest(g *graph, topic int32, u int32, rack int16, marginal int64, load []int32) (to int16, least vec) {
	to = -1
	t := &m.topics[topic]
	homes := m.homesOf(&m.parts[m.unitPart[u]])
	for z := t.zonesIn[rack]; z < t.zonesIn[rack+1]; z++ {
		stranger := false
		g.work += int64(len(t.zones[z].brokers))
		for _, b := range t.zones[z].brokers {
			if g.even[topic].marginal(b, load[b]) != marginal {
				continue
			}
			// All that do not hold the partition today cost the same.
			home := has(homes, b)
			if stranger && !home {
				continue
			}
			if g.work += m.scan(&m.parts[m.unitPart[u]]); !m.fits(u, b) {
				continue
			}
			stranger = stranger || !home
			var c vec
			m.cost(u, b, &c)
			if to < 0 || c.less(&least) {
				to, least = b, c
			}
			if stranger && len(homes) == 0 {
				break
			}
		}
	}
	return to, least
}
