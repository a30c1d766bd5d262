package placement

import (
	"testing"

	"pgregory.net/rapid"
)

// bytesSpread is the sum of squares of bytes by broker.
func bytesSpread(p *Problem, s *Solution) (sum float64) {
	bytes := make([]float64, len(p.Brokers))
	for t, topic := range s.Topics {
		for i, list := range topic.Replicas {
			for _, b := range list {
				bytes[b] += float64(max(0, p.Topics[t].Partitions[i].Size))
			}
		}
	}
	for b, x := range bytes {
		sum += x * x / float64(p.Brokers[b].Weight)
	}
	return sum
}

// withBytes is p with every topic balanced by bytes or by count.
func withBytes(p *Problem, by bool) *Problem {
	out := *p
	out.Topics = append([]Topic{}, p.Topics...)
	for t := range out.Topics {
		out.Topics[t].ByBytes = by
	}
	return &out
}

func TestBytesAreEvenerAndNothingMoreIsCopied(t *testing.T) {
	p := scenario{topics: 10, partitions: 27, rf: 3, racks: []int{4, 4, 4}, idle: 1, balance: BalanceCluster}.problem()
	count, bytes := Solve(withBytes(p, false)), Solve(withBytes(p, true))
	if count.Copies != bytes.Copies {
		t.Errorf("%d copies by bytes, %d by count", bytes.Copies, count.Copies)
	}
	if a, b := bytesSpread(p, bytes), bytesSpread(p, count); a > b*0.9 {
		t.Errorf("bytes are uneven by %g, by count they are by %g", a, b)
	}
}

func TestByBytesCopiesAsFew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		for i := range p.Topics {
			// Where some say cluster and some do not, the load of the latter, which
			// bytes may change, comes first.
			p.Topics[i].Balance = p.Topics[0].Balance
		}
		count, bytes := Solve(withBytes(p, false)), Solve(withBytes(p, true))
		if count.Copies != bytes.Copies {
			t.Fatalf("%d copies by bytes, %d by count", bytes.Copies, count.Copies)
		}
	})
}
