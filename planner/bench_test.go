package planner_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

// wide is a cluster of 60 brokers in three racks, a tenth of which drain, with
// topics of 100 partitions of three replicas, one a rack.
func wide(topics int) (*config.Desired, *state.Snapshot) {
	s, d := cluster(60, 3), desired()
	for i := range topics {
		t := state.Topic{Name: fmt.Sprintf("t%05d", i), Config: map[string]state.ConfigValue{}}
		for p := range 100 {
			n := state.BrokerID(i + p)
			list := on(n%20*3+1, (n+7)%20*3+2, (n+13)%20*3+3)
			t.Partitions = append(t.Partitions, state.Partition{ID: int32(p), Replicas: list, ISR: list, Leader: list[0], Size: state.KnownSize(int64(1000 + p*i))})
		}
		s.Topics = append(s.Topics, t)
		d.Topics = append(d.Topics, want(t.Name, 100, 3))
	}
	return drain(d, 1, 2, 3, 31, 32, 33), s
}

func BenchmarkMake(b *testing.B) {
	for _, topics := range []int{20, 200} {
		d, s := wide(topics)
		b.Run(fmt.Sprintf("%dpartitions", topics*100), func(b *testing.B) {
			for b.Loop() {
				if p := planOf(d, s); p.Errored {
					b.Fatal(codes(p))
				}
			}
		})
	}
}

func BenchmarkCodec(b *testing.B) {
	p := planOf(wide(200))
	var doc bytes.Buffer
	if err := planner.Encode(&doc, p); err != nil {
		b.Fatal(err)
	}
	b.Run("encode", func(b *testing.B) {
		b.SetBytes(int64(doc.Len()))
		for b.Loop() {
			if err := planner.Encode(io.Discard, p); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("decode", func(b *testing.B) {
		b.SetBytes(int64(doc.Len()))
		for b.Loop() {
			if _, err := planner.Decode(bytes.NewReader(doc.Bytes()), "p"); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkInfeasible plans 5,000 topics whose rules cannot be met: the same for
// all, and brokers of its own for each.
func BenchmarkInfeasible(b *testing.B) {
	for _, own := range []bool{false, true} {
		s, d := cluster(300, 3), desired()
		for i := range 5000 {
			w := want(fmt.Sprintf("t%05d", i), 1, 3)
			w.Replicas = config.Replicas{Class: "ssd", RackSpread: config.SpreadDistinct}
			for id := range state.BrokerID(200) {
				if own && id == state.BrokerID(i/300) {
					continue
				}
				if own {
					id = (id + state.BrokerID(i)) % 300
				}
				w.Replicas.Brokers = append(w.Replicas.Brokers, id+1)
			}
			d.Topics = append(d.Topics, w)
		}
		d.Classes = []config.BrokerClass{{Name: "ssd", Racks: []string{"a", "b"}}}
		drain(d, 1, 2, 3)
		b.Run(fmt.Sprintf("ownBrokers=%t", own), func(b *testing.B) {
			for b.Loop() {
				if p := planOf(d, s); !p.Errored {
					b.Fatal("it can be planned")
				}
			}
		})
	}
}
