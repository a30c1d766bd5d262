package placement

// keep makes the units of every partition: as many of its replicas as may stay
// together, best first (the live leader, the preferred one, those in sync, those
// that are not, those on dead brokers), and -1 for each that is missing. The sets
// that may stay form a matroid, so what is missing must be copied in any plan.
func (m *model) keep() {
	for i := range m.parts {
		m.keepPart(int32(i))
	}
}

// keepPart does so for one partition.
func (m *model) keepPart(i int32) {
	p := &m.parts[i]
	t := &m.topics[p.topic]
	cnt := m.counts(i)
	p.unit = int32(len(m.unitAt))
	load := m.loads(p.topic)
	leads := !t.in.LeaderRequired
	for class := 0; class < keepClasses; class++ {
		for _, b := range p.in.Replicas {
			if m.keepClass(t, p, b) != class || !m.extendsWith(p, cnt, m.rackOf[b]) {
				continue
			}
			cnt[m.rackOf[b]]++
			if live := class < keepDead; !leads && !(live && t.listed(b)) && !m.leaderFits(t, p, cnt) {
				cnt[m.rackOf[b]]--
				continue
			}
			leads = leads || class < keepDead && t.listed(b)
			load[b]++
			m.total[b]++
			if class == keepDead {
				m.stays = append(m.stays, b)
				p.staysN++
			} else {
				m.unitAt = append(m.unitAt, b)
				m.unitPart = append(m.unitPart, i)
				m.unitHolds = append(m.unitHolds, m.holds(p, b))
			}
		}
	}
	p.stay = int32(len(m.stays)) - int32(p.staysN)
	p.units = p.rf - p.staysN
	p.vacant = p.homesN - int16(int32(len(m.unitAt))-p.unit)
	for int32(len(m.unitAt)) < p.unit+int32(p.units) {
		m.unitAt = append(m.unitAt, -1)
		m.unitPart = append(m.unitPart, i)
		m.unitHolds = append(m.unitHolds, 0)
	}
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

// leaderFits says whether p can still get a replica where its leader must be.
func (m *model) leaderFits(t *topicModel, p *part, cnt []int8) bool {
	for _, b := range t.in.Eligible {
		if t.listed(b) && !has(m.unitAt[p.unit:], b) && m.extendsWith(p, cnt, m.rackOf[b]) {
			return true
		}
	}
	return false
}
