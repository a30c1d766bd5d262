package consumer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ballast/state"
)

func TestAssignRefuses(t *testing.T) {
	for _, c := range []struct {
		name     string
		assignor Assignor
		topics   map[string]int32
		members  []Member
		want     string
	}{
		{"an assignor that is none", "fair", nil, nil, `there is no assignor "fair"; Kafka has [range`},
		{"a member twice", Range, nil, []Member{{ID: "a"}, {ID: "a"}}, `the member "a" is in the group twice`},
		{"a topic without partitions", Range, map[string]int32{"t": 0}, []Member{{ID: "a", Topics: []string{"t"}}}, `the topic "t" has 0 partitions`},
	} {
		if _, err := Assign(c.assignor, c.topics, c.members); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestAnEmptyGroupHasNothing(t *testing.T) {
	for _, a := range Assignors {
		r, err := Assign(a, map[string]int32{"t": 3}, nil)
		if err != nil || len(r.Assignment) != 0 {
			t.Errorf("%s: %v %v", a, r, err)
		}
	}
}

// Whatever members subscribe to and claim: each partition of a topic that
// somebody reads has one reader, who subscribes to it; and where all subscribe
// alike, sticky ones have floor or ceil of an even share.
func TestEveryPartitionHasOneReaderWhoSubscribes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		topics, members := drawGroup(t)
		for _, a := range Assignors {
			r, err := Assign(a, topics, members)
			if err != nil {
				t.Fatal(err)
			}
			checkReaders(t, a, topics, members, r.Assignment)
		}
	})
}

func drawGroup(t *rapid.T) (map[string]int32, []Member) {
	topics, names := map[string]int32{}, []string{"gone"}
	for i := range rapid.IntRange(1, 4).Draw(t, "topics") {
		name := fmt.Sprintf("t%d", i)
		topics[name] = rapid.Int32Range(1, 7).Draw(t, "partitions")
		names = append(names, name)
	}
	alike := rapid.Bool().Draw(t, "alike")
	var members []Member
	for i := range rapid.IntRange(1, 5).Draw(t, "members") {
		m := Member{ID: fmt.Sprintf("m%d", i), Generation: rapid.Int32Range(-1, 2).Draw(t, "generation"), Topics: names}
		if !alike {
			m.Topics = rapid.SliceOfDistinct(rapid.SampledFrom(names), rapid.ID).Draw(t, "subscribes")
		}
		for _, name := range names {
			for p := range int32(8) {
				if rapid.IntRange(0, 3).Draw(t, "owns") == 0 {
					m.Owned = append(m.Owned, state.TopicPartition{Topic: name, Partition: p})
				}
			}
		}
		members = append(members, m)
	}
	return topics, members
}

func checkReaders(t *rapid.T, a Assignor, topics map[string]int32, members []Member, got Assignment) {
	read := map[string]bool{}
	subscribes := map[string]map[string]bool{}
	for _, m := range members {
		subscribes[m.ID] = map[string]bool{}
		for _, name := range m.Topics {
			subscribes[m.ID][name] = true
			read[name] = true
		}
	}
	want, readers := 0, map[state.TopicPartition]string{}
	for name, n := range topics {
		if read[name] {
			want += int(n)
		}
	}
	for id, list := range got {
		for _, tp := range list {
			if other, taken := readers[tp]; taken || !subscribes[id][tp.Topic] || tp.Partition >= topics[tp.Topic] {
				t.Fatalf("%s: %s has %v, %s too", a, id, tp, other)
			}
			readers[tp] = id
		}
	}
	if len(readers) != want {
		t.Fatalf("%s: %d of %d partitions are read", a, len(readers), want)
	}
}

func TestOrderOfMembersMeansNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		topics, members := drawGroup(t)
		shuffled := rapid.Permutation(members).Draw(t, "shuffled")
		for _, a := range Assignors {
			first, _ := Assign(a, topics, members)
			second, _ := Assign(a, topics, shuffled)
			if diff := cmp.Diff(first, second); diff != "" {
				t.Fatal(a, diff)
			}
		}
	})
}

func TestCompareTellsWhoGainsAndLoses(t *testing.T) {
	tp := func(p int32) state.TopicPartition { return state.TopicPartition{Topic: "t", Partition: p} }
	got := Compare(Assignment{"a": {tp(1), tp(0)}, "b": {tp(2)}}, Assignment{"a": {tp(0)}, "c": {tp(1), tp(3)}})
	want := []Change{
		{Member: "a", Before: []state.TopicPartition{tp(0), tp(1)}, After: []state.TopicPartition{tp(0)}, Lost: []state.TopicPartition{tp(1)}},
		{Member: "b", Before: []state.TopicPartition{tp(2)}, Lost: []state.TopicPartition{tp(2)}},
		{Member: "c", After: []state.TopicPartition{tp(1), tp(3)}, Gained: []state.TopicPartition{tp(1), tp(3)}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestGrownTakesThePlansCounts(t *testing.T) {
	s := &state.Snapshot{Topics: []state.Topic{{Name: "a", Partitions: make([]state.Partition, 2)}, {Name: "b", Partitions: make([]state.Partition, 3)}}}
	got := Grown(s, map[string]int32{"b": 5, "c": 1})
	if diff := cmp.Diff(map[string]int32{"a": 2, "b": 5, "c": 1}, got); diff != "" {
		t.Error(diff)
	}
}
