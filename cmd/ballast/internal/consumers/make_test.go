package consumers

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"ballast/planner"
	"ballast/planner/consumer"
	"ballast/state"
)

// cluster has a topic of some partitions, each with its one replica.
func cluster(topic string, replicas ...state.BrokerID) *state.Snapshot {
	s := &state.Snapshot{ClusterID: "c", Brokers: []state.Broker{{ID: 1, Rack: "r1"}, {ID: 2, Rack: "r2"}}, Topics: []state.Topic{{Name: topic}}}
	for i, id := range replicas {
		s.Topics[0].Partitions = append(s.Topics[0].Partitions, state.Partition{ID: int32(i), Replicas: []state.BrokerID{id}})
	}
	return s
}

// group has two members that read a topic of two partitions.
func group(change func(*state.Group)) state.Group {
	g := state.Group{GroupListing: state.GroupListing{Name: "g", Type: state.ClassicGroup, ProtocolType: "consumer", State: state.GroupStable}, Assignor: "range",
		Members: []state.GroupMember{
			{ID: "a", Topics: []string{"t"}, Assigned: []state.TopicPartition{{Topic: "t", Partition: 0}}},
			{ID: "b", Topics: []string{"t"}, Assigned: []state.TopicPartition{{Topic: "t", Partition: 1}}},
		}}
	change(&g)
	return g
}

func made(g state.Group, err error, assignors ...consumer.Assignor) Group {
	s := cluster("t", 1, 2)
	return Make(&Reading{Before: s, After: s, Groups: []state.Group{g}, Errors: []error{err}, Assignors: assignors}).Groups[0]
}

func TestWhatCannotBeForeseenIsSaid(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*state.Group)
		asked  []consumer.Assignor
		want   string
	}{
		{"no members", func(g *state.Group) { g.Members, g.State = nil, state.GroupEmpty }, nil, "no members now"},
		{"rebalancing", func(g *state.Group) { g.State, g.Assignor = "PreparingRebalance", "" }, nil, "rebalancing now (PreparingRebalance)"},
		{"Kafka Connect", func(g *state.Group) { g.ProtocolType = "connect" }, nil, "not consumers: they speak the protocol \"connect\""},
		{"a share group", func(g *state.Group) { g.Type = state.ShareGroup }, nil, "share group"},
		{"the coordinator assigns", func(g *state.Group) { g.Type, g.Assignor = state.ConsumerGroup, "uniform" }, nil, "The coordinator assigns (KIP-848, assignor \"uniform\")"},
		{"an assignor of somebody's", func(g *state.Group) { g.Assignor = "stream" }, nil, "none of Kafka's four"},
		{"words that cannot be read", func(g *state.Group) { g.Members[1].Malformed = "its subscription of 3 bytes is not one of consumers'" }, nil, "Of the member \"b\" its subscription"},
		{"racks", func(g *state.Group) { g.Members[0].Rack = "r1" }, nil, "range then looks at racks (KIP-881)"},
		{"a pattern", func(g *state.Group) { g.Type, g.Members[0].Pattern = state.ConsumerGroup, "t.*" }, []consumer.Assignor{consumer.Sticky}, "by a pattern that the coordinator resolves"},
	} {
		g := made(group(c.change), nil, c.asked...)
		if len(g.Forecasts) > 0 || len(g.Notes) != 1 || !strings.Contains(g.Notes[0], c.want) {
			t.Errorf("%s: %+v", c.name, g)
		}
	}
}

func TestAGroupThatHasNotHeardOfNewPartitionsIsBehind(t *testing.T) {
	same := func(*state.Group) {}
	for _, c := range []struct {
		name   string
		s      *state.Snapshot
		change func(*state.Group)
		want   bool
	}{
		{"all is read", cluster("t", 1, 2), same, false},
		{"one more", cluster("t", 1, 2, 1), same, true},
		{"a topic that nobody reads", cluster("u", 1, 2, 1), same, false},
		{"while it rebalances", cluster("t", 1, 2, 1), func(g *state.Group) { g.State = "PreparingRebalance" }, false},
	} {
		if g := group(c.change); Behind(&g, c.s) != c.want {
			t.Errorf("%s: it is said not to be %t", c.name, c.want)
		}
	}
}

func TestACoordinatorsGroupIsForeseenWhereAnAssignorIsAsked(t *testing.T) {
	g := made(group(func(g *state.Group) { g.Type, g.Assignor = state.ConsumerGroup, "uniform" }), nil, consumer.Sticky)
	if len(g.Forecasts) != 1 || g.Forecasts[0].Own || len(g.Forecasts[0].Moved) > 0 {
		t.Errorf("%+v", g)
	}
}

func TestAGroupThatCouldNotBeReadHasItsErrorAlone(t *testing.T) {
	g := made(group(func(*state.Group) {}), errors.New("may not"))
	if g.Error != "may not" || len(g.Members) > 0 || g.Now != nil {
		t.Errorf("%+v", g)
	}
}

func TestAPlanCreatesGrowsAndDeletes(t *testing.T) {
	one := []state.BrokerID{1}
	before := cluster("grows", 1)
	before.Topics = append([]state.Topic{{Name: "goes", Partitions: make([]state.Partition, 2)}}, before.Topics...)
	after := After(before, &planner.Plan{Changes: []planner.Change{
		{Topic: "comes", Action: planner.Create, Assignments: []planner.Assignment{{Partition: 0, After: one}, {Partition: 1, After: one}}},
		{Topic: "goes", Action: planner.Delete},
		{Topic: "grows", Action: planner.Update, Assignments: []planner.Assignment{{Partition: 0, After: []state.BrokerID{2}}, {Partition: 2, After: one}, {Partition: 1, After: one}}},
	}})
	got, _ := json.Marshal(Resized(before, after))
	if want := `[{"topic":"comes","before":0,"after":2},{"topic":"goes","before":2,"after":0},{"topic":"grows","before":1,"after":3}]`; string(got) != want {
		t.Errorf("%s", got)
	}
	if len(before.Topics[1].Partitions) != 1 || before.Topics[1].Partitions[0].Replicas[0] != 1 {
		t.Errorf("the snapshot was changed: %+v", before.Topics[1])
	}
}

func TestTopicsThatMembersNameAndThatAreNotThereAreSaid(t *testing.T) {
	g := made(group(func(g *state.Group) {
		g.Members[0].Topics = []string{"gone", "t"}
		g.Members[1].Assigned = nil
	}), nil)
	if len(g.Missing) != 1 || g.Missing[0] != "gone" || len(g.Unassigned) != 1 || g.Unassigned[0].Partition != 1 || len(g.Forecasts) != 1 {
		t.Errorf("%+v", g)
	}
}
