package planner_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ballast/planner"
)

// other returns what an explanation says of another broker for a replica.
func other(t *testing.T, r planner.ExplainedReplica, id int) planner.Alternative {
	t.Helper()
	for _, a := range r.Others {
		if int(a.Broker) == id {
			return a
		}
	}
	t.Fatalf("nothing of broker %d in %+v", id, r.Others)
	return planner.Alternative{}
}

func TestAnExplanationNamesTheRuleOrTheCostOfEveryOtherBroker(t *testing.T) {
	// Brokers 1, 4 are in rack a, 2, 5 in b, 3, 6 in c; 6 drains.
	s := cluster(6, 3, topic("full", on(5), on(5)), topic("t", on(1, 6, 2)))
	d := drain(desired(want("t", 1, 3)), 6)
	e, err := planner.Explain(d, s, planner.Options{SnapshotFile: "s.json"}, "t", 0)
	if err != nil {
		t.Fatal(err)
	}
	if e.Reasons[0] != planner.ReasonDrain || len(e.Rules) != 4 {
		t.Errorf("%+v", e)
	}
	for _, r := range e.Replicas {
		switch r.Broker {
		case 1:
			if a := other(t, r, 4); !r.Kept || !a.Allowed || a.Copies != 1 || *a.Bytes != 100 {
				t.Errorf("%+v %+v", r, a)
			}
		case 3:
			if a := other(t, r, 5); r.Kept || a.Allowed || !strings.Contains(a.Verdict, `rack "b"`) {
				t.Errorf("%+v %+v", r, a)
			}
			if a := other(t, r, 6); a.Verdict != "drains" {
				t.Errorf("%+v", a)
			}
		}
	}
}

func TestWhereLoadDecidesTheExplanationCountsIt(t *testing.T) {
	s := cluster(3, 0, topic("t", on(1), on(2)))
	e, err := planner.Explain(desired(want("t", 3, 1)), s, planner.Options{SnapshotFile: "s.json"}, "t", 2)
	if err != nil {
		t.Fatal(err)
	}
	r := e.Replicas[0]
	if r.Broker != 3 || !strings.Contains(r.Why, "best") || !strings.Contains(other(t, r, 1).Verdict, "less even: the topic would have 2") {
		t.Errorf("%+v", r)
	}
}

func TestWhatFailedIsExplainedByItsErrors(t *testing.T) {
	s := cluster(1, 0, topic("t", on(1)))
	e, err := planner.Explain(desired(want("t", 1, 2)), s, planner.Options{SnapshotFile: "s.json"}, "t", 0)
	if err != nil || len(e.Failed) != 1 || len(e.After) != 1 {
		t.Errorf("%v %+v", err, e)
	}
	if _, err := planner.Explain(desired(), s, planner.Options{}, "t", 9); err == nil {
		t.Error("a partition that does not exist is explained")
	}
}

func TestAPartitionIsWrittenAsATargetWithItsNumber(t *testing.T) {
	if topic, p, err := planner.ParsePartition("topic.a.b-c[12]"); topic != "a.b-c" || p != 12 || err != nil {
		t.Error(topic, p, err)
	}
	for _, bad := range []string{"", "orders[0]", "topic.orders", "topic.[0]", "topic.a[-1]", "topic.a[x]", "topic.a[1", "topic.a[1]]"} {
		if _, _, err := planner.ParsePartition(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestEveryPartitionCanBeExplained(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawCluster(t)
		d := drawDesired(t, s)
		for _, topic := range s.Topics {
			for _, p := range topic.Partitions {
				e, err := planner.Explain(d, s, planner.Options{SnapshotFile: "s.json"}, topic.Name, p.ID)
				if d.Topic(topic.Name) == nil {
					continue // it may be deleted
				}
				if err != nil || len(e.After) == 0 || len(e.Failed) == 0 && len(e.Replicas) != len(e.After) {
					t.Fatalf("%v %+v", err, e)
				}
			}
		}
	})
}
