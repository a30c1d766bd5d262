package placement

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// permuted is the same problem with brokers and topics in another order.
func permuted(p *Problem, brokers, topics []int16) *Problem {
	out := &Problem{Racks: p.Racks, Brokers: make([]Broker, len(p.Brokers))}
	renamed := func(list []int16) []int16 {
		if list == nil {
			return nil
		}
		names := []int16{}
		for _, b := range list {
			names = append(names, brokers[b])
		}
		return names
	}
	for b, to := range brokers {
		out.Brokers[to] = p.Brokers[b]
	}
	for _, t := range topics {
		topic := p.Topics[t]
		topic.Eligible = renamed(topic.Eligible)
		slices.Sort(topic.Eligible)
		if topic.LeaderRank != nil {
			topic.LeaderRank = make([]int16, len(brokers))
			for b, to := range brokers {
				topic.LeaderRank[to] = p.Topics[t].LeaderRank[b]
			}
		}
		topic.Partitions = slices.Clone(topic.Partitions)
		for i := range topic.Partitions {
			part := &topic.Partitions[i]
			part.Replicas, part.OutOfISR = renamed(part.Replicas), renamed(part.OutOfISR)
			if part.Leader >= 0 {
				part.Leader = brokers[part.Leader]
			}
		}
		out.Topics = append(out.Topics, topic)
	}
	return out
}

// worth is the cost of the replicas that are chosen for a problem.
func worth(p *Problem, joint bool) vec {
	s := newSolver(p)
	m := s.model
	s.replicas()
	b := &brute{model: m}
	return b.value(m.unitAt, joint)
}

// Indices break ties only: under other names of brokers and topics every level of
// the replicas comes out the same.
func TestNamesOfBrokersAndTopicsChangeNoLevel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		for i := range p.Topics {
			p.Topics[i].ByBytes = false
			p.Topics[i].Balance = p.Topics[0].Balance
		}
		brokers := rapid.Permutation(ids(len(p.Brokers))).Draw(t, "brokers")
		topics := rapid.Permutation(ids(len(p.Topics))).Draw(t, "topics")
		other := permuted(p, brokers, topics)
		joint := p.Topics[0].Balance == BalanceCluster
		if a, b := worth(p, joint), worth(other, joint); a != b {
			t.Fatalf("%v, then %v\n%+v", a, b, *p)
		}
		a, b := Solve(p), Solve(other)
		if a.Copies != b.Copies || a.CopiesBound != b.CopiesBound {
			t.Fatalf("%d copies of %d, then %d of %d\n%+v", a.Copies, a.CopiesBound, b.Copies, b.CopiesBound, *p)
		}
		for k, i := range topics {
			if (a.Topics[i].Infeasible == nil) != (b.Topics[k].Infeasible == nil) {
				t.Fatalf("topic %d is infeasible in one order only\n%+v", i, *p)
			}
		}
	})
}
