package placement

import (
	"math/rand/v2"
	"testing"
)

// wide is one topic of n partitions with very many replicas each, on the first
// two thirds of the brokers.
func wide(brokers, rf, n int) *Problem {
	p := cluster(brokers, 3)
	rng := rand.New(rand.NewPCG(1, 1))
	var lists [][]int16
	for range n {
		var list []int16
		for _, b := range rng.Perm(brokers * 2 / 3)[:rf] {
			list = append(list, int16(b))
		}
		lists = append(lists, list)
	}
	t := topic(p, rf, n, lists...)
	t.Spread, t.Balance = SpreadNone, BalanceTopic
	p.Topics = []Topic{t}
	return p
}

// Work is counted where it arises: in looking through long lists of replicas, and
// in offering replicas to many racks and places for a leader. Without that these
// ran for minutes.
func TestSearchEndsWhereReplicasAreMany(t *testing.T) {
	s := Solve(wide(240, 120, 20))
	for i, list := range s.Topics[0].Replicas {
		if len(list) != 120 {
			t.Errorf("partition %d has %d replicas", i, len(list))
		}
	}
}

func TestSearchEndsWherePlacesForLeadersAreMany(t *testing.T) {
	p := cluster(300, 3)
	rng := rand.New(rand.NewPCG(1, 1))
	for range 40 {
		var lists [][]int16
		for range 200 {
			b := rng.Perm(300)
			lists = append(lists, []int16{int16(b[0]), int16(b[1]), int16(b[2])})
		}
		t := topic(p, 3, 200, lists...)
		for _, r := range rng.Perm(300) {
			t.LeaderRank = append(t.LeaderRank, int16(r))
		}
		t.NumLeaderRanks, t.LeaderRequired = 300, true
		p.Topics = append(p.Topics, t)
	}
	if s := Solve(p); s.Copies != s.CopiesBound || s.Exhausted == "" {
		t.Errorf("%d copies, at least %d; not proved: %q", s.Copies, s.CopiesBound, s.Exhausted)
	}
}

// A topic with a replica on every broker leaves no choice. Its replicas hid those of
// others that may move behind them, and the search looked through all of them.
func TestReplicasThatAreEverywhereAreNotSearched(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	p := &Problem{Racks: 1, Budget: defaultBudget / 32}
	for range 38 {
		p.Brokers = append(p.Brokers, Broker{Alive: true, Weight: 1})
	}
	add := func(n, before, rf int) {
		topic := Topic{Eligible: ids(38), Spread: SpreadNone, Balance: BalanceCluster}
		for range n {
			part := Partition{RF: int16(rf), Leader: -1, Size: 1 + rng.Int64N(50)}
			for _, b := range rng.Perm(38)[:before] {
				part.Replicas = append(part.Replicas, int16(b))
			}
			topic.Partitions = append(topic.Partitions, part)
		}
		p.Topics = append(p.Topics, topic)
	}
	add(124, 0, 38)
	add(286, 1, 3)
	add(87, 2, 3)
	if s := Solve(p); s.Exhausted != "" {
		t.Error(s.Exhausted)
	}
}
