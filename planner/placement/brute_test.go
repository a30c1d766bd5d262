package placement

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawProblem draws a small cluster with topics that want anything.
func drawProblem(t *rapid.T) *Problem {
	p := &Problem{Racks: rapid.IntRange(1, 3).Draw(t, "racks")}
	n := rapid.IntRange(2, 6).Draw(t, "brokers")
	racked := rapid.IntRange(0, 5).Draw(t, "racked") > 0
	weighted := rapid.IntRange(0, 3).Draw(t, "weighted") == 0
	for b := range n {
		broker := Broker{Rack: -1, Alive: true, Weight: 1}
		if racked {
			broker.Rack = int16(rapid.IntRange(0, p.Racks-1).Draw(t, "rack"))
		}
		switch rapid.IntRange(0, 14).Draw(t, "state") {
		case 0:
			broker.Alive = false
		case 1:
			broker.Drains = true
		case 2:
			broker.Alive, broker.Drains = false, b%2 == 0
		}
		if weighted {
			broker.Weight = int64(rapid.IntRange(1, 3).Draw(t, "weight"))
		}
		p.Brokers = append(p.Brokers, broker)
	}
	for range rapid.IntRange(1, 2).Draw(t, "topics") {
		p.Topics = append(p.Topics, drawTopic(t, p, racked))
	}
	return p
}

// drawTopic draws a topic of a few partitions, existing, new, and odd ones.
func drawTopic(t *rapid.T, p *Problem, racked bool) Topic {
	topic := Topic{
		Balance:       Balance(rapid.IntRange(0, 2).Draw(t, "balance")),
		ByBytes:       rapid.IntRange(0, 3).Draw(t, "by bytes") == 0,
		LeaderBalance: Balance(rapid.IntRange(0, 2).Draw(t, "leader balance")),
	}
	if racked {
		topic.Spread = Spread(rapid.IntRange(0, 2).Draw(t, "spread"))
	}
	for b, broker := range p.Brokers {
		if broker.Alive && !broker.Drains && rapid.IntRange(0, 9).Draw(t, "eligible") > 0 {
			topic.Eligible = append(topic.Eligible, int16(b))
		}
	}
	if rapid.IntRange(0, 3).Draw(t, "ranked") == 0 {
		topic.NumLeaderRanks = 1
		topic.LeaderRequired = rapid.IntRange(0, 1).Draw(t, "required") == 1
		ranks := rapid.SliceOfN(rapid.Int16Range(0, 1), p.Racks+1, p.Racks+1).Draw(t, "ranks")
		for _, broker := range p.Brokers {
			topic.LeaderRank = append(topic.LeaderRank, ranks[broker.Rack+1])
		}
	}
	rf := rapid.IntRange(1, 3).Draw(t, "rf")
	for range rapid.IntRange(1, 4).Draw(t, "partitions") {
		topic.Partitions = append(topic.Partitions, drawPartition(t, p, rf))
	}
	return topic
}

// drawPartition draws a partition that may already be somewhere.
func drawPartition(t *rapid.T, p *Problem, rf int) Partition {
	part := Partition{RF: int16(rf), Leader: -1, Size: int64(rapid.IntRange(-1, 3).Draw(t, "size"))}
	all := rapid.Permutation(ids(len(p.Brokers))).Draw(t, "order")
	if held := rapid.IntRange(0, 4).Draw(t, "held"); held > 0 {
		part.Replicas = slices.Clone(all[:min(held, len(all))])
	}
	for _, b := range part.Replicas {
		if !p.Brokers[b].Alive || rapid.IntRange(0, 5).Draw(t, "out") == 0 {
			part.OutOfISR = append(part.OutOfISR, b)
		} else if part.Leader < 0 {
			part.Leader = b
		}
	}
	return part
}

// ids are 0 to n-1.
func ids(n int) []int16 {
	out := make([]int16, n)
	for i := range out {
		out[i] = int16(i)
	}
	return out
}

// TestReplicasAreOptimal compares each level with every other legal placement.
func TestReplicasAreOptimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		for i := range p.Topics {
			p.Topics[i].ByBytes = false
		}
		s := newSolver(p)
		s.large = drawLarge(t)
		m := s.model
		before := slices.Clone(m.unitAt)
		s.replicas()
		b := newBrute(m, before)
		if b == nil {
			return
		}
		if bad := b.compare(slices.Clone(m.unitAt)); bad != "" {
			t.Fatalf("%s\n%+v", bad, *p)
		}
	})
}

// drawLarge is with how many units a topic is large: few topics drawn are, unless
// all are said to be.
func drawLarge(t *rapid.T) int32 {
	return rapid.SampledFrom([]int32{largeTopic, 0}).Draw(t, "large")
}

// brute knows all legal sets of each partition.
type brute struct {
	*model
	sets [][][]int16 // by partition
}

func newBrute(m *model, kept []int16) *brute {
	b := &brute{model: m}
	size := 1
	for i := range m.parts {
		sets := b.legalSets(&m.parts[i])
		b.sets = append(b.sets, sets)
		if size *= len(sets); size > 30000 {
			return nil
		}
	}
	return b
}

// legalSets are the sets of eligible brokers that complete the dead replicas of p.
func (b *brute) legalSets(p *part) (out [][]int16) {
	t := &b.topics[p.topic]
	for mask := range 1 << len(t.in.Eligible) {
		var set []int16
		cnt := make([]int16, b.racks)
		for _, x := range b.staysOf(p) {
			cnt[b.rackOf[x]]++
		}
		led := !t.in.LeaderRequired
		for k, x := range t.in.Eligible {
			if mask>>k&1 == 1 {
				set = append(set, x)
				cnt[b.rackOf[x]]++
				led = led || t.listed(x)
			}
		}
		ok := len(set) == int(p.units) && led
		for r, x := range b.rackBounds(t, p.in) {
			ok = ok && cnt[r] >= x.Lo && cnt[r] <= x.Hi
		}
		if ok {
			out = append(out, set)
		}
	}
	return out
}

// compare says at which level the units are worse than what is possible.
func (b *brute) compare(units []int16) string {
	for _, joint := range []bool{false, true} {
		var open []int32
		for i := range b.parts {
			if (b.topics[b.parts[i].topic].in.Balance == BalanceCluster) == joint {
				open = append(open, int32(i))
			}
		}
		if joint {
			if bad := b.compareStage(open, units, joint); bad != "" {
				return bad
			}
			continue
		}
		// The first stage sees the others where insert has put them, which is
		// not kept: only what does not depend on it is compared.
		if bad := b.compareStage(open, units, joint); bad != "" && len(open) == len(b.parts) {
			return bad
		}
	}
	return ""
}

func (b *brute) compareStage(open []int32, units []int16, joint bool) string {
	got := b.value(units, joint)
	for i := range b.parts {
		p := &b.parts[i]
		set := slices.Sorted(slices.Values(units[p.unit : p.unit+int32(p.units)]))
		if !slices.ContainsFunc(b.sets[i], func(x []int16) bool { return slices.Equal(x, set) }) {
			return fmt.Sprintf("partition %d of topic %d is on %v, which breaks a rule", p.index, p.topic, set)
		}
	}
	best, at := got, ""
	b.each(open, slices.Clone(units), func(u []int16) {
		if v := b.value(u, joint); v.less(&best) {
			best, at = v, fmt.Sprint(u)
		}
	})
	if at != "" {
		return fmt.Sprintf("cost %v on %v, but %v is possible: %s", got, units, best, at)
	}
	return ""
}

// each calls f with every placement of the open partitions.
func (b *brute) each(open []int32, units []int16, f func([]int16)) {
	if len(open) == 0 {
		f(units)
		return
	}
	p := &b.parts[open[0]]
	for _, set := range b.sets[open[0]] {
		copy(units[p.unit:], set)
		b.each(open[1:], units, f)
	}
}

// value is the cost of a placement, counted from the definition.
func (b *brute) value(units []int16, joint bool) (v vec) {
	load, total := b.loadsOf(units)
	for i := range b.parts {
		p := &b.parts[i]
		set := units[p.unit : p.unit+int32(p.units)]
		rank := b.topics[p.topic].in.LeaderRank
		best := b.topics[p.topic].in.NumLeaderRanks
		for _, x := range set {
			if rank != nil {
				best = min(best, rank[x])
			}
		}
		v[costWorth] += int64(best) * worthPlace
		if !p.exists {
			continue
		}
		for _, x := range set {
			if !has(p.in.Replicas, x) {
				v[costCopies]++
				v[costBytes] += max(0, p.in.Size)
			} else if !has(p.in.OutOfISR, x) {
				v[costWorth] -= worthISR
			}
			if rank != nil && rank[x] > best {
				continue // it loses the lead in any case
			}
			if x == p.in.Leader {
				v[costWorth] -= worthLeader
			}
			if x == b.firstAlive(p.in.Replicas) {
				v[costWorth] -= worthPreferred
			}
		}
	}
	for t := range b.topics {
		d := b.deviation(load[t*b.brokers:(t+1)*b.brokers], b.topics[t].in.Eligible)
		v[costTopic] += d
		if b.topics[t].in.Balance == BalanceTopic {
			v[costRule] += d
		}
	}
	v[costCluster] = b.deviation(total, b.scope)
	if joint {
		v[costRule] = v[costCluster]
	}
	return v
}

// loadsOf counts replicas by topic and broker, and by broker.
func (b *brute) loadsOf(units []int16) (load, total []int32) {
	load, total = slices.Clone(b.load), slices.Clone(b.total)
	for u, x := range b.unitAt {
		t := int(b.parts[b.unitPart[u]].topic)
		load[t*b.brokers+int(x)]--
		total[x]--
		load[t*b.brokers+int(units[u])]++
		total[units[u]]++
	}
	return load, total
}

// deviation is the sum of (load - N w / W)^2, times common^2.
const common = 12252240

func (b *brute) deviation(load []int32, scope []int16) (sum int64) {
	var n, w int64
	for _, x := range scope {
		n += int64(load[x])
		w += b.weight[x]
	}
	for _, x := range scope {
		d := common*int64(load[x]) - n*b.weight[x]*common/w
		sum += d * d
	}
	return sum
}
