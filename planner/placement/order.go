package placement

import "slices"

// list is the replica list of partition p with that leader (-1 where none is
// alive). Where neither its replicas nor its preferred leader change, it is the
// list that was; otherwise the leader, then the replicas that were there in their
// old order, then new ones by id.
func (m *model) list(p *part, leader int16) []int16 {
	old := p.in.Replicas
	if leader == p.preferred && m.sameSet(p) {
		return slices.Clone(old)
	}
	out := make([]int16, 0, p.rf)
	if leader >= 0 {
		out = append(out, leader)
	}
	for _, b := range old {
		if b != leader && (has(m.unitsOf(p), b) || has(m.staysOf(p), b)) {
			out = append(out, b)
		}
	}
	added := len(out)
	for _, b := range m.unitsOf(p) {
		if !has(out, b) {
			out = append(out, b)
		}
	}
	slices.Sort(out[added:])
	return out
}

// sameSet says whether p's replicas are those that it has.
func (m *model) sameSet(p *part) bool {
	if int(p.units+p.staysN) != len(p.in.Replicas) {
		return false
	}
	for _, b := range m.unitsOf(p) {
		if !has(p.in.Replicas, b) {
			return false
		}
	}
	return true
}
