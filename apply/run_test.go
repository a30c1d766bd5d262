package apply

import (
	"strings"
	"testing"
)

func TestCopiesAreRaisedUnderAThrottleThatIsGoneAfterwards(t *testing.T) {
	f := newFixture(t, 3, 3)
	f.topic("orders", 50e6, ids(1), ids(2))
	f.mustLimit = true
	d := desired(topic("orders", 2, 2))
	res := f.mustRun(f.plan(d))
	f.settled(d)
	if res.Counts.ReplicasAdded != 2 {
		t.Errorf("%d replicas added, want 2", res.Counts.ReplicasAdded)
	}
	if !strings.HasPrefix(f.ops(), "config config reassign") || !strings.HasSuffix(f.ops(), "config config") {
		t.Errorf("throttles belong around the moves: %s", f.ops())
	}
}

func TestTheSamePlanAgainWritesNothing(t *testing.T) {
	f := newFixture(t, 3, 3)
	f.topic("orders", 50e6, ids(1), ids(2))
	p := f.plan(desired(topic("orders", 2, 2), topic("new", 3, 2)))
	f.mustRun(p)
	writes := len(f.writes)
	res := f.mustRun(p)
	if len(f.writes) != writes {
		t.Errorf("the second run wrote: %s", f.ops())
	}
	if len(f.told(EventAlready)) == 0 || res.Already.ReplicasAdded != 2 || res.Already.TopicsCreate != 1 || res.Counts.ReplicasAdded != 0 {
		t.Errorf("what was so already is not told: %+v, %+v", res.Already, res.Counts)
	}
}

func TestWhatWasCountedIsWhatWasDone(t *testing.T) {
	f := newFixture(t, 4, 2)
	f.topic("grown", 10e6, ids(1), ids(2), ids(3))
	f.topic("gone", 0, ids(1, 2))
	d := desired(topic("grown", 5, 2), topic("new", 3, 2))
	d.Topics[0].Config["retention.ms"] = "1000"
	d.Absent = append(d.Absent, absent("gone", 0))
	p := f.plan(d)
	res := f.mustRun(p)
	f.settled(d)
	same(t, p.Summary, res.Counts)
	if strings.Index(f.ops(), "add") < strings.Index(f.ops(), "reassign") {
		t.Errorf("partitions are added after the moves: %s", f.ops())
	}
}
