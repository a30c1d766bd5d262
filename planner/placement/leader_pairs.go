package placement

// leaderPairs are, by pair of brokers, units that the one leads and the other could.
type leaderPairs struct {
	*leaders
	pairs [][]int32
}

// list lists the units of topics anew that admits says may go to a broker.
func (p *leaderPairs) list(topics []int32, admits func(u int32, to int16) bool) {
	if p.pairs == nil {
		p.pairs = make([][]int32, p.brokers*p.brokers)
	}
	for i := range p.pairs {
		p.pairs[i] = p.pairs[i][:0]
	}
	for _, t := range topics {
		for u, end := p.units(t); u < end; u++ {
			a := p.on[u]
			for _, b := range p.targets(u) {
				if b != a && admits(u, b) {
					pair := int(a)*p.brokers + int(b)
					p.pairs[pair] = append(p.pairs[pair], u)
				}
			}
		}
	}
}

// between are those that a leads and b could lead; some have gone since.
func (p *leaderPairs) between(a, b int16) []int32 { return p.pairs[int(a)*p.brokers+int(b)] }

// came needs no note: units that came are listed when the list is made anew.
func (p *leaderPairs) came(int32, int16) {}
