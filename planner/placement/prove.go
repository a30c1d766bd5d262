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
func (s *solver) costOf(p *proof) (c vec) {
	for _, b := range p.scope {
		c[costRule] += p.even.deviation(b, p.final[b])
	}
	for _, t := range p.topics {
		from, to := replicas{s.model}.units(t)
		for u := from; u < to; u++ {
			s.parts[s.unitPart[u]].enter(s.unitHolds[u], &c)
		}
	}
	return c.upTo(costWorth)
}
