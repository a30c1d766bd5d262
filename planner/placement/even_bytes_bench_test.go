package placement

import (
	"maps"
	"math"
	"runtime"
	"slices"
	"testing"
)

// byBytes are scenarios whose topics all ask for even bytes.
func byBytes() map[string]scenario {
	cluster, topic := expand, expand
	cluster.balance, cluster.leaders = BalanceCluster, BalanceCluster
	topic.balance, topic.leaders = BalanceTopic, BalanceTopic
	drain := expand
	drain.idle, drain.drain = 0, 10
	small := scenario{topics: 10, partitions: 20, rf: 3, racks: []int{4, 4, 4}, idle: 1, balance: BalanceCluster}
	smallTopic := small
	smallTopic.balance = BalanceTopic
	middle := scenario{topics: 200, partitions: 20, rf: 3, racks: []int{10, 10, 10}, idle: 1, balance: BalanceCluster}
	middleTopic := middle
	middleTopic.balance = BalanceTopic
	return map[string]scenario{
		"200k-cluster": cluster, "200k-topic": topic, "200k-drain": drain,
		"small-cluster": small, "small-topic": smallTopic, "middle-cluster": middle, "middle-topic": middleTopic,
	}
}

// BenchmarkBytes gives how far brokers' bytes are from their share, as the root of
// the mean square in millionths of the share.
func BenchmarkBytes(b *testing.B) {
	all := byBytes()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		b.Run(name, func(b *testing.B) {
			p := withBytes(all[name].problem(), true)
			runtime.GC()
			b.ResetTimer()
			before := cpuSeconds()
			for range b.N {
				s := Solve(p)
				b.ReportMetric((cpuSeconds()-before)/float64(b.N), "cpu-s")
				b.ReportMetric(float64(s.Copies), "copies")
				b.ReportMetric(uneven(p, s), "uneven-ppm")
				b.ReportMetric(float64(busiest(p, s))/1e9, "busiest-GB")
				if s.Exhausted != "" {
					b.Log(s.Exhausted)
				}
			}
		})
	}
}

// uneven is the root of the mean square of what brokers that stay hold beside
// their share, in millionths of it; all have one weight.
func uneven(p *Problem, s *Solution) float64 {
	sum, squares, n := 0.0, 0.0, 0.0
	bytes := make([]float64, len(p.Brokers))
	for t, topic := range s.Topics {
		for i, list := range topic.Replicas {
			for _, b := range list {
				bytes[b] += float64(max(0, p.Topics[t].Partitions[i].Size))
			}
		}
	}
	for b, x := range bytes {
		if p.Brokers[b].Alive && !p.Brokers[b].Drains {
			sum, n = sum+x, n+1
		}
	}
	for b, x := range bytes {
		if p.Brokers[b].Alive && !p.Brokers[b].Drains {
			squares += (x - sum/n) * (x - sum/n)
		}
	}
	return math.Sqrt(squares/n) / (sum / n) * 1e6
}
