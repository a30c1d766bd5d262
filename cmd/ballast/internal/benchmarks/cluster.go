package benchmarks

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"ballast/state"
)

// Layout is where the replicas of a made-up cluster are.
type Layout int

// The layouts.
const (
	Round  Layout = iota // in turn over the brokers of each rack: even by broker and by topic
	Random               // anywhere within the rack, as after years of failures and repairs
)

// Cluster is a cluster to be made up.
type Cluster struct {
	Racks      []int // brokers in each rack
	Empty      int   // of these, how many in each rack hold nothing yet (new ones)
	Topics     int
	Partitions int // in each topic
	RF         int
	Layout     Layout
	Heavy      bool // sizes with a heavy tail; else within a factor of 3
	Seed       uint64
}

// brokerDisk is the volume of a broker: what it holds never comes near it.
const brokerDisk = 200_000_000_000_000

// Snapshot makes the cluster up. Broker ids are 1000 x (rack + 1) + position,
// so that those of a rack can be told at a glance.
func (c Cluster) Snapshot() *state.Snapshot {
	s := &state.Snapshot{ClusterID: "benchmark-000000000001", TakenAt: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	for rack, n := range c.Racks {
		for i := range n {
			s.Brokers = append(s.Brokers, broker(rack, i))
		}
	}
	random := rand.New(rand.NewPCG(c.Seed, 1))
	place := &placer{c: c, random: random, next: make([]int, len(c.Racks))}
	for i := range c.Topics {
		s.Topics = append(s.Topics, c.topic(i, place))
	}
	return s
}

// BrokerID is the id of the broker at a position in a rack.
func BrokerID(rack, position int) state.BrokerID {
	return state.BrokerID(1000*(rack+1) + position)
}

func broker(rack, position int) state.Broker {
	id := BrokerID(rack, position)
	return state.Broker{
		ID: id, Rack: fmt.Sprintf("r%d", rack+1), Host: fmt.Sprintf("kafka-%d", id), Port: 9092, Alive: true,
		LogDirs: []state.LogDir{{Path: "/data", Total: state.KnownSize(brokerDisk), Usable: state.KnownSize(brokerDisk / 2)}},
		Config:  map[string]state.ConfigValue{},
	}
}

// TopicName is the name of a topic by its number.
func TopicName(i int) string { return fmt.Sprintf("topic-%05d", i) }

func (c Cluster) topic(i int, place *placer) state.Topic {
	t := state.Topic{
		Name:       TopicName(i),
		Partitions: make([]state.Partition, c.Partitions),
		Config: map[string]state.ConfigValue{
			"min.insync.replicas": {Value: fmt.Sprint(max(c.RF-1, 1)), Source: state.SourceTopic},
			"cleanup.policy":      {Value: "delete", Source: state.SourceDefault},
			"retention.ms":        {Value: "604800000", Source: state.SourceDefault},
		},
	}
	for j := range t.Partitions {
		replicas := place.partition(i*c.Partitions + j)
		t.Partitions[j] = state.Partition{
			ID: int32(j), Replicas: replicas, ISR: append([]state.BrokerID(nil), replicas...), Leader: replicas[0],
			Size: state.KnownSize(c.size(place.random)),
		}
	}
	return t
}

// size is a partition's size in bytes: 0.5 to 1.5 GB, or log-normal around 1 GB
// with the largest of a million near 300 GB.
func (c Cluster) size(random *rand.Rand) int64 {
	if !c.Heavy {
		return 500_000_000 + random.Int64N(1_000_000_000)
	}
	return int64(1e9 * math.Exp(1.2*random.NormFloat64()))
}

// placer places the replicas of one partition after the other.
type placer struct {
	c      Cluster
	random *rand.Rand
	next   []int // by rack: whose turn it is
}

// partition places a partition's replicas, one in each of RF racks, which take
// turns. Which comes first shifts by one with each round over the brokers of a
// rack, or else the same brokers would lead always.
func (p *placer) partition(g int) []state.BrokerID {
	replicas := make([]state.BrokerID, 0, p.c.RF)
	first := g + g/(p.c.Racks[0]-p.c.Empty)
	for i := range p.c.RF {
		rack := (first + i) % len(p.c.Racks)
		replicas = append(replicas, BrokerID(rack, p.position(rack)))
	}
	return replicas
}

func (p *placer) position(rack int) int {
	n := p.c.Racks[rack] - p.c.Empty
	if p.c.Layout == Random {
		return p.random.IntN(n)
	}
	at := p.next[rack]
	p.next[rack] = (at + 1) % n
	return at
}
