package placement

// compile lays a problem out flat. Nothing is placed yet: units are made by
// keep and insert.
func compile(in *Problem) *model {
	m := &model{in: in, brokers: len(in.Brokers), racks: in.Racks + 1, weight: scaledWeights(in.Brokers)}
	m.rackOf = make([]int16, m.brokers)
	m.total = make([]int32, m.brokers)
	for b, broker := range in.Brokers {
		m.rackOf[b] = broker.Rack
		if broker.Rack < 0 {
			m.rackOf[b] = int16(in.Racks)
		}
		if broker.Alive && !broker.Drains {
			m.scope = append(m.scope, int16(b))
		}
	}
	m.topics = make([]topicModel, len(in.Topics))
	m.load = make([]int32, len(in.Topics)*m.brokers)
	for t := range in.Topics {
		m.compileTopic(int32(t))
	}
	m.count = make([]int8, len(m.parts)*m.racks)
	m.homeHolds = make([]uint8, len(m.homes))
	for i := range m.parts {
		p := &m.parts[i]
		for k, b := range m.homesOf(p) {
			m.homeHolds[int(p.home)+k] = p.holdsOf(b)
		}
	}
	return m
}

// compileTopic adds a topic: its free partitions as parts, all others as load.
func (m *model) compileTopic(index int32) {
	t := &m.topics[index]
	t.in, t.first = &m.in.Topics[index], int32(len(m.parts))
	t.eligible = make([]bool, m.brokers)
	t.eligibleIn = make([]int16, m.racks)
	for _, b := range t.in.Eligible {
		t.eligible[b] = true
		t.eligibleIn[m.rackOf[b]]++
	}
	if !t.in.Fixed {
		t.infeasible = m.infeasible(t)
	}
	for i := range t.in.Partitions {
		p := &t.in.Partitions[i]
		if list, fixed := t.fixedList(p); fixed {
			m.addLoad(index, list)
			continue
		}
		m.compilePart(index, int32(i), p)
	}
	t.n = int32(len(m.parts)) - t.first
	if t.n > 0 {
		t.zones, t.zonesIn = m.zonesOf(t.in)
		m.findAims(t)
	}
}

// fixedList is the list of a partition that is not chosen here, and true.
func (t *topicModel) fixedList(p *Partition) ([]int16, bool) {
	switch {
	case t.in.Fixed || t.infeasible != nil || p.Frozen:
		return p.Replicas, true
	case p.Pin != nil:
		return p.Pin, true
	}
	return nil, false
}

// addLoad counts replicas of a topic.
func (m *model) addLoad(topic int32, list []int16) {
	load := m.loads(topic)
	for _, b := range list {
		load[b]++
		m.total[b]++
	}
}

// compilePart adds a partition whose replicas are chosen here.
func (m *model) compilePart(topic, index int32, in *Partition) {
	t := &m.topics[topic]
	p := part{
		topic: topic, index: index, in: in, rf: in.RF, exists: in.Replicas != nil,
		leader: -1, preferred: m.firstAlive(in.Replicas), bytes: max(0, in.Size),
		home: int32(len(m.homes)), stay: int32(len(m.stays)),
	}
	if t.in.ByBytes {
		p.bytes = 0
	}
	for _, b := range in.Replicas {
		if t.eligible[b] {
			m.homes = append(m.homes, b)
		}
	}
	p.homesN = int16(int32(len(m.homes)) - p.home)
	if has(m.homesOf(&p), in.Leader) {
		p.leader = in.Leader
	}
	p.bounds = m.boundsOf(t, in)
	p.locked = true
	for _, b := range m.bounds[p.bounds] {
		p.locked = p.locked && b.Lo == b.Hi
	}
	m.parts = append(m.parts, p)
}

// boundsOf is the index of the rack bounds of a partition, in which no rack may
// hold more than there is. Partitions without peculiarities share them.
func (m *model) boundsOf(t *topicModel, in *Partition) int32 {
	plain := in.Bounds == nil && !m.anyDead(in)
	if plain && len(m.parts) > int(t.first) {
		last := &m.parts[len(m.parts)-1]
		if last.rf == in.RF && last.in.Bounds == nil && !m.anyDead(last.in) {
			return last.bounds
		}
	}
	bounds := m.rackBounds(t, in)
	for r, most := range m.available(t, in) {
		bounds[r].Hi = min(bounds[r].Hi, most)
	}
	m.bounds = append(m.bounds, bounds)
	return int32(len(m.bounds) - 1)
}

// available is by rack how many replicas a partition can have there: eligible
// brokers, and dead ones that hold one.
func (m *model) available(t *topicModel, in *Partition) []int16 {
	out := append([]int16(nil), t.eligibleIn...)
	for _, b := range in.Replicas {
		if m.mayStay(b) {
			out[m.rackOf[b]]++
		}
	}
	return out
}

// mayStay says whether b is dead and its replicas may wait for it.
func (m *model) mayStay(b int16) bool { return !m.in.Brokers[b].Alive && !m.in.Brokers[b].Drains }

// anyDead says whether a replica of the partition may wait for a dead broker.
func (m *model) anyDead(in *Partition) bool {
	for _, b := range in.Replicas {
		if m.mayStay(b) {
			return true
		}
	}
	return false
}

// firstAlive is the first broker of list that is alive, or -1.
func (m *model) firstAlive(list []int16) int16 {
	for _, b := range list {
		if m.in.Brokers[b].Alive {
			return b
		}
	}
	return -1
}
