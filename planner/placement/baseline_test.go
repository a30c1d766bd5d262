package placement

import (
	"math/rand/v2"
	"testing"
)

// generated is what kafka-reassign-partitions --generate does: every partition
// anew, from a random start, whatever it has today; racks in turn.
func generated(p *Problem) *Solution {
	rng := rand.New(rand.NewPCG(3, 4))
	out := &Solution{Topics: make([]TopicSolution, len(p.Topics))}
	for t := range p.Topics {
		order := rackTurns(p, p.Topics[t].Eligible)
		start, shift := rng.IntN(len(order)), rng.IntN(len(order))
		for i := range p.Topics[t].Partitions {
			if i > 0 && i%len(order) == 0 {
				shift++
			}
			list := []int16{order[(start+i)%len(order)]}
			for j := 0; len(list) < int(p.Topics[t].Partitions[i].RF); j++ {
				b := order[(start+i+1+(shift*p.Racks+j)%(len(order)-1))%len(order)]
				if !has(list, b) && !sharesRack(p, list, b) {
					list = append(list, b)
				}
			}
			out.Topics[t].Replicas = append(out.Topics[t].Replicas, list)
		}
	}
	return out
}

// rackTurns are brokers of all racks in turn.
func rackTurns(p *Problem, eligible []int16) (out []int16) {
	for k := 0; len(out) < len(eligible); k++ {
		seen := make([]int, p.Racks)
		for _, b := range eligible {
			r := p.Brokers[b].Rack
			if seen[r]++; seen[r] == k+1 {
				out = append(out, b)
			}
		}
	}
	return out
}

// sharesRack says whether b is in the rack of one of list.
func sharesRack(p *Problem, list []int16, b int16) bool {
	for _, x := range list {
		if p.Brokers[x].Rack == p.Brokers[b].Rack {
			return true
		}
	}
	return false
}

// greedy is what topic-by-topic tools do: what must go goes to the broker of the
// rack with fewest replicas of the topic, and while two brokers of a rack are more
// than one apart, the first partition that can moves.
func greedy(p *Problem) *Solution {
	out := &Solution{Topics: make([]TopicSolution, len(p.Topics))}
	for t := range p.Topics {
		topic := &p.Topics[t]
		load := make([]int, len(p.Brokers))
		lists := [][]int16{}
		for _, part := range topic.Partitions {
			lists = append(lists, append([]int16{}, part.Replicas...))
			for _, b := range part.Replicas {
				load[b]++
			}
		}
		for _, list := range lists {
			for k, b := range list {
				if to := thinnest(p, topic, load, list, b); to >= 0 && (!has(topic.Eligible, b) || topic.Balance != Keep && load[to] < load[b]-1) {
					load[b]--
					load[to]++
					list[k] = to
				}
			}
		}
		out.Topics[t].Replicas = lists
	}
	return out
}

// thinnest is the broker in b's rack with fewest of the topic, -1 where all have
// the partition.
func thinnest(p *Problem, t *Topic, load []int, list []int16, b int16) int16 {
	best := int16(-1)
	for _, x := range t.Eligible {
		if p.Brokers[x].Rack == p.Brokers[b].Rack && !has(list, x) && (best < 0 || load[x] < load[best]) {
			best = x
		}
	}
	return best
}

// figures are copies, and the largest less the smallest load over the brokers.
func figures(p *Problem, s *Solution) (copies, spread int) {
	load := make([]int, len(p.Brokers))
	for t, topic := range s.Topics {
		for i, list := range topic.Replicas {
			for _, b := range list {
				load[b]++
				if !has(p.Topics[t].Partitions[i].Replicas, b) {
					copies++
				}
			}
		}
	}
	least, most := 1<<30, 0
	for b, n := range load {
		if !p.Brokers[b].Drains {
			least, most = min(least, n), max(most, n)
		}
	}
	return copies, most - least
}

func TestOthersCopyMoreOrLeaveMoreUneven(t *testing.T) {
	small := scenario{topics: 60, partitions: 20, rf: 3, racks: []int{10, 10, 10}, balance: BalanceCluster}
	grown, drained := small, small
	grown.idle, drained.drain = 1, 1
	mixed := grown
	mixed.random = true
	for name, s := range map[string]scenario{
		"3 brokers added to 27": grown, "3 brokers of 30 drained": drained, "3 brokers added, replicas where chance put them": mixed,
	} {
		p := s.problem()
		copies, spread := figures(p, Solve(p))
		for _, other := range []struct {
			name string
			of   func(*Problem) *Solution
		}{{"--generate", generated}, {"greedy by topic", greedy}} {
			c, d := figures(p, other.of(p))
			t.Logf("%s: %d copies, %d apart; %s: %d copies, %d apart", name, copies, spread, other.name, c, d)
			if c < copies && d <= spread {
				t.Errorf("%s: %s copies %d and ends %d apart, here %d and %d", name, other.name, c, d, copies, spread)
			}
		}
	}
}
