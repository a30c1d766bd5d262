package planner_test

import (
	"fmt"
	"math/rand"
	"testing"

	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

// Rapid draws small clusters, where rules seldom meet. These have up to 15
// brokers and 100 partitions under every mixture of rules.
func TestPlansOfLargerClustersAreProved(t *testing.T) {
	for seed := range int64(150) {
		l := larger{rand.New(rand.NewSource(seed))}
		s := l.cluster()
		d := l.desired(s)
		p := planner.Make(d, s, planner.Options{SnapshotFile: "s.json"})
		for _, x := range p.Diagnostics {
			if x.Code == "internal_proof" {
				t.Errorf("seed %d: %s: %s", seed, x.Topic, x.Summary)
			}
		}
		if c := p.Optimality.ReplicaCopies; c.LowerBound > c.Planned {
			t.Errorf("seed %d: %d copies, at least %d", seed, c.Planned, c.LowerBound)
		}
		if again := planner.Make(d, shuffled(s, seed), planner.Options{SnapshotFile: "s.json"}); again.Digest != p.Digest {
			t.Errorf("seed %d: another order gives another plan", seed)
		}
	}
}

// larger draws from a seed.
type larger struct{ *rand.Rand }

func (r larger) one(in int) bool { return r.Intn(in) == 0 }

func (r larger) cluster() *state.Snapshot {
	s := &state.Snapshot{ClusterID: "larger"}
	racks := []int{0, 2, 3, 3, 4}[r.Intn(5)]
	for i := range 4 + r.Intn(12) {
		b := state.Broker{ID: state.BrokerID(i + 1), Alive: !r.one(15)}
		if racks > 0 {
			b.Rack = fmt.Sprintf("r%d", i%racks)
		}
		s.Brokers = append(s.Brokers, b)
	}
	for i := range 1 + r.Intn(8) {
		s.Topics = append(s.Topics, r.topic(s, i))
	}
	return s
}

// topic is spread over all brokers or over the first half of them only.
func (r larger) topic(s *state.Snapshot, i int) state.Topic {
	t := state.Topic{Name: fmt.Sprintf("t%d", i), Config: map[string]state.ConfigValue{}}
	rf, brokers := 1+r.Intn(3), len(s.Brokers)
	if r.one(2) {
		brokers = max(rf, brokers/2)
	}
	for id := range 1 + r.Intn(16) {
		p := state.Partition{ID: int32(id), Leader: state.NoLeader, Size: state.Size{Bytes: int64(r.Intn(1000)), Known: !r.one(5)}}
		for _, x := range r.Perm(brokers)[:rf] {
			p.Replicas = append(p.Replicas, s.Brokers[x].ID)
		}
		for _, b := range p.Replicas {
			if s.Broker(b).Alive && !r.one(12) {
				p.ISR = append(p.ISR, b)
			}
		}
		if len(p.ISR) > 0 {
			p.Leader = p.ISR[r.Intn(len(p.ISR))]
		}
		if rf > 1 && r.one(25) {
			p.Adding, p.Removing = p.Replicas[:1], p.Replicas[2:]
		}
		t.Partitions = append(t.Partitions, p)
	}
	return t
}

func (r larger) desired(s *state.Snapshot) *config.Desired {
	d := &config.Desired{Apply: config.DefaultApply()}
	d.Apply.MaxBatchPartitions = 1 + r.Intn(10)
	d.Unmanaged.Replicas = []config.UnmanagedReplicas{config.UnmanagedKeep, config.UnmanagedDrain, config.UnmanagedPlace}[r.Intn(3)]
	for _, b := range s.Brokers {
		if n := r.Intn(12); n < 4 {
			d.Brokers = append(d.Brokers, config.Broker{ID: b.ID, Drain: n == 0, Weight: n})
		}
	}
	for _, t := range s.Topics {
		if !r.one(6) {
			d.Topics = append(d.Topics, r.declared(&t, s.Brokers[0].Rack != ""))
		}
	}
	return d
}

func (r larger) declared(t *state.Topic, racks bool) config.Topic {
	balances := []config.Balance{config.BalanceKeep, config.BalanceTopic, config.BalanceCluster}
	w := config.Topic{Name: t.Name, Partitions: len(t.Partitions) + r.Intn(4), ReplicationFactor: r.Intn(5), Config: map[string]string{}}
	w.Replicas.Balance, w.Leaders.Balance = balances[r.Intn(3)], balances[r.Intn(3)]
	if r.one(4) {
		w.Replicas.BalanceBy = config.ByBytes
	}
	if racks {
		w.Replicas.RackSpread = []config.RackSpread{"", "", "even", "none", "distinct"}[r.Intn(5)]
	}
	if racks && r.one(4) {
		w.Leaders.Racks, w.Leaders.Required = []string{"r1", "r0"}[:1+r.Intn(2)], r.one(3)
	}
	return w
}
