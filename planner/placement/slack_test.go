package placement

import (
	"slices"
	"testing"
)

// Where racks, eligible brokers or a preference leave replicas a choice, the plan
// is still proved down to the fewest copies and changes of leader.
func TestClustersWithAChoiceAreProved(t *testing.T) {
	base := scenario{topics: 60, partitions: 20, rf: 3, racks: []int{10, 10, 10}, idle: 1, balance: BalanceCluster, leaders: BalanceCluster}
	unequal, two, drained := base, base, base
	unequal.racks, unequal.random = []int{12, 9, 6, 3}, true
	two.rf = 2
	drained.racks, drained.idle, drained.drain = []int{11, 10, 9}, 0, 2
	for name, p := range map[string]*Problem{
		"racks of unequal size": unequal.problem(), "RF 2 over three racks": two.problem(), "drained": drained.problem(),
		"half of the topics on three quarters of the brokers": halves(base.problem()),
		"weights": weighted(base.problem()), "leaders in one rack": ranked(base.problem()),
	} {
		s := Solve(p)
		if s.Copies != s.CopiesBound || s.LeaderMoves != s.LeaderMovesBound {
			t.Errorf("%s: %d copies, at least %d; %d changes of leader, at least %d; %s", name, s.Copies, s.CopiesBound, s.LeaderMoves, s.LeaderMovesBound, s.Exhausted)
		}
		t.Logf("%s: %d copies, %d changes of leader %s", name, s.Copies, s.LeaderMoves, s.Exhausted)
	}
}

// halves keeps every other topic off every fourth broker.
func halves(p *Problem) *Problem {
	for i := range p.Topics {
		if i%2 == 0 {
			p.Topics[i].Eligible = slices.DeleteFunc(slices.Clone(p.Topics[i].Eligible), func(b int16) bool { return b%4 == 0 })
		}
	}
	return p
}

// weighted gives brokers weights of 1 to 3.
func weighted(p *Problem) *Problem {
	for b := range p.Brokers {
		p.Brokers[b].Weight = int64(1 + b%3)
	}
	return p
}

// ranked wants leaders in the first rack.
func ranked(p *Problem) *Problem {
	rank := make([]int16, len(p.Brokers))
	for b := range rank {
		rank[b] = min(1, p.Brokers[b].Rack)
	}
	for i := range p.Topics {
		p.Topics[i].LeaderRank, p.Topics[i].NumLeaderRanks = rank, 1
	}
	return p
}

// One topic with very many partitions is levelled like a cluster, not move by
// move, which would take minutes.
func TestLargeTopicsAreProved(t *testing.T) {
	for _, racks := range [][]int{{10, 10, 10}, {4, 1, 1}} {
		p := scenario{topics: 2, partitions: 20_000, rf: 2, racks: racks, idle: racks[2] / 10, random: true, balance: BalanceTopic, leaders: BalanceTopic}.problem()
		s := Solve(p)
		if s.Copies != s.CopiesBound || s.LeaderMoves != s.LeaderMovesBound {
			t.Errorf("racks of %v: %d copies, at least %d; %d changes of leader, at least %d; %s", racks, s.Copies, s.CopiesBound, s.LeaderMoves, s.LeaderMovesBound, s.Exhausted)
		}
	}
}
