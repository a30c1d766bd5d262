package clustertest

import (
	"fmt"

	"ballast/state"
)

// deaths: a dead broker leaves the living after its session; its replicas
// stay, offline and out of the ISR; moves onto it wait for it, and can be
// cancelled; when it is back everything is as it was.
func deaths(s *suite) {
	if s.Kill == nil {
		s.Skip("this cluster's brokers cannot be killed")
	}
	name := s.create(ids(6, 1), ids(1, 2), ids(1, 2))
	s.must(s.Fill(s.ctx, name, 0, 200_000))
	s.must(s.Kill(6))
	dead := true
	s.Cleanup(func() {
		if dead {
			_ = s.Restart(6)
		}
	})
	s.await("the broker is known to be dead", func() string { return s.seenDead(name) })
	s.readWithout(6)
	s.moveOntoTheDead(name)
	errs, err := s.Cluster.ElectPreferred(s.ctx, []state.TopicPartition{{Topic: name}})
	s.refused("electing the dead", []int16{state.CodePreferredUnavailable}, errs, err)

	s.must(s.Restart(6))
	dead = false
	s.settled(name, 1, 1, 6)
	if p := s.settled(name, 0, 6, 1); p.Leader != 1 {
		s.Errorf("the preferred leader that came back leads by itself: %d", p.Leader)
	}
	s.done(s.Cluster.ElectPreferred(s.ctx, []state.TopicPartition{{Topic: name}}))
	s.await("the preferred leader leads", func() string {
		if p := s.partition(name, 0); p.Leader != 6 {
			return fmt.Sprintf("%d leads", p.Leader)
		}
		return ""
	})
}

// seenDead says what is not yet as it must be with broker 6 dead.
func (s *suite) seenDead(name string) string {
	s.Helper()
	snap, err := s.Cluster.Metadata(s.ctx, []string{name})
	s.must(err)
	b, p := snap.Broker(6), snap.Topic(name).Partitions[0]
	switch {
	case b == nil || b.Alive:
		return fmt.Sprintf("it is %+v", b)
	case b.Rack != "r3":
		return fmt.Sprintf("its rack is %q", b.Rack)
	case p.Leader != 1 || !equal(p.Replicas, ids(6, 1)) || !equal(p.ISR, ids(1)) || !equal(p.Offline, ids(6)):
		return fmt.Sprintf("its partition is %+v", p)
	}
	return ""
}

// readWithout checks that a snapshot is read all the same, and says what of
// the dead broker it lacks.
func (s *suite) readWithout(id state.BrokerID) {
	s.Helper()
	snap, err := s.Cluster.Snapshot(s.ctx)
	s.must(err)
	b := snap.Broker(id)
	if b == nil || b.Alive || b.LogDirs != nil || b.Config != nil {
		s.Errorf("in the snapshot, the dead broker is %+v", b)
	}
	unread := map[string]bool{}
	for _, u := range snap.Unread {
		unread[u.What+" "+u.Name] = true
	}
	if name := fmt.Sprint(id); !unread["log_dirs "+name] || !unread["broker_config "+name] {
		s.Errorf("what could not be read of broker %d is not said: %v", id, snap.Unread)
	}
	_, errs, err := s.Cluster.LogDirs(s.ctx, ids(id, 1))
	s.refused("log dirs of a dead and a live broker", []int16{8, 0}, errs, err)
}

// moveOntoTheDead starts two moves onto broker 6: one that is cancelled, and
// one that waits for it.
func (s *suite) moveOntoTheDead(name string) {
	s.Helper()
	s.move(name, 1, ids(1, 6))
	s.move(name, 2, ids(1, 6))
	for n := int32(1); n <= 2; n++ {
		s.await("the move waits", func() string {
			if o := s.ongoing(name, n); o == nil || !state.SameSet(o.Adding, ids(6)) || !state.SameSet(o.Removing, ids(2)) {
				return fmt.Sprintf("it is %+v", o)
			}
			return ""
		})
	}
	s.move(name, 2, nil)
	s.await("the cancelled move is gone", func() string {
		if p := s.partition(name, 2); p.InFlight() || !state.SameSet(p.Replicas, ids(1, 2)) {
			return fmt.Sprintf("it is %+v", *p)
		}
		return ""
	})
}
