package placement

import (
	"maps"
	"runtime"
	"slices"
	"syscall"
	"testing"
)

func BenchmarkLarge(b *testing.B) {
	all := large()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		b.Run(name, func(b *testing.B) {
			p := all[name].problem()
			runtime.GC()
			b.ResetTimer()
			before := cpuSeconds()
			for range b.N {
				s := Solve(p)
				b.ReportMetric((cpuSeconds()-before)/float64(b.N), "cpu-s")
				b.ReportMetric(float64(s.Copies), "copies")
				b.ReportMetric(float64(s.CopiesBound), "bound")
				b.ReportMetric(float64(s.LeaderMoves), "elections")
				b.ReportMetric(float64(s.LeaderMovesBound), "least-elections")
				b.ReportMetric(float64(busiest(p, s))/1e9, "busiest-GB")
				if s.Exhausted != "" {
					b.Log(s.Exhausted)
				}
			}
		})
	}
}

// cpuSeconds is the processor time of this process so far, which other processes
// of the machine do not change.
func cpuSeconds() float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}

// busiest is how many bytes the broker sends or receives that has most to do.
func busiest(p *Problem, s *Solution) (most int64) {
	in, out := make([]int64, len(p.Brokers)), make([]int64, len(p.Brokers))
	for t := range p.Topics {
		for i, part := range p.Topics[t].Partitions {
			for _, b := range s.Topics[t].Replicas[i] {
				if part.Replicas != nil && !has(part.Replicas, b) {
					in[b] += max(0, part.Size)
					if part.Leader >= 0 {
						out[part.Leader] += max(0, part.Size)
					}
				}
			}
		}
	}
	for b := range in {
		most = max(most, in[b], out[b])
	}
	return most
}
