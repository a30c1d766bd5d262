package clustertest

import (
	"fmt"

	"ballast/state"
)

const (
	leaderRate   = "leader.replication.throttled.rate"
	followerRate = "follower.replication.throttled.rate"
	leaderList   = "leader.replication.throttled.replicas"
	followerList = "follower.replication.throttled.replicas"
)

// moves: a move ends with the replicas that were asked for, in order, in sync;
// the leader stays where it stays a replica, and goes to the first of the new
// ones where not; the removed copy's data go.
func moves(s *suite) {
	name := s.create(ids(1, 2), ids(1, 2), ids(1, 2))
	s.must(s.Fill(s.ctx, name, 0, 500_000))
	s.move(name, 0, ids(4, 2, 6))
	s.move(name, 1, ids(3, 1))
	if p := s.settled(name, 0, 4, 2, 6); p.Leader != 4 {
		s.Errorf("after the leader's replica went, %d leads, not the first of %v", p.Leader, p.Replicas)
	}
	if p := s.settled(name, 1, 3, 1); p.Leader != 1 {
		s.Errorf("a leader that stays a replica was replaced by %d", p.Leader)
	}
	s.settled(name, 2, 1, 2)
	s.await("the new copy has the data", func() string {
		if size, _ := s.replicaSize(6, name, 0); size < 500_000 {
			return fmt.Sprintf("it has %d bytes", size)
		}
		return ""
	})
	s.await("the old copy goes", func() string {
		if _, ok := s.replicaSize(1, name, 0); ok {
			return "it is on broker 1"
		}
		return ""
	})
}

// instantMoves: what copies nothing is done when it is acknowledged, and was
// never in flight.
func instantMoves(s *suite) {
	name := s.create(ids(1, 3, 5), ids(1, 3, 5), ids(1, 3, 5))
	s.move(name, 0, ids(5, 1, 3))
	s.move(name, 1, ids(3, 5))
	s.move(name, 2, ids(1, 3, 5))
	for n := range int32(3) {
		if o := s.ongoing(name, n); o != nil {
			s.Errorf("%s-%d is in flight: %+v", name, n, *o)
		}
	}
	if p := s.settled(name, 0, 5, 1, 3); p.Leader != 1 {
		s.Errorf("a new order made %d the leader", p.Leader)
	}
	if p := s.settled(name, 1, 3, 5); p.Leader != 3 {
		s.Errorf("without the leader's replica %d leads, not the first one", p.Leader)
	}
}

// hold throttles a topic's copying to nothing, on both sides, on all brokers,
// and resets that when the test ends.
func (s *suite) hold(topic string) {
	s.Helper()
	for id := state.BrokerID(1); id <= 6; id++ {
		s.rate(id, "0")
	}
	s.set(topicRes(topic), leaderList, "*")
	s.set(topicRes(topic), followerList, "*")
}

// rate sets both rates of a broker until the test ends.
func (s *suite) rate(id state.BrokerID, bytesPerSecond string) {
	s.Helper()
	s.resetAtEnd(brokerRes(id), leaderRate, followerRate)
	s.set(brokerRes(id), leaderRate, bytesPerSecond)
	s.set(brokerRes(id), followerRate, bytesPerSecond)
}

// cancel: a move that is held can be seen, is not done twice, and a cancel
// gives the old replicas back as a set.
func cancel(s *suite) {
	name := s.create(ids(1, 2), ids(1, 2))
	s.must(s.Fill(s.ctx, name, 0, 1_000_000))
	s.must(s.Fill(s.ctx, name, 1, 1_000_000))
	s.hold(name)
	s.move(name, 0, ids(3, 4))
	s.move(name, 0, ids(3, 4)) // again: accepted, and nothing changes
	s.move(name, 1, ids(2, 3))
	s.await("the move is in flight", func() string { return s.inFlight(name) })
	all, err := s.Cluster.Metadata(s.ctx, nil)
	s.must(err)
	if p := all.Topic(name).Partitions[1]; !state.SameSet(p.Adding, ids(3)) || !state.SameSet(p.Removing, ids(1)) || !equal(p.Target(), ids(2, 3)) {
		s.Errorf("%s-1 is %+v", name, p)
	}
	s.move(name, 0, nil)
	s.move(name, 1, nil)
	for n := range int32(2) {
		s.await("the old replicas are back", func() string {
			if p := s.partition(name, n); p.InFlight() || !state.SameSet(p.Replicas, ids(1, 2)) || !state.SameSet(p.ISR, ids(1, 2)) || p.Leader != 1 {
				return fmt.Sprintf("it is %+v", *p)
			}
			return ""
		})
	}
	if p := s.partition(name, 1); !equal(p.Replicas, ids(2, 1)) {
		s.Errorf("[1 2] -> [2 3], cancelled, is %v; Kafka leaves [2 1]", p.Replicas)
	}
	s.await("the partial copy goes", func() string {
		if _, ok := s.replicaSize(3, name, 0); ok {
			return "it is on broker 3"
		}
		return ""
	})
	errs, err := s.Cluster.Reassign(s.ctx, []state.Reassignment{{TopicPartition: state.TopicPartition{Topic: name}}})
	s.refused("cancelling what is not in flight", []int16{state.CodeNoReassignment}, errs, err)
}

// inFlight says what is not yet as a held move [1 2] -> [3 4] must be.
func (s *suite) inFlight(name string) string {
	s.Helper()
	o, p := s.ongoing(name, 0), s.partition(name, 0)
	switch {
	case o == nil || !equal(o.Replicas, ids(3, 4, 1, 2)) || !state.SameSet(o.Adding, ids(3, 4)) || !state.SameSet(o.Removing, ids(1, 2)):
		return fmt.Sprintf("it is listed as %+v", o)
	case !equal(p.Replicas, ids(3, 4, 1, 2)) || !state.SameSet(p.Adding, ids(3, 4)) || !state.SameSet(p.Removing, ids(1, 2)) || !state.SameSet(p.ISR, ids(1, 2)) || p.Leader != 1:
		return fmt.Sprintf("it is %+v", *p)
	}
	return ""
}

// moveErrors: a request is good or bad for each partition by itself.
func moveErrors(s *suite) {
	name := s.create(ids(1, 2), ids(1, 2))
	move := func(topic string, n int32, replicas []state.BrokerID) state.Reassignment {
		return state.Reassignment{TopicPartition: state.TopicPartition{Topic: topic, Partition: n}, Replicas: replicas}
	}
	errs, err := s.Cluster.Reassign(s.ctx, []state.Reassignment{
		move(name, 0, ids(1, 99)), move(name, 1, ids(2, 1)), move(name, 7, ids(1)), move(name+"-not", 0, ids(1)),
	})
	s.refused("moving", []int16{39, 0, 3, 3}, errs, err)
	for what, replicas := range map[string][]state.BrokerID{"a broker twice": ids(1, 1), "an empty list": ids(), "a negative id": ids(1, -5)} {
		if replicas == nil {
			replicas = []state.BrokerID{}
		}
		errs, err = s.Cluster.Reassign(s.ctx, []state.Reassignment{move(name, 0, replicas)})
		s.refused(what, []int16{39}, errs, err)
	}
	s.settled(name, 0, 1, 2)
	s.settled(name, 1, 2, 1)
}
