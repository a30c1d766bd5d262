package placement

import (
	"maps"
	"runtime"
	"slices"
	"testing"
)

func BenchmarkLarge(b *testing.B) {
	all := large()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		b.Run(name, func(b *testing.B) {
			p := all[name].problem()
			runtime.GC()
			b.ResetTimer()
			for range b.N {
				s := Solve(p)
				b.ReportMetric(float64(s.Copies), "copies")
				b.ReportMetric(float64(s.CopiesBound), "bound")
				b.ReportMetric(float64(s.LeaderMoves), "elections")
				if s.Exhausted != "" {
					b.Log(s.Exhausted)
				}
			}
		})
	}
}
