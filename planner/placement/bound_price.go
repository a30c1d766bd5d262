package placement

import "slices"

// A price bound is a lower bound of unevenness where balance is a rule, then
// copies, then bytes, that holds for every placement, by Lagrange: let a replica
// on broker b cost its price more, and take what all prices bring off the
// evenness of the brokers again. Nothing has changed then for any placement; but
// now every partition can choose its cheapest legal set by itself, and every
// broker its cheapest load, and what they come to together is no more than what
// any placement costs:
//
//	sum over partitions of min over legal sets of (copies, bytes, prices)
//	+ sum over brokers of min over k of (unevenness of k replicas - k x price)
//
// It holds whatever the prices are. With the distances of a search that has found
// no cycle of negative cost the sum equals the cost of the placement: prices and
// sum are the proof, which anybody can add up again without the search. Replicas
// that stay on dead brokers are taken as they are.

// priceBound is the bound for the partitions of topics that are balanced over
// one scope, with these prices by broker.
func (m *model) priceBound(scope []int16, topics []int32, final []int32, even *evenness, price []vec) (v vec) {
	base, most := slices.Clone(final), int64(0)
	for _, t := range topics {
		most += int64(m.topics[t].n)
		from, to := replicas{m}.units(t)
		for u := from; u < to; u++ {
			base[m.unitAt[u]]--
		}
	}
	for _, b := range scope {
		c := even.cheapest(b, base[b], most, &price[b], costRule)
		v.plus(&c)
	}
	market := m.newMarket(scope, price)
	for _, t := range topics {
		topic := &m.topics[t]
		for i := topic.first; i < topic.first+topic.n; i++ {
			market.buy(topic, &m.parts[i], &v)
		}
	}
	return v
}

// unbounded is more than any placement costs on any level, for one broker.
const unbounded = 1 << 50

// cheapest is the least that broker b costs with n units, of all n from base to
// most beyond it, if each beyond base brings its price; its unevenness is component
// at.
func (s *evenness) cheapest(b int16, base int32, most int64, price *vec, at int) (c vec) {
	switch before := price.upTo(at); {
	case before.negative():
		c[at] = s.deviation(b, base)
		return c
	case before.positive():
		c[0] = -unbounded
		return c
	}
	level, after := price[at], *price
	clear(after[:at+1])
	if !after.positive() {
		level--
	}
	n := min(s.upTo(b, level, base), int64(base)+most)
	c[at] = s.deviation(b, int32(n))
	for i := range c {
		c[i] -= (n - int64(base)) * price[i]
	}
	return c
}

// market sells replicas to partitions.
type market struct {
	*model
	price  []vec
	inRack [][]int16 // brokers by rack, the cheapest first
	cnt    []int16   // by rack: what the partition that buys has
	next   []int     // by rack: the first of inRack that it has not looked at
	bought []int16
}

// newMarket sorts the brokers.
func (m *model) newMarket(scope []int16, price []vec) *market {
	k := &market{model: m, price: price, inRack: m.byRack(scope), cnt: make([]int16, m.racks), next: make([]int, m.racks)}
	for _, list := range k.inRack {
		slices.SortFunc(list, func(a, b int16) int {
			switch {
			case price[a].less(&price[b]):
				return -1
			case price[b].less(&price[a]):
				return 1
			}
			return int(a - b)
		})
	}
	return k
}

// buy adds to v what p's cheapest legal set costs. Legal sets are the bases of a
// matroid, so the cheapest comes of taking the cheapest replica that fits, again
// and again; first those that racks must have.
func (k *market) buy(t *topicModel, p *part, v *vec) {
	k.bought = k.bought[:0]
	clear(k.next)
	clear(k.cnt)
	for _, b := range k.staysOf(p) {
		k.cnt[k.rackOf[b]]++
	}
	bounds := k.bounds[p.bounds]
	open := p.units
	for r := range k.cnt {
		for k.cnt[r] < bounds[r].Lo {
			b, c := k.best(t, p, int16(r))
			k.take(b, &c, v)
			open--
		}
	}
	for ; open > 0; open-- {
		best, least := int16(-1), vec{}
		for r := range k.cnt {
			if k.cnt[r] >= bounds[r].Hi {
				continue
			}
			if b, c := k.best(t, p, int16(r)); b >= 0 && (best < 0 || c.less(&least)) {
				best, least = b, c
			}
		}
		k.take(best, &least, v)
	}
	if t.in.LeaderRequired && !slices.ContainsFunc(k.bought, t.listed) {
		k.exchangeForLeader(t, p, v)
	}
}

// best is the cheapest replica in rack r that p has not bought, -1 where there is
// none.
func (k *market) best(t *topicModel, p *part, r int16) (b int16, c vec) {
	b = -1
	list := k.inRack[r]
	for k.next[r] < len(list) && !k.sells(t, p, list[k.next[r]]) {
		k.next[r]++
	}
	if k.next[r] < len(list) {
		b = list[k.next[r]]
		c = k.cost(p, b)
	}
	for _, h := range k.homesOf(p) {
		if k.rackOf[h] != r || has(k.bought, h) {
			continue
		}
		if home := k.price[h]; b < 0 || home.less(&c) {
			b, c = h, home
		}
	}
	return b, c
}

// sells says whether p may buy b where it has no replica today.
func (k *market) sells(t *topicModel, p *part, b int16) bool {
	return t.eligible[b] && !has(k.bought, b) && !has(k.homesOf(p), b)
}

// cost is what p pays for a replica on b where it has none today.
func (k *market) cost(p *part, b int16) vec {
	c := k.price[b]
	p.enter(0, &c)
	return c
}

// take buys b at cost c.
func (k *market) take(b int16, c, v *vec) {
	v.plus(c)
	k.bought = append(k.bought, b)
	k.cnt[k.rackOf[b]]++
}

// exchangeForLeader adds to v what it costs to have one replica where the leader
// must be. The cheapest base of a matroid that has one of some elements is one
// exchange away from the cheapest.
func (k *market) exchangeForLeader(t *topicModel, p *part, v *vec) {
	var least vec
	found := false
	bounds := k.bounds[p.bounds]
	for _, b := range t.in.Eligible {
		if !t.listed(b) {
			continue
		}
		in := k.price[b]
		if !has(k.homesOf(p), b) {
			in = k.cost(p, b)
		}
		for _, x := range k.bought {
			from, to := k.rackOf[x], k.rackOf[b]
			if from != to && (k.cnt[from] <= bounds[from].Lo || k.cnt[to] >= bounds[to].Hi) {
				continue
			}
			out := k.price[x]
			if !has(k.homesOf(p), x) {
				out = k.cost(p, x)
			}
			c := in
			c.minus(&out)
			if !found || c.less(&least) {
				found, least = true, c
			}
		}
	}
	v.plus(&least)
}
