package placement

// copiesBound is a number of copies that no plan can do without, computed from
// the problem and not from its solution.
//
// Take one partition. Of its replicas, have_r may stay in rack r at most
// (eligible brokers, and dead ones that may wait). Let x_r of them stay. A rack
// holds lo_r to hi_r in the end, so it ends with at least max(lo_r, x_r), and the
// sum of these is RF at most. Up to lo_r, staying takes nothing from the others;
// beyond, it takes from the slack, RF - sum lo_r. So at most
//
//	sum min(have_r, lo_r) + min(RF - sum lo_r, sum (min(have_r, hi_r) - lo_r)+)
//
// stay, and the rest of RF is copied. A pinned partition copies what its pin has
// more than its list. Where balance is a rule, the bound is balanceBound if that
// is larger.
func (m *model) copiesBound() int {
	bound, joint, chosen, scales := 0, []int32{}, 0, m.scales()
	for t := range m.topics {
		all, pinned := m.topicBound(&m.topics[t])
		bound += pinned
		switch all -= pinned; {
		case m.topics[t].n == 0:
		case m.topics[t].in.Balance == BalanceTopic:
			even := newEvenness(m.weight, m.topics[t].in.Eligible, sum32(m.loads(int32(t)), m.topics[t].in.Eligible), scales[t])
			bound += max(all, m.balanceBound(m.topics[t].in.Eligible, []int32{int32(t)}, m.loads(int32(t)), &even))
		case m.topics[t].in.Balance == BalanceCluster:
			joint = append(joint, int32(t))
			chosen += all
		default:
			bound += all
		}
	}
	if len(joint) == 0 {
		return bound
	}
	even := m.overall(m.total, 0)
	return bound + max(chosen, m.balanceBound(m.scope, joint, m.total, &even))
}

// topicBound is what copiesBound says of a topic's partitions, and how much of
// that is pinned.
func (m *model) topicBound(t *topicModel) (all, pinned int) {
	if t.in.Fixed || t.infeasible != nil {
		return 0, 0
	}
	for i := range t.in.Partitions {
		if p := &t.in.Partitions[i]; p.Replicas != nil && !p.Frozen {
			n := m.mustCopy(t, p)
			all += n
			if p.Pin != nil {
				pinned += n
			}
		}
	}
	return all, pinned
}

// mustCopy is what copiesBound says of one partition.
func (m *model) mustCopy(t *topicModel, p *Partition) int {
	copies := 0
	if p.Pin != nil {
		for _, b := range p.Pin {
			if !has(p.Replicas, b) {
				copies++
			}
		}
		return copies
	}
	have := make([]int16, m.racks)
	for _, b := range p.Replicas {
		if t.eligible[b] || m.mayStay(b) {
			have[m.rackOf[b]]++
		}
	}
	stay, slack, over := int16(0), p.RF, int16(0)
	for r, b := range m.rackBounds(t, p) {
		stay += min(have[r], b.Lo)
		slack -= b.Lo
		over += max(0, min(have[r], b.Hi)-b.Lo)
	}
	return int(p.RF - stay - min(slack, over))
}
