package planner

import (
	"fmt"
	"slices"
	"strings"

	"ballast/planner/placement"
)

// obstacle is why nothing is planned for a topic: the smallest conflict of all its
// partitions that cannot be placed, and how many these are.
type obstacle struct {
	*conflict
	in     *placement.Infeasible // of the first partition with this conflict
	shared int                   // partitions of which the first set conflicts
	failed []int32               // all that cannot be placed
	of     int                   // partitions that the topic is to have
	other  int32                 // the first that fails and has not this conflict
}

// mostKinds bounds for how many kinds of partitions a smallest conflict is looked for.
const mostKinds = 1000

// kind is partitions of a topic between which no restriction can tell.
type kind struct {
	first  int32 // of those that fail
	factor int16
	places []string // of the replicas that matter, sorted
	whole  bool     // these are all replicas, and more of them are no relief
}

// obstacle finds the smallest conflict. Of several the one with the lowest
// partition is taken.
func (m *maker) obstacle(t *subject) *obstacle {
	o := &obstacle{failed: placement.Conflicts(m.problemOf(t.problem), 0), of: len(t.problem.Partitions)}
	kinds := m.kinds(t, o.failed)
	k, q := m.least(t, kinds)
	alone := *t.problem
	alone.Partitions = alone.Partitions[k.first : k.first+1]
	o.in = placement.Conflict(m.problemOf(&alone), 0)
	o.in.Partition = k.first
	o.conflict = q.answer()
	o.share(m, t, q, len(kinds) == 1)
	return o
}

// least is the first kind whose conflict is the smallest.
func (m *maker) least(t *subject, kinds []kind) (least kind, q *question) {
	size := len(m.restrictions(t)) + 1
	for _, k := range telling(kinds) {
		one := m.question(t, k)
		if n, ok := one.size(size); ok && n < size {
			least, q, size = k, one, n
		}
	}
	for _, k := range kinds[:min(mostKinds, len(kinds))] {
		one := m.question(t, k)
		if _, ok := one.size(size); ok {
			return k, one
		}
	}
	return least, q
}

// problemOf is a problem of one topic.
func (m *maker) problemOf(t *placement.Topic) *placement.Problem {
	return &placement.Problem{Brokers: m.net.broker, Racks: len(m.net.racks), Topics: []placement.Topic{*t}}
}

// share counts the partitions of which the first set of restrictions conflicts.
func (o *obstacle) share(m *maker, t *subject, q *question, alike bool) {
	if o.shared = len(o.failed); alike {
		return
	}
	conflict := placement.Conflicts(m.suppose(t, q.rules, q.first), 0)
	o.shared, o.other = 0, -1
	for _, p := range o.failed {
		if _, ok := slices.BinarySearch(conflict, p); ok {
			o.shared++
		} else if o.other < 0 {
			o.other = p
		}
	}
}

// kinds are the kinds of these partitions, by the first of each.
func (m *maker) kinds(t *subject, failed []int32) (out []kind) {
	seen := map[string]bool{}
	for _, p := range failed {
		k := m.kindOf(t, p)
		if key := k.key(); !seen[key] {
			seen[key] = true
			out = append(out, k)
		}
	}
	return out
}

// telling are the kinds among which one with the smallest conflict is: without
// those of which another wants as many replicas and has fewer that wait for a dead
// broker, since what conflicts for those conflicts for that.
func telling(kinds []kind) (out []kind) {
	few := slices.Clone(kinds)
	slices.SortStableFunc(few, func(a, b kind) int { return len(a.places) - len(b.places) })
	for _, k := range few {
		if len(out) < mostKinds && !slices.ContainsFunc(out, func(x kind) bool { return x.within(&k) }) {
			out = append(out, k)
		}
	}
	return out
}

func (k *kind) key() string { return fmt.Sprint(k.factor, k.whole, strings.Join(k.places, "/")) }

// within says whether k has nothing that x has not, as many replicas wanted.
func (k *kind) within(x *kind) bool {
	if k.factor != x.factor || k.whole || x.whole {
		return false
	}
	i := 0
	for _, place := range x.places {
		if i < len(k.places) && k.places[i] == place {
			i++
		}
	}
	return i == len(k.places)
}

// kindOf is the kind of a partition. Replicas on live brokers matter only where the
// topic leaves draining brokers, or some replica on a dead one has to go since there
// are too many: which one depends on where all others are. Of a broker it matters in
// what rack it is, whether it is alive and whether it drains.
func (m *maker) kindOf(t *subject, p int32) kind {
	k := kind{first: p, factor: t.problem.Partitions[p].RF}
	if t.live == nil || int(p) >= len(t.live.Partitions) {
		return k
	}
	list := t.live.Partitions[p].Target()
	dead := len(m.liveOf(list)) < len(list)
	k.whole = t.want == nil || dead && len(list) > int(k.factor)
	for _, id := range list {
		if b := m.net.broker[m.net.index[id]]; k.whole || !b.Alive {
			k.places = append(k.places, fmt.Sprintf("%d %t %t", b.Rack, b.Alive, b.Drains))
		}
	}
	if t.want == nil || !k.whole {
		slices.Sort(k.places)
	}
	return k
}
