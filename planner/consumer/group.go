package consumer

import (
	"cmp"
	"fmt"
	"slices"

	"ballast/state"
)

// Assignor is the name of a partition assignor, as in
// partition.assignment.strategy and in a group's protocol.
type Assignor string

// The assignors of Kafka's consumer.
const (
	Range             Assignor = "range"
	RoundRobin        Assignor = "roundrobin"
	Sticky            Assignor = "sticky"
	CooperativeSticky Assignor = "cooperative-sticky"
)

// Assignors are all assignors, in the order in which they are shown.
var Assignors = []Assignor{Range, RoundRobin, Sticky, CooperativeSticky}

// NeverAssigned is the generation of a member that has never been assigned.
const NeverAssigned int32 = -1

// Member is a member of a group, with what it reports when it joins.
type Member struct {
	ID         string
	InstanceID string                 // of a static member (KIP-345), else ""
	Topics     []string               // that it subscribes to; they need not exist
	Owned      []state.TopicPartition // that it has from its last assignment
	Generation int32                  // of that assignment; NeverAssigned where there was none
}

// Assignment has each member's partitions, by topic and number.
type Assignment map[string][]state.TopicPartition

// Result is where a rebalance ends.
type Result struct {
	// Assignment is what everybody has in the end; for cooperative-sticky after
	// the rebalances that follow by themselves.
	Assignment Assignment
	// Of cooperative-sticky alone: what the first rebalance was after, what it
	// handed out (a partition that changes hands is in nobody's list until its
	// owner has given it up), what members had to give up, and the number of
	// rebalances until nobody has to give up anything.
	Target, FirstRound, Revoked Assignment
	Rounds                      int
}

// Assign gives the partitions of topics (name to number of partitions) to
// members as an assignor does. The error tells of an assignor that is none, of
// a member that is there twice, and of a topic without partitions.
func Assign(a Assignor, topics map[string]int32, members []Member) (*Result, error) {
	g, err := newGroup(topics, members)
	if err != nil {
		return nil, err
	}
	switch a {
	case Range:
		return &Result{Assignment: g.assignment(g.rangeAssign())}, nil
	case RoundRobin:
		return &Result{Assignment: g.assignment(g.roundRobin())}, nil
	case Sticky:
		owners, _ := g.sticky()
		return &Result{Assignment: g.assignment(owners)}, nil
	case CooperativeSticky:
		return g.cooperative(), nil
	}
	return nil, fmt.Errorf("there is no assignor %q; Kafka has %v", a, Assignors)
}

// nobody is the owner of a partition that no member has.
const nobody = -1

// group is a group on indices: members by id, subscribed topics that exist by
// name, their partitions in one row.
type group struct {
	members    []Member
	topics     []string
	first      []int    // by topic: its first partition in the row; one more entry at the end
	topicOf    []int    // by partition
	subscribes [][]bool // [member][topic]
	readers    [][]int  // by topic: its subscribers, ascending
	owned      [][]int  // by member: what it reports, in its order, as far as it exists
}

func newGroup(topics map[string]int32, members []Member) (*group, error) {
	g := &group{members: slices.Clone(members)}
	slices.SortFunc(g.members, func(a, b Member) int { return cmp.Compare(a.ID, b.ID) })
	for i := 1; i < len(g.members); i++ {
		if g.members[i].ID == g.members[i-1].ID {
			return nil, fmt.Errorf("the member %q is in the group twice", g.members[i].ID)
		}
	}
	if err := g.lay(topics); err != nil {
		return nil, err
	}
	g.subscribe()
	for m := range g.members {
		g.owned = append(g.owned, g.indices(g.members[m].Owned))
	}
	return g, nil
}

// lay puts the partitions of subscribed topics that exist into a row.
func (g *group) lay(topics map[string]int32) error {
	for _, m := range g.members {
		for _, name := range m.Topics {
			if n, exists := topics[name]; exists && n < 1 {
				return fmt.Errorf("the topic %q has %d partitions", name, n)
			} else if exists {
				g.topics = append(g.topics, name)
			}
		}
	}
	slices.Sort(g.topics)
	g.topics = slices.Compact(g.topics)
	g.first = []int{0}
	for t, name := range g.topics {
		for range topics[name] {
			g.topicOf = append(g.topicOf, t)
		}
		g.first = append(g.first, len(g.topicOf))
	}
	return nil
}

func (g *group) subscribe() {
	g.readers = make([][]int, len(g.topics))
	for m := range g.members {
		row := make([]bool, len(g.topics))
		for _, name := range g.members[m].Topics {
			if t, ok := slices.BinarySearch(g.topics, name); ok && !row[t] {
				row[t] = true
				g.readers[t] = append(g.readers[t], m)
			}
		}
		g.subscribes = append(g.subscribes, row)
	}
}

// indices gives the partitions of a list that exist.
func (g *group) indices(list []state.TopicPartition) (out []int) {
	for _, tp := range list {
		t, ok := slices.BinarySearch(g.topics, tp.Topic)
		if ok && tp.Partition >= 0 && int(tp.Partition) < g.first[t+1]-g.first[t] {
			out = append(out, g.first[t]+int(tp.Partition))
		}
	}
	return out
}

// number is a partition's number within its topic.
func (g *group) number(p int) int { return p - g.first[g.topicOf[p]] }

// unowned is a row of owners in which nobody owns anything.
func (g *group) unowned() []int {
	owners := make([]int, len(g.topicOf))
	for p := range owners {
		owners[p] = nobody
	}
	return owners
}

// assignment turns a row of owners into what each member has.
func (g *group) assignment(owners []int) Assignment {
	out := Assignment{}
	for _, m := range g.members {
		out[m.ID] = nil
	}
	for p, m := range owners {
		if m != nobody {
			id := g.members[m].ID
			out[id] = append(out[id], state.TopicPartition{Topic: g.topics[g.topicOf[p]], Partition: int32(g.number(p))})
		}
	}
	return out
}
