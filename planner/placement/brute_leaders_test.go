package placement

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestLeadersAreOptimalForTheirReplicas compares each level with every other
// choice of leaders for the same replicas.
func TestLeadersAreOptimalForTheirReplicas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		s := newSolver(p)
		s.large = drawLarge(t)
		s.replicas()
		l, _ := s.leaders()
		if bad := bruteLeaders(s, l); bad != "" {
			t.Fatalf("%s\n%+v", bad, *p)
		}
	})
}

// bruteLeaders says at which level leaders are worse than what is possible. Where
// some topics say cluster and some do not, only the former, which come last, are
// compared.
func bruteLeaders(s *solver, l *leaders) string {
	joint := slices.ContainsFunc(s.topics, func(t topicModel) bool { return t.in.LeaderBalance == BalanceCluster })
	var open []int32
	size := 1
	for u := range l.on {
		if (s.topics[l.topicOf(int32(u))].in.LeaderBalance == BalanceCluster) == joint {
			open = append(open, int32(u))
			size *= len(l.targets(int32(u)))
		}
	}
	if size > 20000 {
		return ""
	}
	got := leadValue(s, l, joint)
	best, at := got, ""
	var each func(k int)
	each = func(k int) {
		if k == len(open) {
			if v := leadValue(s, l, joint); v.less(&best) {
				best, at = v, fmt.Sprint(l.on)
			}
			return
		}
		before := l.on[open[k]]
		for _, b := range l.targets(open[k]) {
			l.on[open[k]] = b
			each(k + 1)
		}
		l.on[open[k]] = before
	}
	each(0)
	if at != "" {
		return fmt.Sprintf("cost %v on %v, but %v is possible: %s", got, l.on, best, at)
	}
	return ""
}

// leadValue is the cost of a choice of leaders, counted from the definition.
func leadValue(s *solver, l *leaders, joint bool) (v vec) {
	load, total := make([]int32, len(l.load)), make([]int32, s.brokers)
	lead := s.chosen(l)
	for t := range s.topics {
		topic := &s.topics[t]
		for i := range topic.in.Partitions {
			if list, fixed := topic.fixedList(&topic.in.Partitions[i]); fixed {
				countLeader(load, total, t*s.brokers, s.firstAlive(list))
			}
		}
		for i := topic.first; i < topic.first+topic.n; i++ {
			countLeader(load, total, t*s.brokers, lead[i])
		}
	}
	for i, b := range lead {
		p := &s.parts[i]
		topic := &s.topics[p.topic]
		if b < 0 {
			continue
		}
		if topic.ranked() {
			v[leadRank] += int64(topic.in.LeaderRank[b])
		}
		if p.exists && b != p.preferred {
			v[leadChanges] += worthLeader
		}
		if p.exists && b != p.in.Leader {
			v[leadChanges]++
		}
		if p.exists && b != p.preferred && s.sameSet(p) {
			v[leadReorders]++
		}
	}
	b := &brute{model: s.model}
	for t := range s.topics {
		d := b.deviation(load[t*s.brokers:(t+1)*s.brokers], s.topics[t].in.Eligible)
		v[leadTopic] += d
		if s.topics[t].in.LeaderBalance == BalanceTopic {
			v[leadRule] += d
			v[leadRuleRack] += rackDeviation(s.model, s.topics[t].in.Eligible, load[t*s.brokers:(t+1)*s.brokers])
		}
	}
	v[leadRacks] = rackDeviation(s.model, s.scope, total)
	if joint {
		v[leadRuleRack] = v[leadRacks]
	}
	if v[leadCluster] = b.deviation(total, s.scope); joint {
		v[leadRule] = v[leadCluster]
	}
	return v
}

// leadLevels is leadValue without reorderings, which are counted for the replicas
// that have been chosen.
func leadLevels(s *solver, l *leaders, joint bool) vec {
	v := leadValue(s, l, joint)
	return v.upTo(leadReorders)
}

// countLeader adds a leader, -1 is none.
func countLeader(load, total []int32, base int, b int16) {
	if b >= 0 {
		load[base+int(b)]++
		total[b]++
	}
}

// rackDeviation is the sum over racks of (leaders - share)^2, times W^2.
func rackDeviation(m *model, scope []int16, total []int32) (sum int64) {
	have, weight := make([]int64, m.racks), make([]int64, m.racks)
	var n, all int64
	for _, b := range scope {
		have[m.rackOf[b]] += int64(total[b])
		weight[m.rackOf[b]] += m.weight[b]
		n, all = n+int64(total[b]), all+m.weight[b]
	}
	for r := range have {
		d := have[r]*all - n*weight[r]
		sum += d * d
	}
	return sum
}
