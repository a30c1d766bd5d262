package planner

import (
	"ballast/planner/placement"
	"ballast/state"
	"slices"
)

// move is one partition's move on its way into a batch.
type move struct {
	Move
	size    state.Size
	leader  state.BrokerID // that the copies are read from
	added   []state.BrokerID
	removed []state.BrokerID
	urgency int8
	waits   bool // for a move in flight that has to end first
}

// copies says whether the move copies anything; one that does not only reorders
// or takes replicas away, and is done at once.
func (v *move) copies() bool { return len(v.added) > 0 }

// batch is what one reassign step moves.
type batch struct{ moves []*move }

// collectMoves are the moves of all changes, by topic and partition.
func (m *maker) collectMoves() []*move {
	var out []*move
	for i := range m.plan.Changes {
		c := &m.plan.Changes[i]
		if c.Action != Update {
			continue
		}
		t := m.byName[c.Topic]
		for j := range c.Assignments {
			a := &c.Assignments[j]
			if len(a.Before) > 0 && !slices.Equal(a.Before, a.After) {
				out = append(out, m.newMove(t, a))
			}
		}
	}
	return out
}

func (m *maker) newMove(t *subject, a *Assignment) *move {
	p := &t.live.Partitions[a.Partition]
	v := &move{
		Move:  Move{Topic: t.name, Partition: a.Partition, Before: a.Before, After: a.After},
		size:  p.Size,
		added: without(a.After, a.Before), removed: without(a.Before, a.After),
		leader: state.NoLeader, waits: p.InFlight(), urgency: placement.NotUrgent,
	}
	if m.net.alive(p.Leader) {
		v.leader = p.Leader
	}
	if v.copies() {
		v.urgency = m.urgency(t, p, a)
	}
	return v
}

// urgency: partitions under their min ISR first, then those that get more live
// replicas than they have.
func (m *maker) urgency(t *subject, p *state.Partition, a *Assignment) int8 {
	sync, after := len(m.liveOf(p.ISR)), len(m.liveOf(a.After))
	switch {
	case after > sync && sync < m.minISRNow(t):
		return placement.UrgentUnderMinISR
	case after > len(m.liveOf(a.Before)):
		return placement.UrgentRedundancy
	}
	return placement.NotUrgent
}

func (m *maker) liveOf(list []state.BrokerID) []state.BrokerID {
	var out []state.BrokerID
	for _, b := range list {
		if m.net.alive(b) {
			out = append(out, b)
		}
	}
	return out
}

// pack cuts the moves into batches. Moves that copy nothing are done at once
// and make room, so they go before all that copy, those apart that bring a
// partition back over its min ISR; moves that wait for one in flight go last.
func (m *maker) pack(all []*move) []batch {
	var copying, instant, waiting, waitingInstant []*move
	for _, v := range all {
		switch {
		case v.waits && v.copies():
			waiting = append(waiting, v)
		case v.waits:
			waitingInstant = append(waitingInstant, v)
		case v.copies():
			copying = append(copying, v)
		default:
			instant = append(instant, v)
		}
	}
	free := m.freeSpace()
	m.reclaim(free)
	if !(batch{copying}).urgent() {
		m.useAll(instant, free) // they go first, and what they free can be counted on
	}
	packed := m.packCopies(copying, free)
	urgent := 0
	for urgent < len(packed) && packed[urgent].urgent() {
		urgent++
	}
	var out []batch
	out = append(out, packed[:urgent]...)
	out = append(out, m.chunk(instant)...)
	out = append(out, packed[urgent:]...)
	out = append(out, m.packCopies(waiting, free)...)
	return append(out, m.chunk(waitingInstant)...)
}

// reclaim gives back the space of topics that are deleted before the moves.
func (m *maker) reclaim(free []int64) {
	for _, t := range m.subjects {
		if t.change == nil || t.change.Action != Delete || !m.d.Apply.ReclaimFirst {
			continue
		}
		for i := range t.live.Partitions {
			p := &t.live.Partitions[i]
			m.use(&move{size: p.Size, removed: p.Target()}, free)
		}
	}
}

func (m *maker) useAll(moves []*move, free []int64) {
	for _, v := range moves {
		m.use(v, free)
	}
}

func (b batch) urgent() bool {
	for _, v := range b.moves {
		if v.urgency == placement.UrgentUnderMinISR {
			return true
		}
	}
	return false
}

// chunk cuts moves that copy nothing into batches of as many as one may hold.
func (m *maker) chunk(moves []*move) []batch {
	most := max(1, m.d.Apply.MaxBatchPartitions)
	var out []batch
	for len(moves) > 0 {
		n := min(most, len(moves))
		out = append(out, batch{moves[:n:n]})
		moves = moves[n:]
	}
	return out
}

// packCopies has moves that copy packed such that the busiest broker is busy
// throughout. free is what is free on each broker, and is brought up to date.
// What no order of the moves makes room for comes last, packed as if there were:
// the plan says so, and apply's gate waits until there is.
func (m *maker) packCopies(moves []*move, free []int64) []batch {
	if len(moves) == 0 {
		return nil
	}
	result, out, blocked := m.packInto(moves, free)
	m.tellPacking(result, moves)
	if len(blocked) == 0 {
		return out
	}
	unknown := make([]int64, len(free))
	for i := range unknown {
		unknown[i] = -1
	}
	_, late, _ := m.packInto(blocked, unknown)
	return append(out, late...)
}

// packInto packs moves into the space that is free, and gives those that did
// not fit.
func (m *maker) packInto(moves []*move, free []int64) (*placement.PackResult, []batch, []*move) {
	a := &m.d.Apply
	problem := placement.PackProblem{
		Brokers: len(m.net.ids), MaxMovesPerBroker: a.MaxMovesPerBroker, MaxBatchMoves: a.MaxBatchPartitions,
		MaxBatchBytes: a.MaxBatchBytes, Free: append([]int64(nil), free...), Headroom: a.DiskHeadroom,
	}
	for _, v := range moves {
		problem.Moves = append(problem.Moves, m.packMove(v))
	}
	result := placement.Pack(problem)
	var out []batch
	done := make([]bool, len(moves))
	for _, indices := range result.Batches {
		b := batch{}
		for _, i := range indices {
			b.moves = append(b.moves, moves[i])
			done[i] = true
			m.use(moves[i], free)
		}
		out = append(out, b)
	}
	return &result, out, rest(moves, done)
}

func rest(moves []*move, done []bool) []*move {
	var out []*move
	for i, v := range moves {
		if !done[i] {
			out = append(out, v)
		}
	}
	return out
}

func (m *maker) packMove(v *move) placement.PackMove {
	out := placement.PackMove{Bytes: -1, Source: -1, Targets: m.net.toIndex(v.added), Frees: m.net.toIndex(v.removed), Urgency: v.urgency}
	if v.size.Known {
		out.Bytes = v.size.Bytes
	}
	if v.leader != state.NoLeader {
		out.Source = m.net.index[v.leader]
	}
	return out
}

// use takes a move's copies from the free space, and gives back what it frees.
func (m *maker) use(v *move, free []int64) {
	if !v.size.Known {
		return
	}
	for _, b := range v.added {
		if i := m.net.index[b]; free[i] >= 0 {
			free[i] = max(0, free[i]-v.size.Bytes)
		}
	}
	for _, b := range v.removed {
		if i := m.net.index[b]; free[i] >= 0 {
			free[i] += v.size.Bytes
		}
	}
}

// freeSpace is what a copy can count on at each broker, -1 where that is not
// known: Kafka picks the log dir with the fewest partitions, which may be any,
// so it is the least of those online.
func (m *maker) freeSpace() []int64 {
	out := make([]int64, len(m.net.ids))
	for i, b := range m.net.live {
		out[i] = -1
		if b != nil && len(b.LogDirs) > 0 {
			out[i] = freeOn(b.LogDirs)
		}
	}
	m.useInFlight(out)
	return out
}

// useInFlight takes what moves in flight may still put on disk; how much of it
// is there already, a snapshot does not tell.
func (m *maker) useInFlight(free []int64) {
	for i := range m.s.Topics {
		for j := range m.s.Topics[i].Partitions {
			if p := &m.s.Topics[i].Partitions[j]; p.InFlight() {
				m.use(&move{size: p.Size, added: without(p.Adding, nil)}, free)
			}
		}
	}
}

func freeOn(dirs []state.LogDir) int64 {
	least, online := int64(0), false
	for _, dir := range dirs {
		switch {
		case dir.Offline:
			continue
		case !dir.Usable.Known:
			return -1
		case !online || dir.Usable.Bytes < least:
			least, online = dir.Usable.Bytes, true
		}
	}
	return least
}
