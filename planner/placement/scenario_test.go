package placement

import (
	"math"
	"math/rand/v2"
)

// scenario is a large cluster to measure on.
type scenario struct {
	topics, partitions, rf int
	racks                  []int // brokers in each
	idle                   int   // brokers of every rack that hold nothing yet
	drain                  int   // brokers of every rack that are to be emptied
	random                 bool  // replicas are where chance puts them, rather than in stripes
	balance, leaders       Balance
}

// problem draws the scenario, the same one always.
func (s scenario) problem() *Problem {
	p := &Problem{Racks: len(s.racks)}
	rng := rand.New(rand.NewPCG(1, 2))
	used := make([][]int16, len(s.racks))
	most := 0
	for _, n := range s.racks {
		most = max(most, n)
	}
	for i := range most {
		for r, n := range s.racks {
			if i >= n {
				continue
			}
			if i < n-s.idle {
				used[r] = append(used[r], int16(len(p.Brokers)))
			}
			p.Brokers = append(p.Brokers, Broker{Rack: int16(r), Alive: true, Drains: i < s.drain, Weight: 1})
		}
	}
	var eligible []int16
	for b := range p.Brokers {
		if !p.Brokers[b].Drains {
			eligible = append(eligible, int16(b))
		}
	}
	next := make([]int, len(s.racks))
	for range s.topics {
		t := Topic{Eligible: eligible, Spread: SpreadEven, Balance: s.balance, LeaderBalance: s.leaders}
		for range s.partitions {
			t.Partitions = append(t.Partitions, s.partition(rng, used, next))
		}
		p.Topics = append(p.Topics, t)
	}
	return p
}

// partition draws one partition with its replicas in different racks.
func (s scenario) partition(rng *rand.Rand, used [][]int16, next []int) Partition {
	var list []int16
	first := rng.IntN(len(used))
	for i := range s.rf {
		r := (first + i) % len(used)
		k := next[r] % len(used[r])
		if next[r]++; s.random {
			k = rng.IntN(len(used[r]))
		}
		list = append(list, used[r][k])
	}
	size := int64(1e9 * math.Exp(rng.NormFloat64()))
	return Partition{RF: int16(s.rf), Replicas: list, Leader: list[0], Size: size}
}

var (
	threeRacks = []int{100, 100, 100}
	expand     = scenario{topics: 2000, partitions: 100, rf: 3, racks: threeRacks, idle: 10}
)

// large are the scenarios of design's table of sizes.
func large() map[string]scenario {
	cluster, topic := expand, expand
	cluster.balance, cluster.leaders = BalanceCluster, BalanceCluster
	topic.balance, topic.leaders = BalanceTopic, BalanceTopic
	drain := expand
	drain.idle, drain.drain = 0, 10
	random := cluster
	random.random = true
	randomTopic := topic
	randomTopic.random = true
	two := cluster
	two.rf = 2
	uneven := cluster
	uneven.racks, uneven.idle = []int{120, 90, 60, 30}, 3
	million := cluster
	million.topics = 3334
	millionTopic, millionDrain := topic, drain
	millionTopic.topics, millionDrain.topics = 3334, 3334
	still := expand
	still.idle = 0
	return map[string]scenario{
		"expand-cluster": cluster, "expand-topic": topic, "drain": drain, "random-cluster": random,
		"random-topic": randomTopic, "rf2-three-racks": two, "racks-120-90-60-30": uneven,
		"1m-cluster": million, "1m-topic": millionTopic, "1m-drain": millionDrain, "no-change": still,
	}
}
