package planner

import (
	"fmt"
	"math"

	"ballast/config"
	"ballast/planner/placement"
	"ballast/state"
)

// solve poses the placement problem and has it solved. Where the answer makes a
// topic fail, the others are placed again with that topic as it is.
func (m *maker) solve() {
	for again := true; again; {
		p := &placement.Problem{Brokers: m.net.broker, Racks: len(m.net.racks)}
		m.waiting = nil
		var posed []*subject
		for _, t := range m.subjects {
			if t.live == nil && !t.planned() || t.role == absent && !t.failed || t.role == journal {
				continue
			}
			posed = append(posed, t)
			p.Topics = append(p.Topics, m.pose(t))
		}
		m.solution = placement.Solve(p)
		again = m.take(p, posed)
	}
}

// take hands the topics their places, and says whether a topic failed by them.
func (m *maker) take(p *placement.Problem, posed []*subject) (failed bool) {
	for i, t := range posed {
		t.problem, t.sol = &p.Topics[i], &m.solution.Topics[i]
		if t.sol.Infeasible != nil && t.planned() {
			m.failInfeasible(t)
		}
		failed = m.checkAlive(t) || failed
		failed = m.checkGrowth(t) || failed
	}
	return failed
}

// checkAlive: no rule is worth a partition's last live replica. It can come to
// that where the live ones have to go and all that may stay wait for dead brokers.
func (m *maker) checkAlive(t *subject) (failed bool) {
	if !t.planned() || t.live == nil {
		return false
	}
	for i := range t.live.Partitions {
		was := t.live.Partitions[i].Target()
		if is := m.net.toIDs(t.sol.Replicas[i]); len(m.liveOf(is)) == 0 && len(m.liveOf(was)) > 0 {
			m.reject(t, "no_live_replica", at(t, "replication_factor"), fmt.Sprintf("The rules would leave %s without a live replica", partitionName(t.name, int32(i))),
				fmt.Sprintf("It is on %v now, of which %v live but may not stay, and no other eligible broker is left. Nothing is planned for this topic. Add brokers, drain later, or let the dead ones drain too.", was, m.liveOf(was)))
			return true
		}
	}
	return false
}

// pose is a topic as placement sees it.
func (m *maker) pose(t *subject) placement.Topic {
	if !t.planned() {
		return placement.Topic{Fixed: true, Partitions: m.posedPartitions(t)}
	}
	if t.role == drained {
		return m.poseDrained(t)
	}
	w := t.want
	out := placement.Topic{
		Eligible:      m.eligible(w),
		Balance:       balance(w.Replicas.Balance),
		ByBytes:       w.Replicas.BalanceBy == config.ByBytes,
		LeaderBalance: balance(w.Leaders.Balance),
		Partitions:    m.posedPartitions(t),
	}
	out.Spread, _ = m.spread(w, out.Eligible)
	out.LeaderRank, out.NumLeaderRanks = m.leaderRanks(&w.Leaders)
	out.LeaderRequired = w.Leaders.Required && out.NumLeaderRanks > 0
	if out.Spread == placement.SpreadPerRack {
		out.PerRack = make([]int16, len(m.net.racks))
		for rack, n := range w.Replicas.PerRack {
			out.PerRack[m.net.rackAt[rack]] = short(n)
		}
	}
	m.freezeUnknownRacks(t, &out)
	return out
}

// short is a number of replicas as placement counts them; more than it can
// count are more than there are brokers, which placement refuses.
func short(n int) int16 { return int16(min(n, math.MaxInt16)) }

func balance(b config.Balance) placement.Balance {
	switch b {
	case config.BalanceTopic:
		return placement.BalanceTopic
	case config.BalanceCluster:
		return placement.BalanceCluster
	}
	return placement.Keep
}

// posedPartitions are a topic's partitions, live and new, where they are once
// the moves in flight have ended.
func (m *maker) posedPartitions(t *subject) []placement.Partition {
	n := m.count(t)
	if !t.planned() {
		n = len(t.live.Partitions)
	}
	out := make([]placement.Partition, n)
	rf, added := short(m.factor(t)), short(m.newFactor(t))
	for i := range out {
		out[i] = placement.Partition{RF: rf, Leader: -1, Size: -1}
		if t.live != nil && i < len(t.live.Partitions) {
			m.poseLive(t, &t.live.Partitions[i], &out[i])
		} else {
			out[i].RF = added
		}
		if t.want != nil && t.planned() {
			if pin, ok := t.want.Replicas.Pin[int32(i)]; ok {
				out[i].Pin, out[i].RF = m.net.toIndex(pin), int16(len(pin))
			}
		}
	}
	return out
}

func (m *maker) poseLive(t *subject, p *state.Partition, out *placement.Partition) {
	target := p.Target()
	if !t.planned() || t.want == nil || t.want.ReplicationFactor == 0 {
		out.RF = int16(len(target))
	} else if _, pinned := t.want.Replicas.Pin[p.ID]; !pinned {
		target = m.deadFirst(p, int(out.RF))
	}
	out.Replicas = m.net.toIndex(target)
	if p.Size.Known {
		out.Size = p.Size.Bytes
	}
	if state.Contains(target, p.Leader) && m.net.alive(p.Leader) {
		out.Leader = m.net.index[p.Leader]
	}
	for _, b := range target {
		lost := !state.Contains(p.ISR, b) && !state.Contains(p.Adding, b)
		if lost || state.Contains(p.Offline, b) {
			out.OutOfISR = append(out.OutOfISR, m.net.index[b])
		}
	}
}

// poseDrained is a topic that nobody declared and that leaves the draining
// brokers: only partitions with a replica there change, and no rack ends with
// more or fewer of them than the rule or the present placement has.
func (m *maker) poseDrained(t *subject) placement.Topic {
	out := placement.Topic{Eligible: m.eligible(nil), Partitions: m.posedPartitions(t)}
	racks := m.racksOf(out.Eligible)
	rackless, _ := m.net.rackless()
	for i := range out.Partitions {
		p := &out.Partitions[i]
		p.Frozen = !m.anyDrains(p.Replicas)
		if !p.Frozen && len(rackless) == 0 {
			p.Bounds = m.noWorse(p, racks)
		}
	}
	return out
}

func (m *maker) anyDrains(list []int16) bool {
	for _, b := range list {
		if m.net.broker[b].Drains {
			return true
		}
	}
	return false
}

// racksOf says by rack whether any of the brokers is in it.
func (m *maker) racksOf(brokers []int16) []bool {
	out := make([]bool, len(m.net.racks))
	for _, b := range brokers {
		if r := m.net.broker[b].Rack; r >= 0 {
			out[r] = true
		}
	}
	return out
}

// noWorse bounds a partition in each rack by what even spread and its present
// placement allow, whichever is wider.
func (m *maker) noWorse(p *placement.Partition, racks []bool) []placement.Bound {
	n, held := int16(0), make([]int16, len(racks))
	for _, ok := range racks {
		if ok {
			n++
		}
	}
	for _, b := range p.Replicas {
		if r := m.net.broker[b].Rack; r >= 0 {
			held[r]++
		}
	}
	out := make([]placement.Bound, len(racks))
	for r := range out {
		if racks[r] {
			out[r] = placement.Bound{Lo: min(held[r], p.RF/n), Hi: max(held[r], (p.RF+n-1)/n)}
		} else {
			out[r] = placement.Bound{Hi: held[r]}
		}
	}
	return out
}

// freezeUnknownRacks leaves partitions alone whose rack rule cannot be judged,
// since a replica waits on a dead broker whose rack nobody knows.
func (m *maker) freezeUnknownRacks(t *subject, out *placement.Topic) {
	if out.Spread == placement.SpreadNone {
		return
	}
	for i := range out.Partitions {
		for _, b := range out.Partitions[i].Replicas {
			broker := m.net.broker[b]
			if !broker.Alive && !broker.Drains && broker.Rack < 0 && out.Partitions[i].Pin == nil {
				out.Partitions[i].Frozen = true
				out.Partitions[i].Replicas = m.net.toIndex(t.live.Partitions[i].Target())
				m.unknownRack(t, int32(i), m.net.ids[b])
			}
		}
	}
}
