package placement

import (
	"math"
	"slices"
)

// keep makes the units of every partition: as many of its replicas as may stay
// together, best first (the live leader, the preferred one, those in sync, those
// that are not, those on dead brokers), and -1 for each that is missing. The sets
// that may stay form a matroid, so what is missing must be copied in any plan.
func (m *model) keep() {
	k := keeper{model: m}
	for i := range m.parts {
		m.keepPart(&k, int32(i))
	}
}

// keepPart does so for one partition.
func (m *model) keepPart(k *keeper, i int32) {
	p := &m.parts[i]
	t := &m.topics[p.topic]
	k.choose(i, p, t)
	p.unit, p.stay = int32(len(m.unitAt)), int32(len(m.stays))
	live := k.list[:len(k.list)-k.dead]
	m.stays = append(m.stays, k.list[len(live):]...)
	p.staysN, p.units = int16(k.dead), p.rf-int16(k.dead)
	for _, b := range live {
		m.unitAt = append(m.unitAt, b)
		m.unitPart = append(m.unitPart, i)
		m.unitHolds = append(m.unitHolds, m.holds(p, b))
	}
	p.vacant = p.homesN - int16(len(live))
	for int32(len(m.unitAt)) < p.unit+int32(p.units) {
		m.unitAt = append(m.unitAt, -1)
		m.unitPart = append(m.unitPart, i)
		m.unitHolds = append(m.unitHolds, 0)
	}
	load, cnt := m.loads(p.topic), m.counts(i)
	clear(cnt)
	for _, b := range k.list {
		cnt[m.rackOf[b]]++
		load[b]++
		m.total[b]++
	}
}

// keeper chooses the replicas of one partition that stay.
type keeper struct {
	*model
	list   []int16 // best first, those on dead brokers last
	dead   int     // of list
	inSync int     // of list
}

// choose chooses them, and sets p's aim. Where something is copied in any case, as
// many and as good replicas stay as can, those with which the leader can come to a
// better place before others.
func (k *keeper) choose(i int32, p *part, t *topicModel) {
	p.aim = t.aim()
	k.pass(i, p, t, p.aim)
	if !t.ranked() || !p.exists || len(k.list) == int(p.rf) {
		return
	}
	list, dead, inSync := slices.Clone(k.list), k.dead, k.inSync
	for _, aim := range t.aims {
		if aim >= p.aim {
			break
		}
		if k.pass(i, p, t, aim) && len(k.list) == len(list) && k.inSync == inSync && k.dead == dead {
			p.aim = aim
			return
		}
	}
	k.list, k.dead, k.inSync = list, dead, inSync
}

// pass chooses them such that the partition has or can still get a replica where
// the leader's rank is at most aim, and says whether that is so.
func (k *keeper) pass(i int32, p *part, t *topicModel, aim int16) bool {
	cnt := k.counts(i)
	clear(cnt)
	k.list, k.dead, k.inSync = k.list[:0], 0, 0
	led := t.anywhere(aim)
	for class := 0; class < keepClasses; class++ {
		for _, b := range p.in.Replicas {
			if k.keepClass(t, p, b) != class || !k.extendsWith(p, cnt, k.rackOf[b]) {
				continue
			}
			cnt[k.rackOf[b]]++
			leads := class < keepDead && t.within(b, aim)
			if !led && !leads && !k.leaderFits(t, p, cnt, aim) {
				cnt[k.rackOf[b]]--
				continue
			}
			led = led || leads
			k.list = append(k.list, b)
			if class == keepDead {
				k.dead++
			} else if class < keepOutOfSync {
				k.inSync++
			}
		}
	}
	return led || k.leaderFits(t, p, cnt, aim)
}

// Classes of replicas, the first to be kept first.
const (
	keepLeader = iota
	keepPreferred
	keepInSync
	keepOutOfSync
	keepDead
	keepClasses
)

// keepClass is the class of p's replica on b, keepClasses where it cannot stay.
func (m *model) keepClass(t *topicModel, p *part, b int16) int {
	switch {
	case m.mayStay(b):
		return keepDead
	case !t.eligible[b]:
		return keepClasses
	case b == p.in.Leader:
		return keepLeader
	case has(p.in.OutOfISR, b):
		return keepOutOfSync
	case b == p.preferred:
		return keepPreferred
	}
	return keepInSync
}

// leaderFits says whether p can still get a replica where its leader's rank is at
// most aim.
func (k *keeper) leaderFits(t *topicModel, p *part, cnt []int8, aim int16) bool {
	for _, b := range t.in.Eligible {
		if t.within(b, aim) && !has(k.list, b) && k.extendsWith(p, cnt, k.rackOf[b]) {
			return true
		}
	}
	return false
}

// aim is the rank of the worst place that a leader may be in; the largest number
// where leaders may be anywhere and none is better.
func (t *topicModel) aim() int16 {
	switch {
	case !t.ranked():
		return math.MaxInt16
	case t.in.LeaderRequired:
		return t.in.NumLeaderRanks - 1
	}
	return t.in.NumLeaderRanks
}

// anywhere says whether every broker's rank is at most aim.
func (t *topicModel) anywhere(aim int16) bool { return !t.ranked() || aim >= t.in.NumLeaderRanks }

// within says whether b's rank in the leader preference is at most aim.
func (t *topicModel) within(b, aim int16) bool { return t.anywhere(aim) || t.in.LeaderRank[b] <= aim }

// findAims lists the ranks that are the best of a rack, the best first.
func (m *model) findAims(t *topicModel) {
	if !t.ranked() {
		return
	}
	best := make([]int16, m.racks)
	for r := range best {
		best[r] = t.in.NumLeaderRanks
	}
	for _, b := range t.in.Eligible {
		r := m.rackOf[b]
		best[r] = min(best[r], t.in.LeaderRank[b])
	}
	slices.Sort(best)
	t.aims = slices.Compact(best)
}
