package placement

import "slices"

// levelling evens out the cluster by direct moves of replicas, as a start for
// the search: as long as it gains, the broker and the rack between which a move
// gains most get one, and it is the cheapest replica that may go there.
type levelling struct {
	replicas
	g       *graph
	piles   []pile    // by broker and rack: units that may go from the broker to the rack
	inRack  [][]int16 // brokers by rack
	listed  int       // entries put on piles
	targets []int32   // by broker: the load to end with, where racks keep their totals; nil otherwise
}

// pile has units with the cheapest on top (a binary heap). Some may have become
// impossible: that is seen when they are taken.
type pile []pileEntry

// pileEntry is a unit and what moving it costs.
type pileEntry struct {
	copies, bytes, worth int64
	unit                 int32
}

// less orders by cost, then by index.
func (a *pileEntry) less(b *pileEntry) bool {
	switch {
	case a.copies != b.copies:
		return a.copies < b.copies
	case a.bytes != b.bytes:
		return a.bytes < b.bytes
	case a.worth != b.worth:
		return a.worth < b.worth
	}
	return a.unit < b.unit
}

// level evens out the topics of g, which all count for the cluster: greedily, then
// where racks leave replicas a choice for fewest copies, then for all that comes
// before evenness by topic.
func (m replicas) level(g *graph) {
	if locked := m.levelGreedily(g); !locked {
		g.work = 0 // the budget is for what searches
		m.levelAnyhow(g)
		price := g.augmentMerged(m.listReplicas(g.topics), costCopies)
		before := g.placed()
		if m.levelSlack(g, price); g.work > g.budget {
			g.putBack(before)
		}
		g.augmentMerged(m.listReplicas(g.topics), costBytes)
	}
	m.relevel(g)
	m.levelFree(g)
}

func (m replicas) relevel(g *graph) { g.augmentMerged(m.listReplicas(g.topics), costTopic) }

// levelApart leaves it to the search, which is quick where replicas are even by
// topic.
func (m replicas) levelApart(*graph) {}

// levelGreedily makes the moves that gain most, and says whether racks leave
// replicas no choice.
func (m replicas) levelGreedily(g *graph) (locked bool) {
	l := &levelling{replicas: m, g: g, piles: make([]pile, m.brokers*m.racks), inRack: m.byRack(g.scope)}
	locked = true
	for _, t := range g.topics {
		from, to := m.units(t)
		for u := from; u < to && l.listed < mostListed; u++ {
			l.list(u)
		}
		for i := m.topics[t].first; i < m.topics[t].first+m.topics[t].n; i++ {
			locked = locked && m.parts[i].locked
		}
		locked = locked && len(m.topics[t].in.Eligible) == len(g.scope)
	}
	for i := range l.piles {
		slices.SortFunc(l.piles[i], comparePile)
	}
	if locked {
		l.targets = l.waterFill()
	}
	for g.work = 0; g.work < levelGreedilyWork && l.step(); {
	}
	return locked
}

// list puts a unit on the piles of the racks that it may enter.
func (l *levelling) list(u int32) {
	p := &l.parts[l.unitPart[u]]
	a := l.unitAt[u]
	e := l.pileEntry(u)
	for r := range int16(l.racks) {
		if len(l.inRack[r]) > 0 && l.rackFits(l.unitPart[u], p, l.rackOf[a], r) {
			pile := &l.piles[int(a)*l.racks+int(r)]
			*pile = append(*pile, e)
			l.listed++
		}
	}
}

// Bounds of the greedy moves: how many entries the piles may have, for the sake of
// memory, and the counted work. The rest is left to what comes after them.
const (
	mostListed        = 16_000_000
	levelGreedilyWork = 100_000_000
)

// waterFill is by broker the load that it ends with where no replica changes its
// rack: the most uneven give to the least until nothing is gained.
func (l *levelling) waterFill() []int32 {
	out := slices.Clone(l.g.total)
	for _, brokers := range l.inRack {
		for len(brokers) > 0 {
			high, low := brokers[0], brokers[0]
			for _, b := range brokers {
				if l.out(b, out[b]) > l.out(high, out[high]) {
					high = b
				}
				if l.g.overall.marginal(b, out[b]) < l.g.overall.marginal(low, out[low]) {
					low = b
				}
			}
			if l.out(high, out[high]) <= l.g.overall.marginal(low, out[low]) {
				break
			}
			out[high]--
			out[low]++
		}
	}
	return out
}

// out is what a broker with that load gains by one replica less.
func (l *levelling) out(b int16, load int32) int64 {
	if load == 0 {
		return -1 << 62
	}
	return l.g.overall.marginal(b, load-1)
}

// step makes the move that gains most, and says whether there was one.
func (l *levelling) step() bool {
	for {
		a, r, gain := int16(-1), int16(-1), int64(0)
		low := l.lowest()
		for _, b := range l.g.scope {
			out := l.out(b, l.g.total[b])
			for to := range int16(l.racks) {
				if more := out - low[to]; more > gain && len(l.piles[int(b)*l.racks+int(to)]) > 0 {
					a, r, gain = b, to, more
				}
			}
		}
		l.g.work += int64(len(l.g.scope) * max(1, l.racks/8))
		if a < 0 {
			return false
		}
		if l.take(a, r, low[r]) {
			return true
		}
	}
}

// lowest is by rack the least marginal of its brokers.
func (l *levelling) lowest() []int64 {
	l.g.bottom = l.g.bottom[:0]
	for r := range l.inRack {
		least := int64(1 << 62)
		for _, b := range l.inRack[r] {
			least = min(least, l.g.overall.marginal(b, l.g.total[b]))
		}
		l.g.bottom = append(l.g.bottom, least)
	}
	return l.g.bottom
}

// take moves the cheapest unit from broker a to rack r, to its broker with that
// marginal, and says whether one could go.
func (l *levelling) take(a, r int16, marginal int64) bool {
	pile := &l.piles[int(a)*l.racks+int(r)]
	for len(*pile) > 0 {
		u := pile.pop().unit
		i := l.unitPart[u]
		if l.unitAt[u] != a || !l.rackFits(i, &l.parts[i], l.rackOf[a], r) {
			continue
		}
		b := l.target(u, r, marginal)
		if b < 0 {
			continue
		}
		var c vec
		l.g.shift(step{u, a, b}, &c)
		if l.rackOf[a] != r {
			l.relist(i)
		}
		return true
	}
	return false
}

// target is the broker of a rack that u goes to, where its topic is thinnest: of
// those below the load that they end with, where this is known, or else of those
// with that marginal. -1 is none.
func (l *levelling) target(u int32, r int16, marginal int64) int16 {
	best, thin, fill := int16(-1), int32(0), int64(0)
	topic := l.topicOf(u)
	load := l.loads(topic)
	for _, b := range l.inRack[r] {
		in := l.g.overall.marginal(b, l.g.total[b])
		if l.targets != nil && l.g.total[b] >= l.targets[b] || l.targets == nil && in != marginal {
			continue
		}
		if best >= 0 && (load[b] > thin || load[b] == thin && in >= fill) {
			continue
		}
		if l.topics[topic].eligible[b] && l.fits(u, b) {
			best, thin, fill = b, load[b], in
		}
	}
	return best
}

// relist lists the units of a partition whose racks have changed once more.
func (l *levelling) relist(i int32) {
	p := &l.parts[i]
	l.g.work += int64(p.units) * int64(max(0, l.racks-8)) / 2
	for u := p.unit; u < p.unit+int32(p.units); u++ {
		a := l.unitAt[u]
		before := make([]int, l.racks)
		for r := range before {
			before[r] = len(l.piles[int(a)*l.racks+r])
		}
		l.list(u)
		for r := range before {
			if pile := l.piles[int(a)*l.racks+r]; len(pile) > before[r] {
				pile.up(before[r])
			}
		}
	}
}

// pop takes the cheapest.
func (p *pile) pop() pileEntry {
	h := *p
	top := h[0]
	last := len(h) - 1
	h[0] = h[last]
	h = h[:last]
	for i := 0; ; {
		k := 2*i + 1
		if k >= last {
			break
		}
		if k+1 < last && h[k+1].less(&h[k]) {
			k++
		}
		if !h[k].less(&h[i]) {
			break
		}
		h[i], h[k] = h[k], h[i]
		i = k
	}
	*p = h
	return top
}

// up puts the entry at i, the last, where it belongs.
func (p pile) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !p[i].less(&p[parent]) {
			return
		}
		p[i], p[parent] = p[parent], p[i]
		i = parent
	}
}
