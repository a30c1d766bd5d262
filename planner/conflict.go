package planner

import (
	"math/bits"
	"slices"

	"ballast/config"
	"ballast/planner/placement"
	"ballast/state"
)

// conflict is what stands in the way of a partition's number of replicas.
type conflict struct {
	// sets are restrictions that cannot be kept to together, each set of the
	// smallest number that there is among those that the sets before it leave. One
	// empty set says that it cannot be had without any restriction.
	sets [][]restriction
	// enough are those of a single set of which one can be left out, and all others
	// kept to.
	enough []restriction
}

// conflictOf is why a partition cannot be placed. Topics with the same rules share
// the answer.
func (m *maker) conflictOf(t *subject, in *placement.Infeasible) *conflict {
	key := m.conflictKey(t, in)
	if found, ok := m.conflicts[key]; ok {
		return found
	}
	if m.conflicts == nil {
		m.conflicts = map[string]*conflict{}
	}
	found := m.question(t, in).answer()
	m.conflicts[key] = found
	return found
}

// question asks which restrictions of a topic conflict for one of its partitions.
// A set of restrictions is a number that has the highest bit for the first.
type question struct {
	m     *maker
	t     subject // with this partition alone
	rules []restriction
	known map[uint]bool // by set: whether it conflicts
}

func (m *maker) question(t *subject, in *placement.Infeasible) *question {
	return &question{m: m, t: m.alone(t, in), rules: m.restrictions(t), known: map[uint]bool{}}
}

// alone is a topic with nothing but one of its partitions, which is not pinned:
// pins have been checked, and can always be had.
func (m *maker) alone(t *subject, in *placement.Infeasible) subject {
	out := *t
	out.live = nil
	if p := int(in.Partition); t.live != nil && p < len(t.live.Partitions) {
		out.live = &state.Topic{Name: t.name, Partitions: t.live.Partitions[p : p+1]}
	}
	if t.want != nil {
		want := *t.want
		want.Partitions, want.ReplicationFactor, want.Replicas.Pin = 1, in.RF, nil
		out.want = &want
	}
	return out
}

// answer finds the conflict: sets of no restriction, of one, of two, and so on
// are tried, those of a size in the order of the restrictions, so that the first
// that conflicts is a smallest one.
func (q *question) answer() *conflict {
	out, all := &conflict{}, uint(1)<<len(q.rules)-1
	left := all
	for again := true; again; {
		set := q.smallest(left)
		out.sets = append(out.sets, q.listed(set))
		left &^= set
		again = set != 0 && q.conflicts(left)
	}
	if len(out.sets) == 1 {
		for i, r := range q.rules {
			if one := q.bit(i); left&one == 0 && !q.conflicts(all&^one) {
				out.enough = append(out.enough, r)
			}
		}
	}
	return out
}

// smallest is the first smallest set that conflicts of those within one that does.
func (q *question) smallest(within uint) uint {
	for size := range bits.OnesCount(within) {
		for set := within; set > 0; {
			if set--; set&^within == 0 && bits.OnesCount(set) == size && q.conflicts(set) {
				return set
			}
		}
	}
	return within
}

// bit is the set of one restriction.
func (q *question) bit(i int) uint { return 1 << (len(q.rules) - 1 - i) }

// listed are the restrictions of a set.
func (q *question) listed(set uint) (out []restriction) {
	for i, r := range q.rules {
		if set&q.bit(i) != 0 {
			out = append(out, r)
		}
	}
	return out
}

// conflicts says whether the partition cannot be placed under a set of
// restrictions alone.
func (q *question) conflicts(set uint) bool {
	known, ok := q.known[set]
	if !ok {
		known = q.ask(set)
		q.known[set] = known
	}
	return known
}

func (q *question) ask(set uint) bool {
	own, net, t := *q.m, *q.m.net, q.t
	net.broker = slices.Clone(net.broker)
	own.net, own.waiting = &net, nil
	s := &supposed{want: &config.Topic{}, brokers: net.broker}
	if t.want != nil {
		*s.want = *t.want
		t.want = s.want
	}
	for i, r := range q.rules {
		if set&q.bit(i) == 0 {
			r.drop(s)
		}
	}
	posed := own.pose(&t)
	if s.anyRack {
		posed.Partitions[0].Bounds = nil
	}
	return placement.Conflict(&placement.Problem{Brokers: net.broker, Racks: len(net.racks), Topics: []placement.Topic{posed}}, 0) != nil
}
