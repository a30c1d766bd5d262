package consumer

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/state"
)

func tps(topic string, numbers ...int32) (out []state.TopicPartition) {
	for _, n := range numbers {
		out = append(out, state.TopicPartition{Topic: topic, Partition: n})
	}
	return out
}

func two(topics ...string) *state.Group {
	return &state.Group{Members: []state.GroupMember{
		{ID: "a", Topics: topics, Assigned: tps("t", 0, 1)},
		{ID: "b", Topics: topics, Assigned: tps("t", 2, 3)},
	}}
}

// From 4 to 6 partitions range moves partition 2, by 0-2 and 3-5.
func TestAGrowthIsForeseen(t *testing.T) {
	f, err := Foresee(Range, map[string]int32{"t": 6}, two("t"))
	if err != nil {
		t.Fatal(err)
	}
	want := &Forecast{
		Assignor: Range, Moved: tps("t", 2), Added: tps("t", 4, 5), Rebalances: 1,
		Before: Spread{Partitions: 4, Least: 2, Most: 2}, After: Spread{Partitions: 6, Least: 3, Most: 3},
		Changes: []Change{
			{Member: "a", Before: tps("t", 0, 1), After: tps("t", 0, 1, 2), Gained: tps("t", 2)},
			{Member: "b", Before: tps("t", 2, 3), After: tps("t", 3, 4, 5), Gained: tps("t", 4, 5), Lost: tps("t", 2)},
		},
	}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Error(diff)
	}
}

func TestWhatOfATopicThatIsDeletedGoesDoesNotChangeHands(t *testing.T) {
	for _, a := range Assignors {
		f, err := Foresee(a, map[string]int32{}, two("t"))
		if err != nil || len(f.Moved) > 0 || len(f.Gone) != 4 || f.After.Idle != 2 {
			t.Errorf("%s: %+v %v", a, f, err)
		}
	}
}

func TestStickyOnesMoveNothingWhereATopicGrows(t *testing.T) {
	for _, a := range []Assignor{Sticky, CooperativeSticky} {
		f, err := Foresee(a, map[string]int32{"t": 6}, two("t"))
		if err != nil || len(f.Moved) > 0 || f.After.Least != 3 || f.Rebalances != 1 {
			t.Errorf("%s: %+v %v", a, f, err)
		}
	}
}

func TestRacksAreLookedAtWhereTheyMakeADifference(t *testing.T) {
	cluster := func(replicas ...[]state.BrokerID) *state.Snapshot {
		s := &state.Snapshot{Brokers: []state.Broker{{ID: 1, Rack: "r1"}, {ID: 2, Rack: "r2"}}, Topics: []state.Topic{{Name: "t"}}}
		for i, r := range replicas {
			s.Topics[0].Partitions = append(s.Topics[0].Partitions, state.Partition{ID: int32(i), Replicas: r})
		}
		return s
	}
	everywhere, apart := cluster([]state.BrokerID{1, 2}, []state.BrokerID{2, 1}), cluster([]state.BrokerID{1}, []state.BrokerID{2})
	for _, c := range []struct {
		what     string
		assignor Assignor
		rack     string
		cluster  *state.Snapshot
		want     bool
	}{
		{"no member tells its rack", Range, "", apart, false},
		{"partitions are in one rack each", Range, "r1", apart, true},
		{"partitions are in one rack each", CooperativeSticky, "r1", apart, true},
		{"roundrobin never does", RoundRobin, "r1", apart, false},
		{"every partition is in every rack", Sticky, "r1", everywhere, false},
		{"the member is in another rack", Sticky, "r9", apart, false},
	} {
		g := two("t", "gone")
		g.Members[0].Rack = c.rack
		if got := LooksAtRacks(c.assignor, g, c.cluster); got != c.want {
			t.Errorf("%s, %s: %v", c.what, c.assignor, got)
		}
	}
}
