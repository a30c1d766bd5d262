package clustertest

import (
	"fmt"

	"ballast/state"
)

// sizes: a partition's size is its leader's, in the broker's log dirs and in
// the snapshot, and its offsets say that something was written.
func sizes(s *suite) {
	const bytes = 1_000_000
	name := s.create(ids(4, 6), ids(5, 1))
	offsets, err := s.Cluster.Offsets(s.ctx, name)
	s.must(err)
	if len(offsets) != 2 || offsets[0] != (state.Offsets{}) || offsets[1] != (state.Offsets{}) {
		s.Errorf("an empty topic has the offsets %v", offsets)
	}
	s.must(s.Fill(s.ctx, name, 0, bytes))
	s.await("the size is known", func() string {
		snap, err := s.Cluster.Snapshot(s.ctx)
		s.must(err)
		ps := snap.Topic(name).Partitions
		if p, q := ps[0].Size, ps[1].Size; p.Bytes < bytes || p.Bytes > 2*bytes || !q.Known || q.Bytes != 0 {
			return fmt.Sprintf("filled it is %+v, and empty %+v", p, q)
		}
		return ""
	})
	for _, id := range ids(4, 6) {
		s.await("every replica has the data", func() string {
			if size, ok := s.replicaSize(id, name, 0); !ok || size < bytes {
				return fmt.Sprintf("on broker %d it has %d bytes", id, size)
			}
			return ""
		})
	}
	if _, ok := s.replicaSize(1, name, 0); ok {
		s.Errorf("broker 1 has a replica of %s-0", name)
	}
	offsets, err = s.Cluster.Offsets(s.ctx, name)
	s.must(err)
	if offsets[0].Earliest != 0 || offsets[0].Latest < 1 || offsets[1] != (state.Offsets{}) {
		s.Errorf("the filled topic has the offsets %v", offsets)
	}
	if _, err := s.Cluster.Offsets(s.ctx, name+"-not"); code(err) != 3 {
		s.Errorf("the offsets of a topic that is not there: %v", err)
	}
}

// replicaSize is the size of a replica in a broker's log dirs.
func (s *suite) replicaSize(id state.BrokerID, topic string, n int32) (int64, bool) {
	s.Helper()
	dirs, errs, err := s.Cluster.LogDirs(s.ctx, ids(id))
	s.done(errs, err)
	for _, r := range dirs[0].Replicas {
		if r.Broker == id && r.TopicPartition == (state.TopicPartition{Topic: topic, Partition: n}) && !r.Future {
			return r.Bytes, true
		}
	}
	return 0, false
}
