package clustertest

// brokers: the six brokers are alive, with their racks, their log dirs and the
// cluster's id, whatever is asked for.
func brokers(s *suite) {
	snap, err := s.Cluster.Snapshot(s.ctx)
	s.must(err)
	if s.ClusterID != "" && snap.ClusterID != s.ClusterID {
		s.Errorf("the cluster id is %q, not %q", snap.ClusterID, s.ClusterID)
	}
	if snap.TakenAt.IsZero() || snap.TakenAt.Nanosecond() != 0 {
		s.Errorf("the snapshot was taken at %v, not at a whole second", snap.TakenAt)
	}
	if len(snap.Unread) > 0 {
		s.Errorf("not everything could be read: %v", snap.Unread)
	}
	racks := []string{"r1", "r1", "r2", "r2", "r3", "r3"}
	if len(snap.Brokers) != len(racks) {
		s.Fatalf("there are %d brokers, not %d", len(snap.Brokers), len(racks))
	}
	for i, b := range snap.Brokers {
		if int(b.ID) != i+1 || b.Rack != racks[i] || !b.Alive || b.Host == "" || b.Port == 0 {
			s.Errorf("broker %d is %+v", i+1, b)
		}
		if len(b.LogDirs) == 0 || b.Config == nil {
			s.Errorf("broker %d's log dirs or configs could not be read", b.ID)
		}
		for _, d := range b.LogDirs {
			if d.Path == "" || d.Offline || !d.Total.Known || !d.Usable.Known || d.Usable.Bytes > d.Total.Bytes {
				s.Errorf("broker %d has the log dir %+v", b.ID, d)
			}
		}
	}
	none, err := s.Cluster.Metadata(s.ctx, []string{})
	s.must(err)
	if len(none.Brokers) != len(racks) || len(none.Topics) != 0 {
		s.Errorf("asked for no topic, the metadata has %d brokers and %d topics", len(none.Brokers), len(none.Topics))
	}
}
