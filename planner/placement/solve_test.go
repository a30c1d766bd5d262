package placement

import (
	"reflect"
	"slices"
	"testing"
)

// cluster has n brokers in racks, broker b in rack b % racks.
func cluster(n, racks int) *Problem {
	p := &Problem{Racks: racks}
	for b := range n {
		p.Brokers = append(p.Brokers, Broker{Rack: int16(b % racks), Alive: true, Weight: 1})
	}
	return p
}

// topic has these lists, all in sync, and new partitions up to n, on all
// brokers of p that may hold any.
func topic(p *Problem, rf, n int, lists ...[]int16) Topic {
	t := Topic{Spread: SpreadEven}
	for b, broker := range p.Brokers {
		if broker.Alive && !broker.Drains {
			t.Eligible = append(t.Eligible, int16(b))
		}
	}
	for i := range n {
		part := Partition{RF: int16(rf), Leader: -1, Size: -1}
		if i < len(lists) {
			part.Replicas = lists[i]
			for _, b := range lists[i] {
				if p.Brokers[b].Alive && part.Leader < 0 {
					part.Leader = b
				}
			}
		}
		t.Partitions = append(t.Partitions, part)
	}
	return t
}

func TestOnePartitionTooWideLosesTheReplicaThatEvensOut(t *testing.T) {
	p := cluster(4, 1)
	p.Topics = []Topic{topic(p, 3, 4, []int16{0, 1, 2, 3}, []int16{1, 2, 3}, []int16{2, 3, 0}, []int16{3, 0, 1})}
	got := Solve(p).Topics[0].Replicas
	want := [][]int16{{0, 1, 2}, {1, 2, 3}, {2, 3, 0}, {3, 0, 1}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestNewPartitionsGoToUnusedBrokers(t *testing.T) {
	p := cluster(5, 1)
	p.Topics = []Topic{topic(p, 1, 5, []int16{0}, []int16{2}, []int16{3})}
	got := Solve(p).Topics[0].Replicas
	want := [][]int16{{0}, {2}, {3}, {1}, {4}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestPartitionsAddedOneByOneEndWithALeaderEach(t *testing.T) {
	p := cluster(6, 3)
	lists := [][]int16{{0, 1}, {1, 2}, {2, 0}}
	for n := 4; n <= 6; n++ {
		p.Topics = []Topic{topic(p, 2, n, lists...)}
		lists = Solve(p).Topics[0].Replicas
	}
	leaders, load := make([]int, 6), make([]int, 6)
	for _, l := range lists {
		leaders[l[0]]++
		for _, b := range l {
			load[b]++
		}
	}
	if !slices.Equal(leaders, []int{1, 1, 1, 1, 1, 1}) || !slices.Equal(load, []int{2, 2, 2, 2, 2, 2}) {
		t.Errorf("leaders %v, replicas %v of %v", leaders, load, lists)
	}
}

func TestTheFirstOfTheListLeadsOnThoughAnotherLeadsNow(t *testing.T) {
	p := cluster(6, 3)
	p.Topics = []Topic{topic(p, 3, 1, []int16{0, 1})}
	p.Topics[0].Partitions[0].Leader = 1
	if got := Solve(p).Topics[0].Replicas[0]; !slices.Equal(got[:2], []int16{0, 1}) {
		t.Errorf("got %v, want 0 and 1 first", got)
	}
}

func TestADeadReplicaStaysAndIsTheFirstToGo(t *testing.T) {
	p := cluster(6, 3)
	p.Brokers[0].Alive = false
	p.Topics = []Topic{topic(p, 3, 1, []int16{0, 1, 2})}
	if got := Solve(p).Topics[0].Replicas[0]; !slices.Equal(got, []int16{0, 1, 2}) {
		t.Errorf("a dead replica did not stay: %v", got)
	}
	p.Topics = []Topic{topic(p, 2, 1, []int16{0, 1, 2})}
	if got := Solve(p).Topics[0].Replicas[0]; !slices.Equal(got, []int16{1, 2}) {
		t.Errorf("a dead replica is not the first to go: %v", got)
	}
}

func TestAnEmptyClusterIsAnError(t *testing.T) {
	p := &Problem{Topics: []Topic{{Partitions: []Partition{{RF: 1, Leader: -1}}}}}
	s := Solve(p)
	if bad := s.Topics[0].Infeasible; bad == nil || bad.Rule != RuleEnoughBrokers || s.Topics[0].Replicas[0] != nil {
		t.Errorf("got %+v", s.Topics[0])
	}
}
