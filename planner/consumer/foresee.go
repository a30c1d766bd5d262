package consumer

import (
	"slices"

	"ballast/state"
)

// Forecast is what becomes of a group's partitions by its next rebalance.
type Forecast struct {
	Assignor Assignor
	Changes  []Change               // by member
	Moved    []state.TopicPartition // that another member has afterwards
	Added    []state.TopicPartition // that a member has and nobody had
	Gone     []state.TopicPartition // that a member had and nobody has
	// Rebalances are those until nobody has to give up anything: 1 but for
	// cooperative-sticky, where a partition changes hands by a second one.
	Rebalances    int
	Before, After Spread
}

// Spread is how evenly partitions are spread over members.
type Spread struct {
	Partitions  int // that members have
	Least, Most int // that one member has
	Idle        int // members that have none
}

// Foresee tells what the present members of a group get from an assignor when
// topics have these numbers of partitions, all members joining again with what
// they have now. The errors are those of Assign.
func Foresee(a Assignor, topics map[string]int32, g *state.Group) (*Forecast, error) {
	members := make([]Member, 0, len(g.Members))
	for i := range g.Members {
		m := &g.Members[i]
		members = append(members, Member{ID: m.ID, InstanceID: m.InstanceID, Topics: m.Topics, Owned: m.Assigned, Generation: 1})
	}
	r, err := Assign(a, topics, members)
	if err != nil {
		return nil, err
	}
	before := Present(g)
	f := &Forecast{Assignor: a, Changes: Compare(before, r.Assignment), Rebalances: max(1, r.Rounds), Before: SpreadOf(before), After: SpreadOf(r.Assignment)}
	had, has := union(before), union(r.Assignment)
	f.Added, f.Gone = without(has, had), without(had, has)
	for _, c := range f.Changes {
		f.Moved = append(f.Moved, without(c.Lost, f.Gone)...)
	}
	f.Moved = slices.Compact(sorted(f.Moved))
	return f, nil
}

// Present is what a group's members have now.
func Present(g *state.Group) Assignment {
	out := Assignment{}
	for i := range g.Members {
		out[g.Members[i].ID] = sorted(g.Members[i].Assigned)
	}
	return out
}

// SpreadOf tells how even an assignment is.
func SpreadOf(a Assignment) Spread {
	var s Spread
	first := true
	for _, list := range a {
		n := len(list)
		s.Partitions += n
		s.Most = max(s.Most, n)
		if first || n < s.Least {
			s.Least, first = n, false
		}
		if n == 0 {
			s.Idle++
		}
	}
	return s
}

// union has every partition that a member has, once.
func union(a Assignment) (all []state.TopicPartition) {
	for _, list := range a {
		all = append(all, list...)
	}
	return slices.Compact(sorted(all))
}
