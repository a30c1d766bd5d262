package placement

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// byteProblem draws a small cluster whose topics ask for even bytes, one in five
// times not all of them; the same one for the same seed.
func byteProblem(seed uint64) *Problem {
	p := jointClasses[seed%uint64(len(jointClasses))].problem(seed)
	rng := rand.New(rand.NewPCG(seed, 12))
	if rng.IntN(4) == 0 {
		for b := range p.Brokers {
			p.Brokers[b].Weight = 1 + int64(rng.IntN(3))
		}
	}
	dead := int16(-1)
	if rng.IntN(4) == 0 {
		dead = int16(rng.IntN(len(p.Brokers)))
		p.Brokers[dead].Alive = false
	}
	required, mixed := rng.IntN(4) == 0, rng.IntN(5) == 0
	for t := range p.Topics {
		topic := &p.Topics[t]
		topic.ByBytes = !mixed || rng.IntN(2) == 0
		topic.LeaderRequired = required && topic.LeaderRank != nil
		topic.Eligible = slices.DeleteFunc(topic.Eligible, func(b int16) bool { return b == dead })
		for i := range topic.Partitions {
			part := &topic.Partitions[i]
			part.Size = int64(rng.IntN(200)) - 1
			part.Leader = -1
			for _, b := range part.Replicas {
				switch {
				case b == dead || part.Leader >= 0 && rng.IntN(5) == 0:
					part.OutOfISR = append(part.OutOfISR, b)
				case part.Leader < 0:
					part.Leader = b
				}
			}
		}
	}
	return p
}

// byteLevels are what counts before bytes, bytes, and what counts after.
type byteLevels struct {
	rule, copies, lost int64
	uneven             float64
	rest               vec
}

func (a *byteLevels) compare(b *byteLevels) int {
	switch {
	case a.rule != b.rule:
		return sign(a.rule < b.rule, 1)
	case a.copies != b.copies:
		return sign(a.copies < b.copies, 2)
	case a.lost != b.lost:
		return sign(a.lost < b.lost, 3)
	case a.uneven != b.uneven:
		return sign(a.uneven < b.uneven, 4)
	case a.rest != b.rest:
		return sign(a.rest.less(&b.rest), 5)
	}
	return 0
}

func sign(less bool, n int) int {
	if less {
		return -n
	}
	return n
}

// byteLevelsOf counts a placement from the definitions.
func (b *brute) byteLevelsOf(units []int16, joint bool) byteLevels {
	v := b.value(units, joint)
	out := byteLevels{rule: v[costRule], copies: v[costCopies]}
	bytes := make([]int64, b.brokers)
	for t := range b.topics {
		for i := range b.topics[t].in.Partitions {
			if list, fixed := b.topics[t].fixedList(&b.topics[t].in.Partitions[i]); fixed {
				for _, x := range list {
					bytes[x] += max(0, b.topics[t].in.Partitions[i].Size)
				}
			}
		}
	}
	for u, x := range units {
		p := &b.parts[b.unitPart[u]]
		bytes[x] += p.size()
		if p.exists && has(p.in.Replicas, x) && !has(p.in.OutOfISR, x) {
			out.lost--
		}
	}
	var sum, weight int64
	for _, x := range b.scope {
		sum, weight = sum+bytes[x], weight+b.weight[x]
	}
	for _, x := range b.scope {
		d := float64(bytes[x]*weight - sum*b.weight[x])
		out.uneven += d * d
	}
	out.rest = vec{v[costWorth] - out.lost*worthISR, v[costTopic], v[costCluster]}
	return out
}

// TestBytesAreAsEvenAsAnyPlacementOfSmallClusters compares with every placement
// of as few copies.
func TestBytesAreAsEvenAsAnyPlacementOfSmallClusters(t *testing.T) {
	const count = 600
	told, missed := 0, map[string]int{}
	excess := 0.0
	for seed := uint64(0); told < count; seed++ {
		p := byteProblem(seed)
		joint := p.Topics[0].Balance == BalanceCluster
		s := newSolver(p)
		m := s.model
		kept := slices.Clone(m.unitAt)
		s.replicas()
		b := newBrute(m, kept)
		if b == nil || b.size() < 100 {
			continue
		}
		told++
		got := b.byteLevelsOf(m.unitAt, joint)
		best := got
		var open []int32
		for i := range b.parts {
			if s.topics[s.parts[i].topic].in.ByBytes {
				open = append(open, int32(i))
			}
		}
		b.each(open, slices.Clone(m.unitAt), func(u []int16) {
			if v := b.byteLevelsOf(u, joint); v.compare(&best) < 0 {
				best = v
			}
		})
		if k := best.compare(&got); k != 0 {
			missed[fmt.Sprint(p.Topics[0].Balance, " level ", -k)]++
			if k == -4 && best.uneven > 0 {
				excess += got.uneven/best.uneven - 1
			}
		}
	}
	t.Log(told, fmt.Sprint(missed), excess)
	if len(missed) > 0 {
		t.Error("bytes could be more even")
	}
}
