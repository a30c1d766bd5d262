package planner_test

import (
	"strings"
	"testing"

	"ballast/state"
)

func TestNewPartitionsHaveAsManyReplicasAsPartitionZero(t *testing.T) {
	mixed := cluster(4, 0, topic("mixed", on(1), on(2, 3), on(3, 4), on(4, 1)))
	p := planOf(desired(want("mixed", 6, 0)), mixed)
	noErrors(t, p)
	for _, a := range change(t, p, "mixed").Assignments {
		if len(a.Before) == 0 && len(a.After) != 1 {
			t.Errorf("partition %d is added on %v; Kafka refuses more than the 1 of partition 0", a.Partition, a.After)
		}
	}
	if w := diagnostic(t, p, "growth_factor"); w.Summary != `New partitions of topic "mixed" get 1 replica, and most have 2` || w.Line != 6 {
		t.Errorf("%+v", w)
	}

	pinned := desired(want("mixed", 6, 0))
	pinned.Topics[0].Replicas.Pin = map[int32][]state.BrokerID{5: on(1, 2, 3)}
	if e := diagnostic(t, planOf(pinned, mixed), "growth_factor"); !strings.Contains(e.Summary, "partition 5 would have 3 replicas, and partition 0 has 1") {
		t.Errorf("%+v", e)
	}
}

func TestGrowthWhosePartitionZeroWaitsForARackIsAnError(t *testing.T) {
	s := cluster(6, 3, topic("orders", on(1, 2), on(3, 4)))
	s.Brokers[1].Alive, s.Brokers[1].Rack = false, ""
	s.Topics[0].Partitions[0].ISR = on(1)
	p := planOf(desired(want("orders", 3, 3)), s)
	if e := diagnostic(t, p, "growth_factor"); !strings.Contains(e.Detail, "Partition 0 waits for the rack of a dead broker") {
		t.Errorf("%+v", e)
	}
	unchanged(t, p, "orders")
}
