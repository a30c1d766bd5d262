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
	e        *Explanation
	ofTopic  []int // replicas by broker index
	ofAll    []int
	held     []int // of this partition, by rack index
	lo, hi   []int
	eligible map[int16]bool
}

func (m *maker) weighing(t *subject, e *Explanation) *weighing {
	w := &weighing{m: m, t: t, e: e, ofTopic: make([]int, len(m.net.ids)), ofAll: make([]int, len(m.net.ids)),
		held: make([]int, len(m.net.racks)), eligible: map[int16]bool{}}
	for _, other := range m.subjects {
		if other.problem == nil {
			continue
		}
		for p := range other.problem.Partitions {
			for _, b := range m.endsOn(other, p) {
				w.ofAll[b]++
				if other == t {
					w.ofTopic[b]++
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
	w.lo, w.hi = m.rackBounds(t, len(e.After))
	return w
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
	better, ties := 0, 0
	for j := range w.m.net.ids {
		if id := w.m.net.ids[j]; !state.Contains(w.e.After, id) && w.m.net.live[j] != nil {
			a, even := w.instead(b, int16(j), out.Kept)
			out.Others = append(out.Others, a)
			if a.Allowed && a.Copies == 0 {
				better++
				if even == 0 {
					ties++
				}
			}
		}
	}
	out.Why = w.why(i, out.Kept, better, ties)
	return out
}

func (w *weighing) why(i int, kept bool, free, ties int) string {
	b := w.e.After[i]
	p := &w.t.problem.Partitions[w.e.Partition]
	switch {
	case p.Pin != nil:
		return "the pin says so"
	case kept && !w.m.net.alive(b):
		return "it waits there for its dead broker"
	case kept:
		return "it is there already, and staying copies nothing"
	case free == 0:
		return "no other broker is allowed without copying more"
	case ties > 0:
		return "it evens out the load as well as any other broker does"
	}
	return "it evens out the load best"
}

// instead weighs another broker for a replica. even is above 0 where the
// replicas would be less even there, 0 where it makes no difference.
func (w *weighing) instead(b state.BrokerID, j int16, kept bool) (a Alternative, even int) {
	id := w.m.net.ids[j]
	a = Alternative{Broker: id, Rack: w.m.net.rack(id)}
	if a.Verdict = w.forbidden(b, j); a.Verdict != "" {
		return a, 0
	}
	a.Allowed = true
	if kept && !state.Contains(w.e.Before, id) {
		a.Copies = 1
		if size := w.m.sizeOf(w.t.name, w.e.Partition); size.Known {
			a.Bytes = &size.Bytes
		}
		a.Verdict = "one copy more"
		return a, 0
	}
	even = w.uneven(w.ofTopic, b, j)
	switch all := w.uneven(w.ofAll, b, j); {
	case even > 0:
		a.Verdict = fmt.Sprintf("less even: the topic would have %d replicas there and %d on broker %d", w.ofTopic[j]+1, w.ofTopic[w.m.net.index[b]]-1, b)
	case even == 0 && all > 0:
		even = all
		a.Verdict = fmt.Sprintf("less even: %d replicas of all topics there, %d on broker %d", w.ofAll[j]+1, w.ofAll[w.m.net.index[b]]-1, b)
	case even == 0 && all == 0:
		a.Verdict = "as good"
	default:
		even = 0
		a.Verdict = "as even by number; bytes, leaders or another partition decide"
	}
	return a, even
}

// uneven says how the sum of (load / weight) squared, as far as it can change,
// differs when a replica is on j in place of b: above 0 is less even.
func (w *weighing) uneven(load []int, b state.BrokerID, j int16) int {
	i := w.m.net.index[b]
	wi, wj := w.m.net.broker[i].Weight, w.m.net.broker[j].Weight
	from := (2*int64(load[i]) - 1) * wj
	to := (2*int64(load[j]) + 1) * wi
	switch {
	case to > from:
		return 1
	case to < from:
		return -1
	}
	return 0
}

// forbidden is the rule that keeps a replica off a broker, or "".
func (w *weighing) forbidden(b state.BrokerID, j int16) string {
	if !w.eligible[j] {
		if w.t.want == nil {
			return "is dead or drains"
		}
		return w.m.ineligible(w.t.want, w.m.net.ids[j])
	}
	from, to := w.m.net.broker[w.m.net.index[b]].Rack, w.m.net.broker[j].Rack
	if w.t.problem.Spread == placement.SpreadNone || from == to {
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
