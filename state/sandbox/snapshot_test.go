package sandbox_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
	"ballast/state/sandbox"
)

func TestEmptyPutsNeighboursInOneRack(t *testing.T) {
	var got []string
	for _, b := range sandbox.Empty(6, 3).Brokers {
		got = append(got, b.Rack)
	}
	same(t, "racks", got, []string{"r1", "r1", "r2", "r2", "r3", "r3"})
	same(t, "no racks", sandbox.Empty(2, 0).Brokers[0].Rack, "")
	same(t, "more racks than brokers", sandbox.Empty(2, 5).Brokers[1].Rack, "r2")
}

func TestWhatCannotBeStartedIsRefused(t *testing.T) {
	topic := func(p ...state.Partition) *state.Snapshot {
		s := sandbox.Empty(2, 0)
		s.Topics = []state.Topic{{Name: "t", Partitions: p}}
		return s
	}
	dead := sandbox.Empty(1, 0)
	dead.Brokers[0].Alive = false
	twice := sandbox.Empty(2, 0)
	twice.Brokers[1].ID = 1
	for name, o := range map[string]sandbox.Options{
		"no snapshot":       {},
		"no broker":         {Snapshot: &state.Snapshot{}},
		"no live broker":    {Snapshot: dead},
		"a broker twice":    {Snapshot: twice},
		"unknown replica":   {Snapshot: topic(state.Partition{Replicas: []state.BrokerID{1, 9}})},
		"no replica":        {Snapshot: topic(state.Partition{})},
		"a gap in ids":      {Snapshot: topic(state.Partition{ID: 1, Replicas: []state.BrokerID{1}})},
		"no partition":      {Snapshot: topic()},
		"a bad port":        {Snapshot: sandbox.Empty(1, 0), Listen: "127.0.0.1:x"},
		"no port":           {Snapshot: sandbox.Empty(1, 0), Listen: "127.0.0.1"},
		"a stalled unknown": {Snapshot: sandbox.Empty(1, 0), Stalled: []state.TopicPartition{{Topic: "x"}}},
	} {
		if s, err := sandbox.Start(o); err == nil {
			s.Close()
			t.Errorf("%s: it started", name)
		}
	}
}

// mixed is a cluster with a dead broker, a move in flight, throttles, an
// override, a topic out of sync and unknown sizes.
func mixed() *state.Snapshot {
	s := sandbox.Empty(6, 3)
	s.ClusterID = "4L6g3nShT-eMCtK--X86sw"
	s.Brokers[5].Alive = false
	s.Brokers[5].LogDirs = nil
	s.Brokers[0].Config = map[string]state.ConfigValue{leaderRate: {Value: "7", Source: state.SourceBroker}}
	s.Topics = []state.Topic{
		{
			Name: "orders",
			Config: map[string]state.ConfigValue{
				"retention.ms":        {Value: "99", Source: state.SourceTopic},
				"min.insync.replicas": {Value: "2", Source: state.SourceStatic},
				"segment.bytes":       {Value: "1073741824", Source: state.SourceDefault},
				"vendor.key":          {Value: "x", Source: state.SourceTopic},
			},
			Partitions: []state.Partition{
				{ID: 0, Replicas: []state.BrokerID{1, 2, 3}, ISR: []state.BrokerID{1, 2}, Leader: 1, Adding: []state.BrokerID{3}, Removing: []state.BrokerID{2}, Size: state.KnownSize(10 * MB)},
				{ID: 1, Replicas: []state.BrokerID{6, 1}, ISR: []state.BrokerID{1}, Leader: 1, Size: state.KnownSize(10 * MB)},
				{ID: 2, Replicas: []state.BrokerID{6}, Leader: state.NoLeader, ELR: []state.BrokerID{6}},
			},
		},
	}
	return s
}

func TestASnapshotIsWhatItWasStartedFrom(t *testing.T) {
	l := newLab(t, from(mixed()), func(o *sandbox.Options) {
		o.Stalled = []state.TopicPartition{{Topic: "orders"}}
	})
	got := l.Snapshot()
	same(t, "cluster id", []any{got.ClusterID, l.ClusterID()}, []any{"4L6g3nShT-eMCtK--X86sw", "4L6g3nShT-eMCtK--X86sw"})
	same(t, "dead broker", []any{got.Brokers[5].Alive, got.Brokers[5].Rack, got.Brokers[5].LogDirs == nil}, []any{false, "r3", true})
	same(t, "its rate", got.Brokers[0].Config[leaderRate], state.ConfigValue{Value: "7", Source: state.SourceBroker})
	orders := got.Topic("orders")
	for key, want := range mixed().Topics[0].Config {
		same(t, key, orders.Config[key], want)
	}
	want := mixed().Topics[0].Partitions
	want[0].Offline, want[1].Offline, want[2].Offline = nil, []state.BrokerID{6}, []state.BrokerID{6}
	for i := range want {
		same(t, fmt.Sprintf("partition %d", i), orders.Partitions[i], want[i])
	}
	l.ResumeMove("orders", 0)
	l.pass(time.Second)
	l.is("orders", 0, ids(1, 3), ids(1, 3))
	if err := l.RestartBroker(6); err != nil {
		t.Fatal(err)
	}
	l.pass(time.Second)
	l.is("orders", 1, ids(6, 1), ids(1, 6))
	l.leads("orders", 2, 6)
}

func TestASnapshotCanBeWrittenAndStartedAgain(t *testing.T) {
	l := newLab(t, from(mixed()))
	l.pass(time.Second)
	var file bytes.Buffer
	first := l.Snapshot()
	if err := state.Encode(&file, first); err != nil {
		t.Fatal(err)
	}
	read, _, err := state.Decode(&file, "snapshot.json")
	if err != nil {
		t.Fatal(err)
	}
	again := newLab(t, from(read)).Snapshot()
	same(t, "topics", again.Topics, first.Topics)
}

func TestBrokersListenOnNeighbouringPorts(t *testing.T) {
	for base := 21_000; base < 30_000; base += 97 {
		s, err := sandbox.Start(sandbox.Options{Snapshot: sandbox.Empty(3, 0), Listen: fmt.Sprintf("127.0.0.1:%d", base)})
		if err != nil {
			continue // one of the ports is somebody's
		}
		defer s.Close()
		same(t, "addresses", s.Bootstrap(), []string{fmt.Sprintf("127.0.0.1:%d", base), fmt.Sprintf("127.0.0.1:%d", base+1), fmt.Sprintf("127.0.0.1:%d", base+2)})
		if other, err := sandbox.Start(sandbox.Options{Snapshot: sandbox.Empty(3, 0), Listen: fmt.Sprintf("127.0.0.1:%d", base)}); err == nil {
			other.Close()
			t.Error("two clusters on one port")
		}
		return
	}
	t.Fatal("no three free ports in a row")
}

// large is 100,000 partitions of 2,000 topics on 60 brokers.
func large() *state.Snapshot {
	s := sandbox.Empty(60, 3)
	for i := range 2000 {
		t := state.Topic{Name: fmt.Sprintf("topic-%04d", i)}
		for p := range 50 {
			n := (i*50 + p) % 60
			list := []state.BrokerID{state.BrokerID(n + 1), state.BrokerID((n+20)%60 + 1), state.BrokerID((n+40)%60 + 1)}
			t.Partitions = append(t.Partitions, state.Partition{ID: int32(p), Replicas: list, ISR: list, Leader: list[0], Size: state.KnownSize(1 << 30)})
		}
		s.Topics = append(s.Topics, t)
	}
	return s
}

// BenchmarkMetadata reads all metadata of 100,000 partitions over the wire.
func BenchmarkMetadata(b *testing.B) {
	s, err := sandbox.Start(sandbox.Options{Snapshot: large()})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	client := connect(b, s)
	for b.Loop() {
		resp, err := client.Broker(1).Request(context.Background(), kmsg.NewPtrMetadataRequest())
		if err != nil || len(resp.(*kmsg.MetadataResponse).Topics) != 2000 {
			b.Fatal(err)
		}
	}
}

func BenchmarkStart(b *testing.B) {
	snap := large()
	for b.Loop() {
		s, err := sandbox.Start(sandbox.Options{Snapshot: snap})
		if err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}

// BenchmarkMoves lets 3,000 moves of 60 brokers run to their end.
func BenchmarkMoves(b *testing.B) {
	snap := large()
	for b.Loop() {
		clock := sandbox.NewManual(time.Unix(0, 0))
		s, err := sandbox.Start(sandbox.Options{Snapshot: snap, Clock: clock})
		if err != nil {
			b.Fatal(err)
		}
		for i := range 3000 {
			p := snap.Topics[i%2000].Partitions[i%50]
			list := []state.BrokerID{p.Replicas[0], p.Replicas[1], (p.Replicas[2]+state.BrokerID(i%17))%60 + 1}
			if list[2] == list[0] || list[2] == list[1] {
				continue
			}
			if err := s.ForeignReassignment(snap.Topics[i%2000].Name, p.ID, list...); err != nil {
				b.Fatal(err)
			}
		}
		clock.Advance(24 * time.Hour)
		if n := inFlight(s.Snapshot()); n != 0 {
			b.Fatalf("%d are still in flight", n)
		}
		s.Close()
	}
}

func inFlight(s *state.Snapshot) (n int) {
	for _, t := range s.Topics {
		for i := range t.Partitions {
			if t.Partitions[i].InFlight() {
				n++
			}
		}
	}
	return n
}
