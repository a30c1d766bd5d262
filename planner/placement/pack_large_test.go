package placement

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// manyMoves is the drain of 30 of 300 brokers with 200,000 partitions: 60,000
// copies, read from leaders anywhere.
func manyMoves(n int) PackProblem {
	r := rand.New(rand.NewPCG(1, 1))
	p := PackProblem{Brokers: 300, MaxMovesPerBroker: 5, MaxBatchMoves: 200, MaxBatchBytes: 500 * gb, Headroom: 1.2}
	for i := range n {
		p.Moves = append(p.Moves, PackMove{
			Bytes: heavy(r), Source: int16(r.IntN(300)), Targets: []int16{int16(30 + r.IntN(270))}, Frees: []int16{int16(i % 30)}, Urgency: NotUrgent,
		})
	}
	for range p.Brokers {
		p.Free = append(p.Free, 4000*gb)
	}
	return p
}

func TestPackOfManyMovesIsTight(t *testing.T) {
	p := manyMoves(60_000)
	r := Pack(p)
	ratio := float64(judge(t, p, r)) / float64(r.Bound)
	t.Logf("%d batches, %.3f of the bound", len(r.Batches), ratio)
	if r.Blocked != nil || ratio > 1.15 {
		t.Errorf("%.3f of the bound, blocked %+v", ratio, r.Blocked)
	}
}

func BenchmarkPack(b *testing.B) {
	for _, n := range []int{6_000, 60_000, 200_000} {
		p := manyMoves(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				r := Pack(p)
				sum := int64(0)
				for _, t := range r.BatchBytes {
					sum += t
				}
				b.ReportMetric(float64(sum)/float64(r.Bound), "of-bound")
				b.ReportMetric(float64(len(r.Batches)), "batches")
			}
		})
	}
}
