package placement

// copiesBound is a number of copies that no plan can do without: what pins copy,
// and for all others the price bound, see bound_price.go. At no prices that is
// what each partition has to copy by itself. Where balance is a rule, the bound
// at the prices of the search holds if loads are as even as it has them.
func (s *solver) copiesBound() int {
	bound, joint := int64(0), int64(0)
	for t, alone := range s.copiesAlone() {
		bound += s.pinnedCopies(&s.topics[t])
		switch s.topics[t].in.Balance {
		case BalanceCluster:
			joint += alone
		case BalanceTopic:
			bound += max(alone, s.proved(&s.proofs[t]))
		default:
			bound += alone
		}
	}
	return int(bound + max(joint, s.proved(&s.proofs[len(s.topics)])))
}

// proved is the number of copies that a proof proves.
func (s *solver) proved(p *proof) int64 {
	if p.even == nil || s.costOf(p)[costRule] != p.bound[costRule] {
		return 0
	}
	return p.bound[costCopies]
}

// copiesAlone is by topic what its partitions have to copy, each by itself.
func (s *solver) copiesAlone() []int64 {
	out := make([]int64, len(s.topics))
	market := s.newMarket(s.scope, make([]vec, s.brokers))
	for t := range s.topics {
		topic := &s.topics[t]
		var v vec
		for i := topic.first; i < topic.first+topic.n; i++ {
			market.buy(topic, &s.parts[i], &v)
		}
		out[t] = v[costCopies]
	}
	return out
}

// pinnedCopies is how many copies a topic's pins ask for.
func (m *model) pinnedCopies(t *topicModel) (n int64) {
	if t.in.Fixed || t.infeasible != nil {
		return 0
	}
	for i := range t.in.Partitions {
		p := &t.in.Partitions[i]
		if p.Pin == nil || p.Replicas == nil || p.Frozen {
			continue
		}
		for _, b := range p.Pin {
			if !has(p.Replicas, b) {
				n++
			}
		}
	}
	return n
}
