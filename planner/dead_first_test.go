package planner_test

import "testing"

func TestWhereTheReplicationFactorFallsDeadReplicasGoBeforeLiveOnes(t *testing.T) {
	s := cluster(6, 3, topic("orders", on(1, 4, 2)), topic("unknown", on(1, 3, 5)))
	s.Brokers[1].Alive = false // rack b: with 1 and 4 in rack a, an even spread would keep it
	s.Brokers[4].Alive, s.Brokers[4].Rack = false, ""
	s.Topics[0].Partitions[0].ISR = on(1, 4)
	s.Topics[1].Partitions[0].ISR = on(1, 3)
	p := planOf(desired(want("orders", 1, 2), want("unknown", 1, 2)), s)
	noErrors(t, p)
	after := map[string][]int32{}
	for _, c := range p.Changes {
		for _, b := range c.Assignments[0].After {
			after[c.Topic] = append(after[c.Topic], int32(b))
		}
	}
	has := func(topic string, b int32) bool {
		for _, x := range after[topic] {
			if x == b {
				return true
			}
		}
		return false
	}
	if has("orders", 2) || len(after["orders"]) != 2 {
		t.Errorf("orders ends on %v, with the dead broker 2 in a live one's stead", after["orders"])
	}
	if has("unknown", 5) || len(after["unknown"]) != 2 {
		t.Errorf("unknown ends on %v: the dead replica whose rack is not known is the one too many", after["unknown"])
	}
}
