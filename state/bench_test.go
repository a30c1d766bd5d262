package state

import (
	"bytes"
	"fmt"
	"io"
	"testing"
)

// large is a snapshot of 200,000 partitions with three replicas each.
func large() *Snapshot {
	s := &Snapshot{ClusterID: "c"}
	for i := range 300 {
		s.Brokers = append(s.Brokers, Broker{ID: BrokerID(i), Rack: fmt.Sprintf("r%d", i%3), Host: "h", Port: 9092, Alive: true})
	}
	for i := range 2000 {
		t := Topic{Name: fmt.Sprintf("topic-%04d", i), Config: map[string]ConfigValue{MinISRConfig: {"2", SourceTopic}, "retention.ms": {"604800000", SourceDefault}}}
		for j := range 100 {
			a := (i*100 + j) % 98 * 3
			ids := []BrokerID{BrokerID(a), BrokerID(a + 1), BrokerID(a + 2)}
			t.Partitions = append(t.Partitions, Partition{ID: int32(j), Replicas: ids, ISR: ids, Leader: ids[0], Size: KnownSize(1_000_000_000 + int64(j))})
		}
		s.Topics = append(s.Topics, t)
	}
	return s
}

func BenchmarkDecode(b *testing.B) {
	var doc bytes.Buffer
	if err := Encode(&doc, large()); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(doc.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Decode(bytes.NewReader(doc.Bytes()), "s.json"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	s := large()
	b.ReportAllocs()
	for b.Loop() {
		if err := Encode(io.Discard, s); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFingerprint(b *testing.B) {
	s := large()
	for b.Loop() {
		Fingerprint(s)
	}
}
