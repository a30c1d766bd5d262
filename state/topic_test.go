package state

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMinISRIsTheValueInEffectWhereverItComesFrom(t *testing.T) {
	for _, c := range []struct {
		config map[string]ConfigValue
		want   int
		ok     bool
	}{
		{nil, 0, false},
		{map[string]ConfigValue{}, 0, false},
		{map[string]ConfigValue{MinISRConfig: {"2", SourceTopic}}, 2, true},
		{map[string]ConfigValue{MinISRConfig: {"3", SourceCluster}}, 3, true},
		{map[string]ConfigValue{MinISRConfig: {"many", SourceTopic}}, 0, false},
	} {
		topic := Topic{Config: c.config}
		if got, ok := topic.MinISR(); got != c.want || ok != c.ok {
			t.Errorf("%v: %d %v", c.config, got, ok)
		}
	}
}

func TestTopicSizeIsUnknownWhereOnePartitionIs(t *testing.T) {
	topic := Topic{Partitions: []Partition{{Size: KnownSize(3)}, {Size: KnownSize(4)}}}
	if got := topic.Size(); got != KnownSize(7) {
		t.Error(got)
	}
	topic.Partitions[1].Size = Size{}
	if got := topic.Size(); got.Known {
		t.Error(got)
	}
}

func TestLoadsCountUnregisteredBrokersToo(t *testing.T) {
	s := &Snapshot{
		Brokers: []Broker{{ID: 1}, {ID: 2}, {ID: 3}},
		Topics: []Topic{{Name: "t", Partitions: []Partition{
			{ID: 0, Replicas: []BrokerID{1, 2}, ISR: []BrokerID{2}, Leader: 2, Size: KnownSize(5)},
			{ID: 1, Replicas: []BrokerID{9, 1}, Leader: NoLeader},
			{ID: 2, Replicas: []BrokerID{1, 2}, Leader: 1, Removing: []BrokerID{1}, Size: KnownSize(1)},
		}}},
	}
	want := []BrokerLoad{
		{ID: 1, Replicas: 3, Leaders: 1, Preferred: 1, Bytes: 6, Unsized: 1},
		{ID: 2, Replicas: 2, Leaders: 1, Preferred: 1, Bytes: 6},
		{ID: 3},
		{ID: 9, Replicas: 1, Preferred: 1, Unsized: 1},
	}
	if diff := cmp.Diff(want, s.Loads()); diff != "" {
		t.Error(diff)
	}
}

func TestSizesThatNoClusterHoldsAreRefused(t *testing.T) {
	huge := KnownSize(math.MaxInt64)
	s := &Snapshot{Topics: []Topic{{Name: "t", Partitions: []Partition{{Replicas: []BrokerID{1}, Leader: 1, Size: huge}}}}}
	if err := s.Normalize(); err == nil {
		t.Error("accepted")
	}
}

func TestNormalizeWritesNothingWhereAllIsInOrder(t *testing.T) {
	s, _ := decode(t, small)
	done := make(chan error)
	for range 4 { // the race detector tells of a write
		go func() { done <- s.Normalize() }()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestTargetOfListsThatDoNotFit(t *testing.T) {
	p := Partition{Replicas: []BrokerID{1, 2}, Removing: []BrokerID{2, 7, 8}}
	if got := p.Target(); len(got) != 1 || got[0] != 1 {
		t.Errorf("%v, want [1]", got)
	}
}
