package planner

import (
	"fmt"

	"ballast/planner/placement"
	"ballast/state"
)

// weighing compares the brokers that a partition's replicas are on with those
// that they could be on, by the loads that the plan ends with.
type weighing struct {
	m        *maker
	t        *subject
	p        *placement.Partition
	e        *Explanation
	ofTopic  shares
	ofAll    shares
	held     []int // of this partition, by rack index
	lo, hi   []int // nil where racks do not matter
	eligible map[int16]bool
}

// shares are the replicas on each broker, by index, and what each one's share is
// of those in the scope: n of them, by weights that add up to weight.
type shares struct {
	load      []int
	n, weight int64
}

func (m *maker) weighing(t *subject, e *Explanation) *weighing {
	w := &weighing{m: m, t: t, p: &t.problem.Partitions[e.Partition], e: e,
		ofTopic: shares{load: make([]int, len(m.net.ids))}, ofAll: shares{load: make([]int, len(m.net.ids))},
		held: make([]int, len(m.net.racks)), eligible: map[int16]bool{}}
	for _, other := range m.subjects {
		if other.problem == nil {
			continue
		}
		for p := range other.problem.Partitions {
			for _, b := range m.endsOn(other, p) {
				w.ofAll.load[b]++
				if other == t {
					w.ofTopic.load[b]++
				}
			}
		}
	}
	for _, b := range e.After {
		if r := m.net.broker[m.net.index[b]].Rack; r >= 0 {
			w.held[r]++
		}
	}
	for _, b := range t.problem.Eligible {
		w.eligible[b] = true
	}
	w.ofTopic.over(t.problem.Eligible, m.net.broker)
	w.ofAll.over(m.eligible(nil), m.net.broker)
	w.lo, w.hi = m.boundsOf(t, w.p)
	return w
}

// over makes these brokers the scope.
func (s *shares) over(scope []int16, brokers []placement.Broker) {
	for _, b := range scope {
		s.n += int64(s.load[b])
		s.weight += brokers[b].Weight
	}
}

// endsOn is where a partition ends, by broker index.
func (m *maker) endsOn(t *subject, p int) []int16 {
	if t.planned() {
		return t.sol.Replicas[p]
	}
	return t.problem.Partitions[p].Replicas
}

func (w *weighing) replica(i int) ExplainedReplica {
	b := w.e.After[i]
	out := ExplainedReplica{Broker: b, Rack: w.m.net.rack(b), Kept: state.Contains(w.e.Before, b), Others: []Alternative{}}
	var seen tally
	for j := range w.m.net.ids {
		if id := w.m.net.ids[j]; !state.Contains(w.e.After, id) && w.m.net.live[j] != nil {
			a, even := w.instead(b, int16(j))
			out.Others = append(out.Others, a)
			if a.Allowed && a.Copies <= 0 {
				seen.count(even)
			}
		}
	}
	out.Why = w.why(i, out.Kept, seen)
	return out
}

// tally counts the brokers that a replica could be on at no more copies, and
// those of them where it would be as even, and evener.
type tally struct{ free, ties, evener int }

func (s *tally) count(even int) {
	s.free++
	switch {
	case even == 0:
		s.ties++
	case even < 0:
		s.evener++
	}
}

func (w *weighing) why(i int, kept bool, seen tally) string {
	b := w.e.After[i]
	switch {
	case w.p.Pin != nil:
		return "the pin says so"
	case kept && !w.m.net.alive(b):
		return "it waits there for its dead broker"
	case kept:
		return "it is there already, and staying copies nothing"
	case seen.free == 0:
		return "no other broker is allowed without copying more"
	case seen.evener > 0:
		return "bytes, leaders or another partition decide: by number of replicas alone another broker would be better"
	case seen.ties > 0:
		return "it evens out the load as well as any other broker does"
	}
	return "it evens out the load best"
}

// instead weighs another broker for a replica. even is above 0 where the
// replicas would be less even there, 0 where it makes no difference.
func (w *weighing) instead(b state.BrokerID, j int16) (a Alternative, even int) {
	id := w.m.net.ids[j]
	a = Alternative{Broker: id, Rack: w.m.net.rack(id)}
	if a.Verdict = w.forbidden(b, j); a.Verdict != "" {
		return a, 0
	}
	a.Allowed = true
	if a.Copies = w.copies(b, id); a.Copies != 0 {
		if size := w.m.sizeOf(w.t.name, w.e.Partition); size.Known {
			bytes := int64(a.Copies) * size.Bytes
			a.Bytes = &bytes
		}
	}
	if a.Copies > 0 {
		a.Verdict = "one copy more"
		return a, 0
	}
	a.Verdict, even = w.evenness(b, j)
	if a.Copies < 0 {
		a.Verdict = "one copy less, but " + a.Verdict
	}
	return a, even
}

// copies are those that a replica on another broker needs beyond the plan's.
func (w *weighing) copies(b, instead state.BrokerID) int {
	if len(w.e.Before) == 0 {
		return 0
	}
	copied := func(b state.BrokerID) int {
		if state.Contains(w.e.Before, b) {
			return 0
		}
		return 1
	}
	return copied(instead) - copied(b)
}

// evenness says how even the replicas would be.
func (w *weighing) evenness(b state.BrokerID, j int16) (verdict string, even int) {
	i := w.m.net.index[b]
	even, all := w.uneven(&w.ofTopic, i, j), w.uneven(&w.ofAll, i, j)
	switch {
	case even > 0:
		return fmt.Sprintf("less even: the topic would have %d there and %d on broker %d", w.ofTopic.load[j]+1, w.ofTopic.load[i]-1, b), even
	case even == 0 && all > 0:
		return fmt.Sprintf("less even: %d of all topics there, %d on broker %d", w.ofAll.load[j]+1, w.ofAll.load[i]-1, b), all
	case even == 0 && all == 0:
		return "as good", 0
	}
	return "more even by number; bytes, leaders or another partition decide", -1
}

// uneven says how the sum of (load - share) squared differs when a replica is on
// j in place of i: above 0 is less even.
func (w *weighing) uneven(s *shares, i, j int16) int {
	marginal := func(b int16, load int) int64 {
		return (2*int64(load)+1)*s.weight - 2*s.n*w.m.net.broker[b].Weight
	}
	switch from, to := marginal(i, s.load[i]-1), marginal(j, s.load[j]); {
	case to > from:
		return 1
	case to < from:
		return -1
	}
	return 0
}

// forbidden is the rule that keeps a replica off a broker, or "".
func (w *weighing) forbidden(b state.BrokerID, j int16) string {
	switch {
	case w.p.Pin != nil:
		return "is not in the pin"
	case w.p.Frozen:
		return "the partition is left as it is"
	case !w.eligible[j] && w.t.want == nil:
		return "is dead or drains"
	case !w.eligible[j]:
		return w.m.ineligible(w.t.want, w.m.net.ids[j])
	case !w.led(b, j):
		return "no replica would be where leaders says, and that is required"
	}
	return w.crowds(w.m.net.broker[w.m.net.index[b]].Rack, w.m.net.broker[j].Rack)
}

// led says whether the leader is where it has to be with j in place of b.
func (w *weighing) led(b state.BrokerID, j int16) bool {
	t := w.t.problem
	if !t.LeaderRequired || t.LeaderRank[j] < t.NumLeaderRanks {
		return true
	}
	for _, x := range w.e.After {
		if i := w.m.net.index[x]; x != b && w.m.net.alive(x) && t.LeaderRank[i] < t.NumLeaderRanks {
			return true
		}
	}
	return false
}

// crowds is the rule that keeps a replica in its rack, or "".
func (w *weighing) crowds(from, to int16) string {
	if w.lo == nil || from == to {
		return ""
	}
	if to >= 0 && w.held[to]+1 > w.hi[to] {
		return fmt.Sprintf("rack %s holds %d already and may hold %d", quoted(w.m.net.racks[to]), w.held[to], w.hi[to])
	}
	if from >= 0 && w.held[from]-1 < w.lo[from] {
		return fmt.Sprintf("rack %s has to hold %d", quoted(w.m.net.racks[from]), w.lo[from])
	}
	return ""
}
