package placement

// anew puts partitions on sets of least price again, see levelSlack.
type anew struct {
	replicas
	g      *graph
	price  []int64 // by broker
	high   []int32 // by broker: how many it should hold at most
	best   []int16 // by rack: the broker to take next, -1 where there is none
	cost   [][4]int64
	cnt    []int16
	bought []int16
}

// start goes through all partitions but those whose leader must be somewhere,
// which stay as they are.
func (n *anew) start() {
	n.best, n.cost, n.cnt = make([]int16, n.racks), make([][4]int64, n.racks), make([]int16, n.racks)
	for _, t := range n.g.topics {
		topic := &n.topics[t]
		if topic.in.LeaderRequired {
			continue
		}
		for i := topic.first; i < topic.first+topic.n; i++ {
			n.choose(topic, &n.parts[i])
			n.take(&n.parts[i])
		}
	}
}

// choose finds the cheapest set by price, then by copies, then by
// where the topic is thinnest, then by room.
func (n *anew) choose(t *topicModel, p *part) {
	n.bought = n.bought[:0]
	clear(n.cnt)
	for _, b := range n.staysOf(p) {
		n.cnt[n.rackOf[b]]++
	}
	bounds := n.bounds[p.bounds]
	for r := range n.best {
		n.look(t, p, int16(r))
		for n.cnt[r] < bounds[r].Lo {
			n.buy(t, p, int16(r))
		}
	}
	for open := int(p.units) - len(n.bought); open > 0; open-- {
		rack := int16(-1)
		for r := range n.best {
			if n.best[r] >= 0 && n.cnt[r] < bounds[r].Hi && (rack < 0 || lessCost(&n.cost[r], &n.cost[rack])) {
				rack = int16(r)
			}
		}
		n.buy(t, p, rack)
	}
}

// buy takes the best broker of a rack.
func (n *anew) buy(t *topicModel, p *part, rack int16) {
	n.bought = append(n.bought, n.best[rack])
	n.cnt[rack]++
	n.look(t, p, rack)
}

// look finds the best broker of a rack.
func (n *anew) look(t *topicModel, p *part, rack int16) {
	n.best[rack] = -1
	if n.cnt[rack] >= n.bounds[p.bounds][rack].Hi {
		return
	}
	load := n.loads(p.topic)
	for z := t.zonesIn[rack]; z < t.zonesIn[rack+1]; z++ {
		for _, b := range t.zones[z].brokers {
			if has(n.bought, b) {
				continue
			}
			c := [4]int64{n.price[b], 0, int64(load[b]), int64(n.g.total[b] - n.high[b])}
			if p.exists && !has(n.homesOf(p), b) {
				c[1] = 1
			}
			if n.best[rack] < 0 || lessCost(&c, &n.cost[rack]) {
				n.best[rack], n.cost[rack] = b, c
			}
		}
	}
}

// take moves the units of p to what was bought.
func (n *anew) take(p *part) {
	next := 0
	for u := p.unit; u < p.unit+int32(p.units); u++ {
		if has(n.bought, n.unitAt[u]) {
			continue
		}
		for has(n.unitsOf(p), n.bought[next]) {
			next++
		}
		var c vec
		n.g.shift(step{u, n.unitAt[u], n.bought[next]}, &c)
	}
}
