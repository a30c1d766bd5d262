package placement

// prove adds a price bound of replicas: of one topic, or of those balanced over
// the cluster.
func (s *solver) prove(topics []int32, price, _ []vec) {
	for b := range price {
		price[b] = price[b].upTo(costWorth)
	}
	at := len(s.topics)
	p := proof{scope: s.scope, final: s.total, even: &s.flow.overall}
	if !s.flow.joint {
		at = int(topics[0])
		p = proof{scope: s.topics[at].in.Eligible, final: s.loads(topics[0]), even: &s.flow.even[at]}
	}
	p.topics = append(p.topics, topics...)
	p.bound = s.priceBound(p.scope, topics, p.final, p.even, price)
	if known := &s.proofs[at]; known.even == nil || known.bound.less(&p.bound) {
		*known = p
	}
}

// proof is the best price bound known of topics that are balanced over one scope.
type proof struct {
	topics []int32
	scope  []int16
	final  []int32   // by broker: units
	even   *evenness // nil where nothing is known
	bound  vec
}

// costOf is what the topics of a proof cost as they are.
func (s *solver) costOf(p *proof) vec {
	return replicas{s.model}.costDownToBytes(p.topics, p.scope, p.final, p.even)
}

// costDownToBytes is what topics cost as they are that are balanced over one scope:
// the components before what is given up.
func (m replicas) costDownToBytes(topics []int32, scope []int16, load []int32, even *evenness) (c vec) {
	c[costRule] = even.sum(load, scope)
	for _, t := range topics {
		for u, to := m.units(t); u < to; u++ {
			m.parts[m.unitPart[u]].enter(m.unitHolds[u], &c)
		}
	}
	return c.upTo(costWorth)
}
