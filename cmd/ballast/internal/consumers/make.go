package consumers

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ballast/planner/consumer"
	"ballast/state"
)

// Reading is what a document is made from.
type Reading struct {
	Tool          string
	Plan          string // its digest, or ""
	Before, After *state.Snapshot
	Groups        []state.Group
	Errors        []error             // by group
	Assignors     []consumer.Assignor // to foresee; nil: each group's own
	Unread        []state.Unread
}

// Make is the document of a reading.
func Make(r *Reading) *Document {
	d := &Document{
		Format: Format, Version: Version, Tool: r.Tool, ClusterID: r.Before.ClusterID, Plan: r.Plan,
		Topics: listOf(Resized(r.Before, r.After)), Groups: []Group{}, Unread: []Unread{},
	}
	counts := consumer.Grown(r.After, nil)
	for i := range r.Groups {
		if err := r.Errors[i]; err != nil {
			d.Groups = append(d.Groups, failed(r.Groups[i].Name, err))
			continue
		}
		d.Groups = append(d.Groups, r.group(&r.Groups[i], counts))
	}
	slices.SortFunc(d.Groups, func(a, b Group) int { return cmp.Compare(a.Group, b.Group) })
	for _, u := range r.Unread {
		d.Unread = append(d.Unread, Unread(u))
	}
	return d
}

func failed(name string, err error) Group {
	return Group{Group: name, Error: err.Error(), Members: []Member{}, Unassigned: []state.TopicPartition{}, Missing: []string{}, Forecasts: []Forecast{}, Notes: []string{}}
}

func (r *Reading) group(g *state.Group, counts map[string]int32) Group {
	out := Group{
		Group: g.Name, Type: g.Type, ProtocolType: g.ProtocolType, State: g.State, Assignor: g.Assignor,
		Members: []Member{}, Unassigned: []state.TopicPartition{}, Missing: []string{}, Forecasts: []Forecast{}, Notes: []string{},
	}
	for _, m := range inOrder(g.Members) {
		out.Members = append(out.Members, memberOf(&m))
	}
	if why := obstacle(g); why != "" {
		out.Notes = append(out.Notes, why)
		return out
	}
	now := Spread(consumer.SpreadOf(consumer.Present(g)))
	out.Now = &now
	out.Unassigned, out.Missing = unassigned(g, r.Before)
	r.foresee(&out, g, counts)
	return out
}

func memberOf(m *state.GroupMember) Member {
	return Member{ID: m.ID, InstanceID: m.InstanceID, ClientID: m.ClientID, Host: m.Host, Rack: m.Rack, Topics: listOf(m.Topics), Pattern: m.Pattern, Assigned: listOf(m.Assigned)}
}

// foresee adds the forecasts that are asked for, and notes why there is none.
func (r *Reading) foresee(out *Group, g *state.Group, counts map[string]int32) {
	own, why := ownAssignor(g)
	list := r.Assignors
	if list == nil && own == "" {
		out.Notes = append(out.Notes, why)
		return
	}
	if list == nil {
		list = []consumer.Assignor{own}
	}
	for _, a := range list {
		why := unforeseen(a, g, r.After)
		if why == "" {
			f, err := consumer.Foresee(a, counts, g)
			if err == nil {
				out.Forecasts = append(out.Forecasts, forecastOf(f, a == own, out.Members))
				continue
			}
			why = fmt.Sprintf("What %s does cannot be foreseen: %v.", a, err)
		}
		out.Notes = append(out.Notes, why)
	}
	if len(out.Forecasts) > 0 {
		out.Notes = append(out.Notes, r.notes(out, g)...)
	}
}

// notes are what to know of forecasts.
func (r *Reading) notes(out *Group, g *state.Group) (notes []string) {
	if slices.ContainsFunc(out.Forecasts, func(f Forecast) bool { return !f.Own }) {
		notes = append(notes, "Under an assignor that is not the group's own this is what its present members would get, joining with what they have. To change over means restarting them, and a member that is not static joins anew with nothing.")
	}
	if gone := stillNamed(g, Resized(r.Before, r.After)); len(gone) > 0 {
		notes = append(notes, "Members still name topics that the plan deletes: "+strings.Join(gone, ", ")+". Stop or change them first.")
	}
	return notes
}

// stillNamed are the topics that go and that members subscribe to.
func stillNamed(g *state.Group, topics []Topic) (out []string) {
	for _, t := range topics {
		if t.After == 0 && reads(g, t.Topic) {
			out = append(out, t.Topic)
		}
	}
	return out
}

// reads says whether a member subscribes to a topic, or has a partition of it.
func reads(g *state.Group, topic string) bool {
	return slices.ContainsFunc(g.Members, func(m state.GroupMember) bool {
		return slices.Contains(m.Topics, topic) || slices.ContainsFunc(m.Assigned, func(tp state.TopicPartition) bool { return tp.Topic == topic })
	})
}

// Concerned says whether a change of topics may concern a group: a member reads
// one of them, or what members read is not known.
func Concerned(g *state.Group, topics []Topic) bool {
	unknown := slices.ContainsFunc(g.Members, func(m state.GroupMember) bool { return len(m.Topics) == 0 && m.Pattern == "" })
	consumers := g.ProtocolType == state.ConsumerProtocol
	return consumers && unknown || slices.ContainsFunc(topics, func(t Topic) bool { return reads(g, t.Topic) })
}

// Behind says whether members have yet to hear of partitions of a topic that they
// read, so that nobody reads them.
func Behind(g *state.Group, s *state.Snapshot) bool {
	if obstacle(g) != "" {
		return false
	}
	unread, _ := unassigned(g, s)
	return len(unread) > 0
}

// unassigned are the partitions of topics that members subscribe to and that
// nobody has now, and the topics that are not there.
func unassigned(g *state.Group, s *state.Snapshot) (out []state.TopicPartition, missing []string) {
	out, missing = []state.TopicPartition{}, []string{}
	names, had := map[string]bool{}, map[state.TopicPartition]bool{}
	for i := range g.Members {
		for _, name := range g.Members[i].Topics {
			names[name] = true
		}
		for _, tp := range g.Members[i].Assigned {
			had[tp] = true
		}
	}
	for _, name := range sortedNames(names) {
		t := s.Topic(name)
		if t == nil {
			missing = append(missing, name)
			continue
		}
		for p := range int32(len(t.Partitions)) {
			if tp := (state.TopicPartition{Topic: name, Partition: p}); !had[tp] {
				out = append(out, tp)
			}
		}
	}
	return out, missing
}

// inOrder are members in an order that lasts: the id of a static one is another
// after each restart, its instance id is not. Static ones come first, as they do
// for Kafka's assignors.
func inOrder(members []state.GroupMember) []state.GroupMember {
	return slices.SortedStableFunc(slices.Values(members), func(a, b state.GroupMember) int {
		if (a.InstanceID == "") != (b.InstanceID == "") {
			return -cmp.Compare(len(a.InstanceID), len(b.InstanceID))
		}
		return cmp.Or(cmp.Compare(a.InstanceID, b.InstanceID), cmp.Compare(a.ID, b.ID))
	})
}

// forecastOf is a forecast with its members in the order of the group's.
func forecastOf(f *consumer.Forecast, own bool, members []Member) Forecast {
	out := Forecast{
		Assignor: string(f.Assignor), Own: own, Rebalances: f.Rebalances, After: Spread(f.After),
		Moved: listOf(f.Moved), Added: listOf(f.Added), Gone: listOf(f.Gone), Members: []Change{},
	}
	of := map[string]*consumer.Change{}
	for i := range f.Changes {
		of[f.Changes[i].Member] = &f.Changes[i]
	}
	for _, m := range members {
		if c := of[m.ID]; c != nil {
			out.Members = append(out.Members, Change{ID: c.Member, Before: listOf(c.Before), After: listOf(c.After), Gained: listOf(c.Gained), Lost: listOf(c.Lost)})
		}
	}
	return out
}

func sortedNames(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }

// listOf is a list as documents have it, never nil.
func listOf[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
