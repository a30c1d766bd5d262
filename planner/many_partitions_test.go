package planner_test

import (
	"testing"

	"ballast/state"
)

// The usual replication factor of a topic is found once, not for each partition.
func TestATopicOfManyPartitionsTakesNoLongerForSayingNothing(t *testing.T) {
	lists := make([][]state.BrokerID, 60_000)
	for i := range lists {
		lists[i] = on(1, 2)
	}
	p := planOf(desired(want("t", 0, 0)), cluster(2, 0, topic("t", lists...)))
	noErrors(t, p)
	unchanged(t, p, "t")
}
