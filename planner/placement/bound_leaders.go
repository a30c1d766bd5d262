package placement

import (
	"math"
	"slices"
)

// leaderMovesBound is a number of changes of leader that no plan with these
// replica sets can do without. A live leader on a broker that the rules do not
// admit has to go, and so has one that a pin does not put first. Where balance of
// leaders is a rule and no preference comes before it, the loads ask for changes
// just as those of replicas ask for copies, see balanceBound.
func (s *solver) leaderMovesBound(l *leaders) int {
	bound, joint, chosen := 0, []int32{}, 0
	for t := range s.topics {
		topic := &s.topics[t]
		free, pinned := s.mustLead(topic)
		bound += pinned
		from, to := l.units(int32(t))
		switch plain := !topic.ranked() && from < to; {
		case plain && topic.in.LeaderBalance == BalanceTopic:
			load := l.load[t*s.brokers : (t+1)*s.brokers]
			even := newEvenness(s.weight, topic.in.Eligible, sum32(load, topic.in.Eligible), s.scales[t])
			bound += max(free, s.leadBound(l, topic.in.Eligible, []int32{int32(t)}, load, &even))
		case plain && topic.in.LeaderBalance == BalanceCluster:
			joint = append(joint, int32(t))
			chosen += free
		default:
			bound += free
		}
	}
	if len(joint) == 0 {
		return bound
	}
	even := s.overall(l.total, 0)
	return bound + max(chosen, s.leadBound(l, s.scope, joint, l.total, &even))
}

// mustLead counts the partitions of a topic whose live leader cannot lead on.
func (m *model) mustLead(t *topicModel) (free, pinned int) {
	if t.in.Fixed || t.infeasible != nil {
		return 0, 0
	}
	for i := range t.in.Partitions {
		p := &t.in.Partitions[i]
		switch {
		case p.Replicas == nil || p.Frozen || p.Leader < 0:
		case p.Pin != nil:
			if p.Leader != m.firstAlive(p.Pin) && !slices.Equal(p.Pin, p.Replicas) {
				pinned++
			}
		case !t.eligible[p.Leader]:
			free++
		}
	}
	return free, pinned
}

// leadBound is balanceBound for leaders. Partitions that are new, without a live
// leader, or led by another than the first of their list may come to any broker
// without being counted.
func (s *solver) leadBound(l *leaders, scope []int16, topics []int32, final []int32, even *evenness) int {
	count := scopeCount{
		have: slices.Clone(final), base: slices.Clone(final), fresh: make([]int64, 1),
		room: []room{{scope, 0, math.MaxInt64 / 2}},
	}
	uncounted := int64(0)
	for _, t := range topics {
		from, to := l.units(t)
		for u := from; u < to; u++ {
			count.have[l.on[u]]--
			count.base[l.on[u]]--
			p := &s.parts[l.parts[u]]
			switch {
			case !p.exists || p.in.Leader < 0 || p.in.Leader != p.preferred:
				uncounted++
			case p.leader >= 0:
				count.have[p.leader]++
			}
		}
	}
	count.fresh[0] = uncounted
	return count.bound(final, even)
}
