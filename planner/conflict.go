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

// question asks which restrictions of a topic conflict for one of its partitions.
// A set of restrictions is a number that has the highest bit for the first.
type question struct {
	m     *maker
	t     subject // with this partition alone
	rules []restriction
	known map[uint]bool // by set: whether it conflicts
	first uint          // the first smallest set that does, once it is found
	found *conflict     // the answer, once it is found
}

// question is what is asked of partitions of one kind. Topics with the same rules
// share it.
func (m *maker) question(t *subject, k kind) *question {
	key := k.key() + m.rulesKey(t)
	if q, ok := m.questions[key]; ok {
		return q
	}
	if m.questions == nil {
		m.questions = map[string]*question{}
	}
	q := &question{m: m, t: m.alone(t, k), rules: m.restrictions(t), known: map[uint]bool{}}
	m.questions[key] = q
	return q
}

// alone is a topic with nothing but one of its partitions, which is not pinned:
// pins have been checked, and can always be had.
func (m *maker) alone(t *subject, k kind) subject {
	out := *t
	out.live = nil
	if p := int(k.first); t.live != nil && p < len(t.live.Partitions) {
		out.live = &state.Topic{Name: t.name, Partitions: t.live.Partitions[p : p+1]}
	}
	if t.want != nil {
		want := *t.want
		want.Partitions, want.ReplicationFactor, want.Replicas.Pin = 1, int(k.factor), nil
		out.want = &want
	}
	return out
}

// size is the size of a smallest set that conflicts; ok is false where it is more
// than that many.
func (q *question) size(most int) (n int, ok bool) {
	for n = range min(most, len(q.rules)) + 1 {
		if set, ok := q.ofSize(n, q.all()); ok {
			q.first = set
			return n, true
		}
	}
	return 0, false
}

// all is the set of all restrictions.
func (q *question) all() uint { return 1<<len(q.rules) - 1 }

// answer finds the conflict: sets of no restriction, of one, of two, and so on
// are tried, those of a size in the order of the restrictions, so that the first
// that conflicts is a smallest one.
func (q *question) answer() *conflict {
	if q.found != nil {
		return q.found
	}
	out, all := &conflict{}, q.all()
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
	q.found = out
	return out
}

// smallest is the first smallest set that conflicts of those within one that does.
func (q *question) smallest(within uint) uint {
	for size := range bits.OnesCount(within) {
		if set, ok := q.ofSize(size, within); ok {
			return set
		}
	}
	return within
}

// ofSize is the first set of that size that conflicts, of those within another.
func (q *question) ofSize(size int, within uint) (set uint, ok bool) {
	for set := within + 1; set > 0; {
		if set--; set&^within == 0 && bits.OnesCount(set) == size && q.conflicts(set) {
			return set, true
		}
	}
	return 0, false
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
	return placement.Conflict(q.m.suppose(&q.t, q.rules, set), 0) != nil
}

// suppose is the problem of a topic as if it were under a set of its restrictions
// alone.
func (m *maker) suppose(topic *subject, rules []restriction, set uint) *placement.Problem {
	own, net, t := *m, *m.net, *topic
	net.broker = slices.Clone(net.broker)
	own.net, own.waiting = &net, nil
	s := &supposed{want: &config.Topic{}, brokers: net.broker}
	if t.want != nil {
		*s.want = *t.want
		t.want = s.want
	}
	for i, r := range rules {
		if set>>(len(rules)-1-i)&1 == 0 {
			r.drop(s)
		}
	}
	posed := own.pose(&t)
	for i := range posed.Partitions {
		if s.anyRack {
			posed.Partitions[i].Bounds = nil
		}
	}
	return own.problemOf(&posed)
}
