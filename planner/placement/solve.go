package placement

import (
	"slices"
)

// defaultBudget is the counted work of levelling and of the search, for replicas
// over all topics, in arcs looked at, some 20 to 100 ns each. Levelling has the
// larger part: it brings copies and bytes down where the search takes long.
const defaultBudget = 160_000_000

// Solve places the replicas of a problem and chooses their leaders. It changes
// nothing of the problem, and gives the same answer for the same problem always.
//
// Topics that say keep or topic come first, all together; then, with their load
// fixed, those that say cluster; then leaders, in the same two steps.
func Solve(in *Problem) *Solution {
	s := newSolver(in)
	s.replicas()
	lead, flow := s.leaders()
	return s.solution(lead, flow)
}

// newSolver lays a problem out and keeps what may stay.
func newSolver(in *Problem) *solver {
	m := compile(in)
	m.keep()
	s := &solver{model: m, budget: in.Budget, scales: m.scales(), large: largeTopic}
	if s.budget <= 0 {
		s.budget = defaultBudget
	}
	return s
}

// solver carries a model through the stages.
type solver struct {
	*model
	budget int64
	flow   *graph  // of replicas
	scales []int64 // of the measures of evenness, by topic
	proofs []proof // of the replicas, by topic, and over the cluster the last
	// leadPrices are where searches for leaders have ended, in the same order.
	leadPrices [][]leadPrices
	unproved   []unproved
	large      int32 // with how many units a topic is large
	bytesOpen  bool  // bytes per broker may not be as even as can be
}

// replicas chooses where replicas are.
func (s *solver) replicas() {
	missing := s.missing()
	s.insert(s.replicaShares(missing), s.overall(s.total, sumMissing(missing)))
	f := &graph{
		mover: replicas{s.model}, large: s.large, brokers: s.brokers, load: s.load, total: s.total, scope: s.scope,
		even: s.replicaShares(nil), overall: s.overall(s.total, 0),
		ruleAt: costRule, topicAt: costTopic, clusterAt: costCluster,
		rules: make([]bool, len(s.topics)),
	}
	for t := range s.topics {
		f.rules[t] = s.topics[t].in.Balance == BalanceTopic
	}
	s.flow = f
	s.proofs = make([]proof, len(s.topics)+1)
	f.priced = s.prove
	s.play(f, &stage{
		what: ofReplicas, level: 7, search: 3, balance: func(t *Topic) Balance { return t.Balance },
		then: func() { s.evenBytes(f, s.budget/4) },
	})
}

// leaders chooses who leads, and where replicas could as well be elsewhere, looks
// whether leaders would be better then.
func (s *solver) leaders() (*leaders, *graph) {
	l, g := s.chooseLeaders()
	if !s.anyLoose() {
		return l, g
	}
	l = leadersFrom(s.model, s.chosen(l))
	g.mover, g.load, g.total = l, l.load, l.total
	j := s.newTogether(l, g)
	j.choose(s, s.budget/32)
	for budget := s.budget / fewShare; j.improve(s, &budget); j.any = false {
		s.playAgain(g)
	}
	j.easeCopies(s.budget / 64)
	if j.any {
		s.playAgain(g)
	}
	return l, g
}

// playAgain looks for better leaders once replicas have moved.
func (s *solver) playAgain(g *graph) {
	clear(s.leadPrices)
	s.unproved = slices.DeleteFunc(s.unproved, func(u unproved) bool { return u.what == ofLeaders })
	s.play(g, &stage{what: ofLeaders, level: 3, search: 1, balance: leadBalance, again: true})
}

// leadBalance is how leaders of a topic are balanced.
func leadBalance(t *Topic) Balance { return t.LeaderBalance }

// chooseLeaders chooses who leads among the replicas as they are.
func (s *solver) chooseLeaders() (*leaders, *graph) {
	l := newLeaders(s.model)
	f := &graph{
		mover: l, large: s.large, brokers: s.brokers, load: l.load, total: l.total, scope: s.scope,
		even: make([]evenness, len(s.topics)), overall: s.overall(l.total, 0),
		ruleAt: leadRule, topicAt: leadTopic, clusterAt: leadCluster,
		rules: make([]bool, len(s.topics)), racks: s.newRackLayer(s.scope, l.total),
		within: make([]*rackLayer, len(s.topics)),
	}
	for t := range s.topics {
		in := s.topics[t].in
		f.even[t] = newEvenness(s.weight, in.Eligible, sum32(l.load[t*s.brokers:(t+1)*s.brokers], in.Eligible), s.scales[t])
		if f.rules[t] = in.LeaderBalance == BalanceTopic; f.rules[t] {
			f.within[t] = s.newRackLayer(in.Eligible, l.load[t*s.brokers:(t+1)*s.brokers])
		}
	}
	s.leadPrices = make([][]leadPrices, len(s.topics)+1)
	f.priced = func(topics []int32, price, byRack []vec) { s.keepPrices(f, topics, price, byRack) }
	s.play(f, &stage{what: ofLeaders, level: 6, search: 3, balance: leadBalance})
	return l, f
}

// missing is by topic how many replicas are on no broker yet.
func (s *solver) missing() []int64 {
	out := make([]int64, len(s.topics))
	for u, b := range s.unitAt {
		if b < 0 {
			out[s.parts[s.unitPart[u]].topic]++
		}
	}
	return out
}

// overall is the measure over the cluster of these loads and as many more.
func (m *model) overall(total []int32, more int64) evenness {
	return newEvenness(m.weight, m.scope, sum32(total, m.scope)+more, weightSum(m.weight, m.scope))
}

// scales are the scales of the measures by topic.
func (m *model) scales() []int64 {
	scopes := make([][]int16, len(m.topics))
	for t := range scopes {
		scopes[t] = m.topics[t].in.Eligible
	}
	return commonScales(m.weight, scopes)
}

// replicaShares are the shares by topic, with that many replicas more.
func (s *solver) replicaShares(more []int64) []evenness {
	out := make([]evenness, len(s.topics))
	for t := range out {
		eligible := s.topics[t].in.Eligible
		n := sum32(s.loads(int32(t)), eligible)
		if more != nil {
			n += more[t]
		}
		out[t] = newEvenness(s.weight, eligible, n, s.scales[t])
	}
	return out
}

// solution writes the lists.
func (s *solver) solution(l *leaders, g *graph) *Solution {
	out := &Solution{Topics: make([]TopicSolution, len(s.topics))}
	leader := s.chosen(l)
	for t := range s.topics {
		topic := &s.topics[t]
		ts := &out.Topics[t]
		ts.Infeasible = topic.infeasible
		ts.Replicas = make([][]int16, len(topic.in.Partitions))
		for i := range topic.in.Partitions {
			if list, fixed := topic.fixedList(&topic.in.Partitions[i]); fixed {
				ts.Replicas[i] = slices.Clone(list)
			}
		}
		for i := topic.first; i < topic.first+topic.n; i++ {
			p := &s.parts[i]
			ts.Replicas[p.index] = s.list(p, leader[i])
		}
	}
	s.count(out)
	out.CopiesBound, out.LeaderMovesBound = s.copiesBound(), s.leaderMovesBound(l, g)
	out.Exhausted, out.BytesOpen = s.notProved(out), s.bytesOpen
	return out
}

// chosen is by part its leader, -1 where no replica is alive.
func (s *solver) chosen(l *leaders) []int16 {
	out := make([]int16, len(s.parts))
	for i := range s.parts {
		out[i] = s.presentLeader(&s.parts[i])
	}
	for u, i := range l.parts {
		out[i] = l.on[u]
	}
	return out
}

// count adds up what the lists change.
func (s *solver) count(out *Solution) {
	for t := range s.topics {
		topic := s.topics[t].in
		for i, list := range out.Topics[t].Replicas {
			p := &topic.Partitions[i]
			if p.Replicas == nil || topic.Fixed || slices.Equal(list, p.Replicas) {
				continue
			}
			for _, b := range list {
				if !has(p.Replicas, b) {
					out.Copies++
				}
			}
			if s.firstAlive(list) != p.Leader {
				out.LeaderMoves++
			}
		}
	}
}

// sum32 adds up the loads of some brokers.
func sum32(load []int32, of []int16) (n int64) {
	for _, b := range of {
		n += int64(load[b])
	}
	return n
}

// sumMissing adds up.
func sumMissing(list []int64) (n int64) {
	for _, x := range list {
		n += x
	}
	return n
}
