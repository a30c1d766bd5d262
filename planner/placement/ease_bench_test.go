package placement

import (
	"maps"
	"slices"
	"testing"
)

// BenchmarkEase gives what the busiest broker has to do, and the one that receives
// most, beside the mean of those that receive anything.
func BenchmarkEase(b *testing.B) {
	all := map[string]scenario{}
	for name, s := range byBytes() {
		s.leaders = s.balance
		all[name] = s
	}
	drain := all["middle-topic"]
	drain.balance, drain.leaders, drain.idle, drain.drain = Keep, Keep, 0, 1
	all["middle-drain"] = drain
	drain.racks, drain.topics = []int{4, 4, 4}, 10
	all["small-drain"] = drain
	for _, name := range slices.Sorted(maps.Keys(all)) {
		b.Run(name, func(b *testing.B) {
			p := all[name].problem()
			before := cpuSeconds()
			for range b.N {
				s := Solve(p)
				b.ReportMetric((cpuSeconds()-before)/float64(b.N), "cpu-s")
				most, mean := received(p, s)
				b.ReportMetric(float64(busiest(p, s))/mean, "busiest-of-mean")
				b.ReportMetric(most/mean, "most-received-of-mean")
			}
		})
	}
}

// received is the most bytes that a broker receives, and the mean of those that
// receive any.
func received(p *Problem, s *Solution) (most, mean float64) {
	in, sum, n := make([]float64, len(p.Brokers)), 0.0, 0.0
	for t := range p.Topics {
		for i, part := range p.Topics[t].Partitions {
			for _, b := range s.Topics[t].Replicas[i] {
				if part.Replicas != nil && !has(part.Replicas, b) {
					in[b] += float64(part.Size)
				}
			}
		}
	}
	for _, x := range in {
		if most = max(most, x); x > 0 {
			sum, n = sum+x, n+1
		}
	}
	return most, sum / max(1, n)
}
