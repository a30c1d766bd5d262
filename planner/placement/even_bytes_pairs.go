package placement

import "slices"

// bytePairs are the pairs of brokers between which something may be exchanged.
type bytePairs struct {
	*byteSearch
	back    []bool // by pair: something on the one was on the other
	version []int  // by broker: how often its units changed
	seen    map[[2]int16][2]int
}

// exchanges goes through pairs of brokers until no exchange between two is worth
// it, or the work is done.
func (s *byteSearch) exchanges() {
	n := s.graph.brokers
	p := &bytePairs{s, make([]bool, n*n), make([]int, n), map[[2]int16][2]int{}}
	for _, list := range s.on {
		for _, u := range list {
			p.note(u)
		}
	}
	for p.round() || p.one() {
	}
}

// note keeps what u may be exchanged for.
func (p *bytePairs) note(u int32) {
	b := p.unitAt[u]
	if part := &p.parts[p.unitPart[u]]; part.vacant > 0 {
		for _, h := range p.homesOf(part) {
			p.back[int(b)*p.graph.brokers+int(h)] = true
		}
	}
}

// round pairs the fullest broker with the emptiest that may take something, and so
// on, each broker once. It says whether any exchange was worth it.
func (p *bytePairs) round() bool {
	order := p.byFullness()
	taken := make([]bool, p.graph.brokers)
	any := false
	for i, a := range order {
		for k := len(order) - 1; k > i && !taken[a] && p.work < p.limit; k-- {
			if b := order[k]; !taken[b] && p.open(a, b) {
				taken[a], taken[b] = true, true
				any = p.try(a, b) || any
			}
		}
	}
	p.work += int64(len(order))
	return any
}

// one tries every pair, the largest differences first, until one is worth it.
func (p *bytePairs) one() bool {
	order := p.byFullness()
	for d := len(order) - 1; d > 0; d-- {
		for i := 0; i+d < len(order) && p.work < p.limit; i++ {
			if p.open(order[i], order[i+d]) && p.try(order[i], order[i+d]) {
				return true
			}
		}
	}
	return false
}

// open says whether there may be an exchange from a to b that was not looked for.
func (p *bytePairs) open(a, b int16) bool {
	n := p.graph.brokers
	if p.over[a] <= p.over[b] || !p.loose && p.rackOf[a] != p.rackOf[b] ||
		!p.giving[a] && !p.giving[b] && !p.back[int(a)*n+int(b)] && !p.back[int(b)*n+int(a)] {
		return false
	}
	at, ok := p.seen[[2]int16{a, b}]
	return !ok || at != [2]int{p.version[a], p.version[b]}
}

// try makes what exchanges are worth it from a to b.
func (p *bytePairs) try(a, b int16) bool {
	moved := p.exchange(a, b)
	for _, u := range moved {
		part := &p.parts[p.unitPart[u]]
		for v := part.unit; v < part.unit+int32(part.units); v++ {
			p.note(v)
		}
	}
	if len(moved) > 0 {
		p.version[a], p.version[b] = p.version[a]+1, p.version[b]+1
	}
	p.seen[[2]int16{a, b}] = [2]int{p.version[a], p.version[b]}
	return len(moved) > 0
}

// byFullness are the brokers, the fullest beside its share first.
func (s *byteSearch) byFullness() []int16 {
	order := slices.Clone(s.graph.scope)
	slices.SortStableFunc(order, func(a, b int16) int {
		switch {
		case s.over[a] > s.over[b]:
			return -1
		case s.over[a] < s.over[b]:
			return 1
		}
		return 0
	})
	return order
}

// offer is a unit that may go from a broker to another one: only in exchange for
// one of that key which costs the opposite, or where it is free, also alone.
type offer struct {
	key         int32
	price, size int64
	unit        int32
	free        bool
}

func compareOffers(x, y offer) int {
	switch {
	case x.key != y.key:
		return int(x.key - y.key)
	case x.price != y.price:
		return int(max(-1, min(1, x.price-y.price)))
	case x.size != y.size:
		return int(max(-1, min(1, x.size-y.size)))
	}
	return int(x.unit - y.unit)
}

// anyKey is the key of units that may be exchanged whatever their topics.
const anyKey = -1

// offers are the units that may go from a to b. A unit whose topic is
// balanced goes for another of its topic; where the rule is the same without it on
// a and with it on b, for any such.
func (s *byteSearch) offers(a, b int16) []offer {
	var out []offer
	for _, u := range s.on[a] {
		t := s.replicas.topicOf(u)
		if !s.replicas.topics[t].eligible[b] || !s.fits(u, b) {
			continue
		}
		o := offer{key: anyKey, price: s.price(u, b), size: s.sizeOf(u), unit: u, free: true}
		if s.joint {
			o.free = s.graph.overall.marginal(b, s.graph.total[b]) <= s.graph.overall.marginal(a, s.graph.total[a]-1)
		}
		if s.rules[t] {
			load := s.loads(t)
			o.free = s.even[t].marginal(b, load[b]) <= s.even[t].marginal(a, load[a]-1)
			if o.free {
				out = append(out, o)
			}
			o.key, o.free = t, false
		}
		out = append(out, o)
	}
	s.work += 3 * int64(len(s.on[a]))
	return out
}

// matching are those of out, in order, that may go alone or for one of back.
func (s *byteSearch) matching(out, back []offer) []offer {
	s.turn++
	var prices, anyPrices []int64
	for i := range back {
		o := &back[i]
		if o.key == anyKey {
			anyPrices = withPrice(anyPrices, o.price)
			continue
		}
		s.usedTopic[o.key] = s.turn
		prices = withPrice(prices, o.price)
	}
	out = slices.DeleteFunc(out, func(o offer) bool {
		if o.key == anyKey {
			return !(o.free && o.price <= 0) && !slices.Contains(anyPrices, -o.price)
		}
		return s.usedTopic[o.key] != s.turn || !slices.Contains(prices, -o.price)
	})
	s.work += int64(2 * len(out))
	slices.SortFunc(out, compareOffers)
	return out
}

// withPrice adds a price that is not there.
func withPrice(prices []int64, price int64) []int64 {
	if slices.Contains(prices, price) {
		return prices
	}
	return append(prices, price)
}

// price is what comes before bytes, rules aside: copies, then replicas in sync.
func (s *byteSearch) price(u int32, b int16) int64 {
	p := &s.parts[s.unitPart[u]]
	from, to := s.unitHolds[u], s.holds(p, b)
	if !p.exists {
		return 0
	}
	return price(to) - price(from)
}

// price is that of a replica on a broker on which its partition has that today.
func price(holds uint8) int64 {
	switch {
	case holds&holdsInSync != 0:
		return -1
	case holds != 0:
		return 0
	}
	return 1 << 32
}

// exchange moves units between the fuller broker a and b while that makes them
// more even, and says which moved. It lists what there is once: each partition, and
// where it is balanced each topic, takes part in one exchange.
func (s *byteSearch) exchange(a, b int16) (moved []int32) {
	out, back := s.offers(a, b), s.offers(b, a)
	back = s.matching(back, out)
	out = s.matching(out, back)
	s.turn++
	enough := (s.over[a] - s.over[b]) / 32
	for s.work < s.limit && s.over[a]-s.over[b] > enough {
		x, y := s.bestOffers(out, back, s.over[a]-s.over[b])
		if x < 0 {
			return moved
		}
		steps := []step{{x, a, b}}
		if y >= 0 {
			steps = append(steps, step{y, b, a})
		}
		for _, st := range steps {
			s.usedPart[s.unitPart[st.unit]] = s.turn
			s.usedTopic[s.replicas.topicOf(st.unit)] = s.turn
		}
		if s.make(steps) {
			for _, st := range steps {
				moved = append(moved, st.unit)
			}
		}
		if s.joint && y < 0 {
			return moved
		}
	}
	return moved
}

// used says whether u has taken part.
func (s *byteSearch) used(u int32) bool {
	i := s.unitPart[u]
	t := s.parts[i].topic
	return s.usedPart[i] == s.turn || s.rules[t] && s.usedTopic[t] == s.turn
}

// bestOffers is the move or the exchange that leaves the least of a difference,
// -1 where none leaves less than there is.
func (s *byteSearch) bestOffers(out, back []offer, differ int64) (x, y int32) {
	x, y = -1, -1
	gap := differ
	for i := range out {
		o := &out[i]
		if s.used(o.unit) {
			continue
		}
		if d := differ - 2*o.size; o.free && o.price <= 0 && max(d, -d) < gap {
			x, y, gap = o.unit, -1, max(d, -d)
		}
		k, _ := slices.BinarySearchFunc(back, offer{key: o.key, price: -o.price, size: o.size - differ/2}, compareOffers)
		for _, way := range [2]int{-1, 1} {
			v := s.nextOffer(back, k, way, o)
			if v == nil {
				continue
			}
			if d := differ - 2*(o.size-v.size); max(d, -d) < gap {
				x, y, gap = o.unit, v.unit, max(d, -d)
			}
		}
	}
	s.work += int64(len(out)) * 2
	return x, y
}

// nextOffer is the first one before place k, or from k on, that may be exchanged
// for o.
func (s *byteSearch) nextOffer(back []offer, k, way int, o *offer) *offer {
	if way < 0 {
		k--
	}
	for ; k >= 0 && k < len(back) && back[k].key == o.key && back[k].price == -o.price; k += way {
		if s.work++; !s.used(back[k].unit) && (o.key != anyKey || !s.sameBalanced(o.unit, back[k].unit)) {
			return &back[k]
		}
	}
	return nil
}

// sameBalanced says whether two units are of one balanced topic.
func (s *byteSearch) sameBalanced(u, v int32) bool {
	t := s.replicas.topicOf(u)
	return s.rules[t] && t == s.replicas.topicOf(v)
}
