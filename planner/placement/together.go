package placement

import "slices"

// together chooses leaders and replicas at once, as far as replicas cost the same
// elsewhere. It is the flow of leaders with more arcs: leadership of a partition
// may also go to a broker that does not hold it, if some replica of it can go
// there at no cost on any level, alone or in exchange for another partition's. No
// level of the replicas changes by it. What takes other changes of several
// partitions at once is looked for in small problems, see few.
type together struct {
	*leaders
	flow   *graph    // of the replicas
	unitOf []int32   // by part: its unit in leaders, -1 where its leader is settled
	on     [][]int32 // by topic and broker: units of replicas, some gone by now
	peers  [][]int32 // by topic: topics with which it may exchange, itself first
	// Alone a replica moves only where no topics come later that would find other
	// loads then; by class.
	mayMove [2]bool
	bytes   bool   // some topic wants bytes even: only equals are exchanged
	graph   *graph // of the leaders
	log     []made // what is being tried
	tried   int64  // graph.tried at the first of log
	voids   int    // how many of log are void
	any     bool   // some replica was moved
	try     [2]step
	double  []double // units of their own, behind those of leaders
}

// maxPeers bounds with how many topics a topic exchanges replicas.
const maxPeers = 8

// newTogether lists the replicas of all topics.
func (s *solver) newTogether(l *leaders, g *graph) *together {
	j := &together{leaders: l, graph: g, flow: s.flow, unitOf: make([]int32, len(s.parts)), on: make([][]int32, len(s.topics)*s.brokers)}
	for i := range j.unitOf {
		j.unitOf[i] = -1
	}
	for u, i := range l.parts {
		j.unitOf[i] = int32(u)
	}
	for u, b := range s.unitAt {
		j.list(int32(u), b)
	}
	var of [2][]int32 // those that say cluster, and the others
	for t := range s.topics {
		if s.topics[t].n > 0 {
			of[j.class(int32(t))] = append(of[j.class(int32(t))], int32(t))
		}
		j.bytes = j.bytes || s.topics[t].in.ByBytes
	}
	j.mayMove = [2]bool{len(of[1]) == 0, true}
	j.peers = make([][]int32, len(s.topics))
	for _, list := range of {
		for k, t := range list {
			for d := range min(maxPeers, len(list)) {
				j.peers[t] = append(j.peers[t], list[(k+d)%len(list)])
			}
		}
	}
	return j
}

// anyLoose says whether any replica might go elsewhere at no cost. Where all that
// partitions have today stays and nothing comes, none can.
func (m *model) anyLoose() bool {
	for i := range m.parts {
		if m.parts[i].vacant > 0 {
			return true
		}
	}
	return slices.Contains(m.unitHolds, 0)
}

// choose looks for better leaders, and moves replicas for them.
func (j *together) choose(s *solver, budget int64) {
	j.graph.mover, j.loose = j, true
	defer func() { j.graph.mover, j.loose = j.leaders, false }()
	for _, joint := range []bool{false, true} {
		if s.choose(j.graph, joint, leadBalance); len(j.graph.topics) > 0 {
			j.graph.budget = budget
			j.graph.run()
		}
	}
}

// class is 1 for topics that are balanced over the cluster, which come last.
func (j *together) class(t int32) int {
	if j.topics[t].in.Balance == BalanceCluster {
		return 1
	}
	return 0
}

// list notes that unit u is on b.
func (j *together) list(u int32, b int16) {
	at := int(j.model.parts[j.unitPart[u]].topic)*j.brokers + int(b)
	j.on[at] = append(j.on[at], u)
}

// relaxUnits relaxes moves to replicas, and then those that take an exchange.
func (j *together) relaxUnits(g *graph, slot int) {
	j.leaders.relaxUnits(g, slot)
	j.relaxDoubles(g, slot)
	from, to := j.units(g.slots[slot])
	base := int32(slot * j.brokers)
	var c vec
	for u := from; u < to && g.work <= g.budget; u++ {
		a := base + int32(j.leaders.on[u])
		targets := j.targets(u)
		eligible := j.topics[g.slots[slot]].in.Eligible
		g.work += int64(len(eligible))
		for _, b := range eligible {
			if has(targets, b) {
				continue
			}
			j.cost(u, b, &c)
			c.plus(&g.dist[a])
			if c.less(&g.dist[base+int32(b)]) && j.find(g, u, b) != nil {
				g.reachTopic(int32(slot), base+int32(b), &c, a, u)
			}
		}
	}
}

// find is an exchange by which the partition of u comes to b, nil where there is
// none.
func (j *together) find(g *graph, u int32, b int16) []step {
	i := j.leaders.parts[u]
	p := &j.model.parts[i]
	for w := p.unit; w < p.unit+int32(p.units); w++ {
		if moves := j.findFor(g, w, b); moves != nil {
			return moves
		}
	}
	return nil
}

// findFor is such an exchange that takes replica w to b.
func (j *together) findFor(g *graph, w int32, b int16) []step {
	c := j.unitAt[w]
	topic := j.model.parts[j.unitPart[w]].topic
	if j.try[0] = (step{w, c, b}); j.mayMove[j.class(topic)] && j.free(j.try[:1]) {
		return slices.Clone(j.try[:1])
	}
	for _, t := range j.peers[topic] {
		if !j.topics[t].eligible[c] {
			continue
		}
		g.work++
		list := j.on[int(t)*j.brokers+int(b)]
		for _, x := range list {
			if j.unitAt[x] != b || j.unitPart[x] == j.unitPart[w] || j.leadOf(j.unitPart[x]) == b {
				continue
			}
			if has(j.unitsOf(&j.model.parts[j.unitPart[x]]), c) {
				continue
			}
			g.work += 4
			if j.try = [2]step{{w, c, b}, {x, b, c}}; j.free(j.try[:]) {
				return slices.Clone(j.try[:])
			}
		}
	}
	return nil
}

// leadOf is who leads partition i.
func (j *together) leadOf(i int32) int16 {
	if u := j.unitOf[i]; u >= 0 {
		return j.leaders.on[u]
	}
	return j.presentLeader(&j.model.parts[i])
}

// free says whether moves of replicas cost nothing on any level and keep the
// rules. Nothing is moved.
func (j *together) free(moves []step) bool {
	if j.bytes && (len(moves) == 1 || j.sizeOf(moves[0].unit) != j.sizeOf(moves[1].unit)) {
		return false
	}
	var c, back vec
	j.flow.joint = j.class(j.flow.topicOf(moves[0].unit)) == 1
	for _, m := range moves {
		j.flow.shift(m, &c)
	}
	ok := c == (vec{}) && j.flow.allLegal(moves)
	for k := len(moves) - 1; k >= 0; k-- {
		j.flow.shift(moves[k].reverse(), &back)
	}
	return ok
}

// sizeOf is the size of a replica.
func (j *together) sizeOf(u int32) int64 { return j.model.parts[j.unitPart[u]].in.Size }

// reverse is the move back.
func (s step) reverse() step { return step{s.unit, s.to, s.from} }

// made is a move of leadership that may have to be taken back.
type made struct {
	units [2]int32 // whose leader it moves
	moves []step   // of replicas, that it takes
	void  bool     // it could not be made: a leader has moved already
}

// move moves leadership, and with it the replicas if the new leader holds none.
// The graph takes moves back in reverse order, and then the replicas go back too.
func (j *together) move(u int32, to int16) {
	if j.graph.undoing {
		j.unmove(u, to)
		return
	}
	if j.tried != j.graph.tried {
		j.log, j.tried, j.voids = j.log[:0], j.graph.tried, 0
	}
	m := made{units: [2]int32{j.plain(u), j.plain(u)}}
	d := j.doubleOf(u)
	if d != nil {
		m.units[1] = d.second
	}
	if m.void = d != nil && d.to != to || j.movedBefore(m.units); m.void {
		j.voids++
		j.log = append(j.log, m)
		return
	}
	m.moves = j.needs(u, to)
	for _, s := range m.moves {
		j.carry(s)
	}
	j.log = append(j.log, m)
	if d != nil {
		j.leaders.on[d.first], j.leaders.on[d.second] = d.at, d.to
	} else {
		j.leaders.on[u] = to
	}
}

// movedBefore says whether one of the units has moved in what is being tried.
func (j *together) movedBefore(units [2]int32) bool {
	for i := range j.log {
		for _, u := range j.log[i].units {
			if u == units[0] || u == units[1] {
				return true
			}
		}
	}
	return false
}

// unmove takes the last move back.
func (j *together) unmove(u int32, to int16) {
	last := j.log[len(j.log)-1]
	j.log = j.log[:len(j.log)-1]
	if last.void {
		j.voids--
		return
	}
	for k := len(last.moves) - 1; k >= 0; k-- {
		j.carry(last.moves[k].reverse())
	}
	if d := j.doubleOf(u); d != nil {
		j.leaders.on[d.first], j.leaders.on[d.second] = d.from, d.at
	} else {
		j.leaders.on[u] = to
	}
}

// needs are the moves of replicas that a move of leadership takes.
func (j *together) needs(u int32, to int16) []step {
	if d := j.doubleOf(u); d != nil {
		return j.findDouble(d)
	}
	if has(j.targets(u), to) {
		return nil
	}
	return j.find(j.flow, u, to)
}

// carry moves one replica.
func (j *together) carry(m step) {
	var c vec
	j.flow.shift(m, &c)
	j.list(m.unit, m.to)
	j.any = true
}

// legal says whether all moves that are being tried could be made, and the leader
// of u's partition is one of its replicas.
func (j *together) legal(u int32) bool {
	if d := j.doubleOf(u); d != nil {
		return j.legal(d.first) && j.legal(d.second)
	}
	return j.voids == 0 && has(j.targets(u), j.leaders.on[u])
}
