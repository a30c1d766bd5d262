package placement

// infeasible is the first partition of a topic whose rules cannot be met, and which
// rule fails. Brokers hold any number of replicas, so partitions never stand in
// each other's way: all that can fail is found here, before any search.
func (m *model) infeasible(t *topicModel) (first *Infeasible) {
	m.eachConflict(t, func(i int32, bad *Infeasible) bool {
		first = bad
		first.Partition, first.RF = i, int(t.in.Partitions[i].RF)
		first.EligibleByRack = make([]int, m.in.Racks)
		for r := range first.EligibleByRack {
			first.EligibleByRack[r] = int(t.eligibleIn[r])
		}
		first.EligibleNoRack = int(t.eligibleIn[m.in.Racks])
		return false
	})
	return first
}

// eachConflict calls f with every partition of a topic whose rules cannot be met
// and with the rule that fails, until f is false. Partitions next to each other
// that have no peculiarity share the answer.
func (m *model) eachConflict(t *topicModel, f func(i int32, bad *Infeasible) bool) {
	var last *Partition
	var answer *Infeasible
	for i := range t.in.Partitions {
		p := &t.in.Partitions[i]
		if p.Frozen {
			continue
		}
		plain, bad := p.Pin == nil && p.Bounds == nil && !m.anyDead(p), answer
		if !plain || last == nil || last.RF != p.RF {
			bad = m.conflict(t, p)
		}
		if plain {
			last, answer = p, bad
		}
		if bad != nil && !f(int32(i), bad) {
			return
		}
	}
}

// conflict is the rule that partition p cannot meet, or nil.
func (m *model) conflict(t *topicModel, p *Partition) *Infeasible {
	if p.Pin != nil {
		return m.pinConflict(t, p)
	}
	have := m.available(t, p)
	if all := sum(have); all < int(p.RF) || p.RF < 1 {
		return &Infeasible{Rule: RuleEnoughBrokers, Need: int(p.RF), Have: all, Rack: -1}
	}
	bounds := m.rackBounds(t, p)
	least, most := 0, 0
	for r, b := range bounds {
		if have[r] < b.Lo {
			return &Infeasible{Rule: t.spreadRule(), Need: int(b.Lo), Have: int(have[r]), Rack: r}
		}
		bounds[r].Hi = min(b.Hi, have[r])
		least += int(b.Lo)
		most += int(bounds[r].Hi)
	}
	if least > int(p.RF) {
		return &Infeasible{Rule: t.spreadRule(), Need: least, Have: int(p.RF), Rack: -1}
	}
	if most < int(p.RF) {
		return &Infeasible{Rule: t.spreadRule(), Need: int(p.RF), Have: most, Rack: -1}
	}
	if t.in.LeaderRequired && !m.canLead(t, bounds, p.RF) {
		return &Infeasible{Rule: RuleLeaderRequired, Need: 1, Have: 0, Rack: -1}
	}
	return nil
}

// canLead says whether the rack bounds admit a replica where leaders must be.
func (m *model) canLead(t *topicModel, bounds []Bound, rf int16) bool {
	least := int16(0)
	for _, b := range bounds {
		least += b.Lo
	}
	for _, b := range t.in.Eligible {
		in := bounds[m.rackOf[b]]
		if t.listed(b) && in.Hi > 0 && (in.Lo > 0 || least < rf) {
			return true
		}
	}
	return false
}

// pinConflict says what is wrong with a pin, or nil: brokers that are not
// eligible, or not as many as the replication factor.
func (m *model) pinConflict(t *topicModel, p *Partition) *Infeasible {
	usable := 0
	for i, b := range p.Pin {
		if b >= 0 && int(b) < m.brokers && t.eligible[b] && !has(p.Pin[:i], b) {
			usable++
		}
	}
	if usable < len(p.Pin) || usable == 0 {
		return &Infeasible{Rule: RulePin, Need: len(p.Pin), Have: usable, Rack: -1}
	}
	return nil
}

// spreadRule is the rule that bounds the racks of t.
func (t *topicModel) spreadRule() Rule {
	switch t.in.Spread {
	case SpreadDistinct:
		return RuleDistinct
	case SpreadPerRack:
		return RulePerRack
	}
	return RuleEven
}

// sum adds up.
func sum(list []int16) int {
	n := 0
	for _, x := range list {
		n += int(x)
	}
	return n
}
