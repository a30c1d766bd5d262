package placement

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// after is the problem once a solution has been carried out.
func after(p *Problem, s *Solution) *Problem {
	out := *p
	out.Topics = slices.Clone(p.Topics)
	for t := range out.Topics {
		parts := slices.Clone(out.Topics[t].Partitions)
		for i := range parts {
			list := s.Topics[t].Replicas[i]
			parts[i].Replicas, parts[i].OutOfISR, parts[i].Leader = list, nil, -1
			for _, b := range list {
				if !p.Brokers[b].Alive {
					parts[i].OutOfISR = append(parts[i].OutOfISR, b)
				} else if parts[i].Leader < 0 {
					parts[i].Leader = b
				}
			}
		}
		out.Topics[t].Partitions = parts
	}
	return &out
}

// lists are all lists of a solution.
func lists(s *Solution) [][][]int16 {
	var out [][][]int16
	for _, t := range s.Topics {
		out = append(out, t.Replicas)
	}
	return out
}

func TestASecondSolutionChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		first := Solve(p)
		second := Solve(after(p, first))
		if !reflect.DeepEqual(lists(first), lists(second)) {
			t.Fatalf("%v, then %v\n%+v", lists(first), lists(second), *p)
		}
		if second.Copies != 0 || second.LeaderMoves != 0 {
			t.Fatalf("%d copies, %d leaders", second.Copies, second.LeaderMoves)
		}
	})
}

func TestTheProblemIsNotChangedAndTheAnswerIsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		copied := after(p, &Solution{Topics: current(p)})
		for i := range copied.Topics {
			copied.Topics[i].Partitions = slices.Clone(p.Topics[i].Partitions)
		}
		a, b := Solve(p), Solve(copied)
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("%+v, then %+v", a, b)
		}
	})
}

// current has the lists as they are.
func current(p *Problem) []TopicSolution {
	out := make([]TopicSolution, len(p.Topics))
	for t := range p.Topics {
		for _, part := range p.Topics[t].Partitions {
			out[t].Replicas = append(out[t].Replicas, part.Replicas)
		}
	}
	return out
}

func TestMoreReplicasAndFewerAgainCopyNothingBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		for i := range p.Topics {
			p.Topics[i].Balance, p.Topics[i].LeaderBalance = Keep, Keep
		}
		start := after(p, Solve(p))
		raised := withRF(start, 1)
		more := after(raised, Solve(raised))
		lowered := withRF(more, -1)
		if s := Solve(lowered); s.Copies != 0 {
			t.Fatalf("%d copies to lower the replication factor\n%v\n%v\n%v", s.Copies, lists(Solve(p)), lists(Solve(raised)), lists(s))
		}
	})
}

// withRF is a problem with more or fewer replicas where there are any.
func withRF(p *Problem, more int16) *Problem {
	out := *p
	out.Topics = slices.Clone(p.Topics)
	for t := range out.Topics {
		parts := slices.Clone(out.Topics[t].Partitions)
		for i := range parts {
			parts[i].RF += more
		}
		out.Topics[t].Partitions = parts
	}
	return &out
}

func TestBoundsAreBelowWhatIsPlanned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		s := Solve(p)
		if s.CopiesBound > s.Copies || s.LeaderMovesBound > s.LeaderMoves {
			t.Fatalf("%d of %d copies, %d of %d leaders\n%+v", s.Copies, s.CopiesBound, s.LeaderMoves, s.LeaderMovesBound, *p)
		}
		keep := true
		for _, topic := range p.Topics {
			keep = keep && topic.Balance == Keep && !topic.LeaderRequired
		}
		if keep && s.CopiesBound != s.Copies {
			t.Fatalf("%d copies, %d need be\n%+v", s.Copies, s.CopiesBound, *p)
		}
	})
}
