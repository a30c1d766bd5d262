package placement

import (
	"slices"
	"testing"
)

// led is a topic on all brokers, even over racks, with a leader preference by
// broker, of partitions in sync that are led by their first replica.
func led(ranks []int16, n int16, rf int16, lists ...[]int16) Topic {
	t := Topic{Spread: SpreadEven, LeaderRank: ranks, NumLeaderRanks: n}
	for b := range ranks {
		t.Eligible = append(t.Eligible, int16(b))
	}
	for _, l := range lists {
		t.Partitions = append(t.Partitions, Partition{RF: min(rf, int16(len(l))), Replicas: l, Leader: l[0], Size: -1})
	}
	return t
}

// inRacks are live brokers in these racks.
func inRacks(racks ...int16) (out []Broker) {
	for _, r := range racks {
		out = append(out, Broker{Rack: r, Alive: true, Weight: 1})
	}
	return out
}

func TestAReplicaThatLosesTheLeadInAnyCaseIsWorthNoMoreThanOthers(t *testing.T) {
	// Partition 1 needs a replica on broker 2, the only one of its rack, which then
	// leads. Broker 0 holds more of the topic than 1 does, so it gives up its replica.
	p := &Problem{Brokers: inRacks(0, 0, 1), Racks: 2, Topics: []Topic{
		led([]int16{1, 1, 0}, 1, 2, []int16{0}, []int16{0, 1}),
	}}
	if got := Solve(p).Topics[0].Replicas; !slices.Equal(got[1], []int16{2, 1}) {
		t.Errorf("%v", got)
	}
}

func TestTheReplicaStaysWithWhichTheLeaderComesToTheBestPlace(t *testing.T) {
	// One copy is needed: the leader has to be on 2 or else on 1. Broker 2 is in the
	// rack of today's leader, so with one replica a rack it is 0 that stays.
	topic := led([]int16{2, 1, 0, 2}, 2, 2, []int16{3, 0})
	topic.LeaderRequired = true
	s := Solve(&Problem{Brokers: inRacks(0, 1, 2, 2), Racks: 3, Topics: []Topic{topic}})
	if got := s.Topics[0].Replicas[0]; !slices.Equal(got, []int16{2, 0}) || s.Copies != 1 {
		t.Errorf("%v with %d copies", got, s.Copies)
	}
	// As a preference it is worth no copy.
	topic.LeaderRequired = false
	s = Solve(&Problem{Brokers: inRacks(0, 1, 2, 2), Racks: 3, Topics: []Topic{topic}})
	if got := s.Topics[0].Replicas[0]; !slices.Equal(got, []int16{3, 0}) {
		t.Errorf("%v", got)
	}
}

func TestNoReplicaInSyncIsGivenUpForABetterLeader(t *testing.T) {
	topic := led([]int16{2, 1, 0, 2}, 2, 2, []int16{3, 0})
	topic.LeaderRequired = true
	topic.Partitions[0].OutOfISR = []int16{0}
	s := Solve(&Problem{Brokers: inRacks(0, 1, 2, 2), Racks: 3, Topics: []Topic{topic}})
	if got := s.Topics[0].Replicas[0]; !slices.Equal(got, []int16{1, 3}) {
		t.Errorf("%v", got)
	}
}
