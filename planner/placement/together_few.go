package placement

import "slices"

// few chooses the replicas and the leaders of a few partitions at once, while all
// others stay as they are: by branch and bound, so that there is no better choice
// of these. What it finds lowers the cost of the replicas, or leaves it and lowers
// that of the leaders.
//
// Replicas are bounded by prices: whatever others do, a set costs a partition so
// much more than the present one does at prices that prove that flow optimal. Most
// sets cost more, and are never looked at. Where a leader preference cuts across
// racks some cost less, which is what the flow does not find.
//
// Leaders are bounded by the least that those that are left can cost in each
// component by itself.
type few struct {
	*together
	f, g    *graph     // of the replicas, of the leaders
	class   int        // of the topics, see together
	work    int64      // nodes of the searches, and what their bounds take
	end     int64      // of all work
	group   []int32    // the partitions
	prices  *slopes    // of replicas
	slack   vec        // how much more a set may cost alone than the present one
	choices []*options // by partition that has a choice

	// Of one search:
	budget int64      // the work at which it ends
	open   []*options // the partitions
	rest   []rest     // by how many are chosen
	before []int32    // by broker: replicas
	filled []int32    // by broker: scratch of fill
	now    level      // what has been chosen costs
	best   level      // the best that is known
	picked []pick
	found  []pick // the best, if better than the present choice
	better bool
	ended  bool // with the budget
}

// level is what a choice adds to the costs.
type level struct{ replicas, leaders vec }

// pick is a choice for one partition: which of its sets, and who leads.
type pick struct {
	set    int32
	leader int16
}

// rest is what is left to be chosen.
type rest struct {
	least  vec     // excess of replicas, at least
	lead   vec     // of leaders: what is no evenness, at least
	n      int32   // leaders
	topics []count // of each topic
}

// count is how many leaders of a topic.
type count struct{ topic, n int32 }

// search finds the best choice for these partitions, and makes it if it is better
// than the present one. Those with least choice come first.
func (s *few) search(parts []*options, budget int64) bool {
	s.open, s.budget = append(s.open[:0], parts...), s.work+budget
	slices.SortStableFunc(s.open, func(a, b *options) int { return len(a.sets) - len(b.sets) })
	s.before = append(s.before[:0], s.f.total...)
	s.best, s.now, s.better, s.ended = level{}, level{}, false, false
	s.prepare()
	for _, o := range s.open {
		s.take(o, -1)
		s.lead(o, s.leadOf(o.part), -1)
	}
	s.choose(0, vec{})
	for _, o := range s.open {
		s.take(o, 1)
		s.lead(o, s.leadOf(o.part), 1)
	}
	if s.better {
		s.make()
	}
	return s.better
}

// prepare adds up what is left at each depth.
func (s *few) prepare() {
	n := len(s.open)
	for len(s.rest) <= n {
		s.rest = append(s.rest, rest{})
	}
	if len(s.picked) < n {
		s.picked, s.found = make([]pick, n), make([]pick, n)
	}
	s.rest[n] = rest{topics: s.rest[n].topics[:0]}
	for k := n - 1; k >= 0; k-- {
		o := s.open[k]
		r, next := &s.rest[k], &s.rest[k+1]
		r.least, r.lead, r.n = next.least, next.lead, next.n+1
		r.least.plus(&o.least)
		r.lead.plus(&o.leastLead)
		r.topics = append(r.topics[:0], next.topics...)
		i := slices.IndexFunc(r.topics, func(c count) bool { return c.topic == o.topic })
		if i < 0 {
			i = len(r.topics)
			r.topics = append(r.topics, count{topic: o.topic})
		}
		r.topics[i].n++
	}
}

// choose chooses from the k-th partition on. What the replicas chosen so far cost
// is at least known.
func (s *few) choose(k int, known vec) {
	if k == len(s.open) {
		s.leaf()
		return
	}
	o := s.open[k]
	next := &s.rest[k+1]
	before := s.now
	for _, l := range o.leaders {
		if s.work++; s.work > s.budget {
			s.ended = true
			return
		}
		bound := known
		bound.plus(&l.least)
		bound.plus(&next.least)
		if s.best.replicas.less(&bound) {
			continue
		}
		s.lead(o, l.broker, 1)
		if bound.less(&s.best.replicas) || s.leadersMay(next) {
			s.chooseSet(k, o, &l, &known)
		}
		s.lead(o, l.broker, -1)
		s.now = before
	}
}

// chooseSet chooses the k-th partition's replicas, l leading.
func (s *few) chooseSet(k int, o *options, l *leaderOption, known *vec) {
	next := &s.rest[k+1]
	led := s.now.leaders
	for _, i := range l.sets {
		set := &o.sets[i]
		s.work++
		to := *known
		to.plus(&set.excess)
		bound := to
		bound.plus(&next.least)
		if s.best.replicas.less(&bound) {
			continue
		}
		before := s.now.replicas
		over := s.place(o, set)
		to.plus(&over)
		bound.plus(&over)
		s.now.leaders = led
		if bound.less(&s.best.replicas) || bound == s.best.replicas && s.leadersMay(next) {
			s.picked[k] = pick{i, l.broker}
			s.choose(k+1, to)
		}
		s.displace(o, set)
		if s.now.replicas = before; s.ended {
			return
		}
	}
}

// leaf notes the choice if it is the best so far.
func (s *few) leaf() {
	switch {
	case s.best.replicas.less(&s.now.replicas):
		return
	case s.now.replicas == s.best.replicas && !s.now.leaders.less(&s.best.leaders):
		return
	case !s.admitted():
		return
	}
	s.best, s.better = s.now, true
	copy(s.found, s.picked[:len(s.open)])
}

// admitted says whether what comes later is left as it is, and what has been evened
// out by bytes, but for the balance rule or for fewer copies.
func (s *few) admitted() bool {
	if !s.mayMove[s.class] {
		for b, n := range s.before {
			if s.f.total[b] != n {
				return false
			}
		}
	}
	before := s.now.replicas.upTo(costBytes)
	return !s.bytes || before.negative() || s.sameBytes()
}

// sameBytes says whether every broker has the bytes that it had.
func (s *few) sameBytes() bool {
	more := make([]int64, s.brokers)
	for k, o := range s.open {
		size := s.model.parts[o.part].size()
		for _, b := range o.sets[s.picked[k].set].brokers {
			more[b] += size
		}
		for _, b := range o.sets[0].brokers {
			more[b] -= size
		}
	}
	for _, n := range more {
		if n != 0 {
			return false
		}
	}
	return true
}

// make carries out what was found.
func (s *few) make() {
	for k, o := range s.open {
		s.replace(o, &o.sets[s.found[k].set])
		if u := s.unitOf[o.part]; s.leaders.on[u] != s.found[k].leader {
			var c vec
			s.g.shift(step{u, s.leaders.on[u], s.found[k].leader}, &c)
		}
	}
}

// replace moves the replicas of a partition.
func (s *few) replace(o *options, to *choice) {
	p := &s.model.parts[o.part]
	for u := p.unit; u < p.unit+int32(p.units); u++ {
		if has(to.brokers, s.unitAt[u]) {
			continue
		}
		for _, b := range to.brokers {
			if !has(s.unitsOf(p), b) {
				s.carry(step{u, s.unitAt[u], b})
				break
			}
		}
	}
}
