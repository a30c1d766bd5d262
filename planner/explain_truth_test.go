package planner_test

import (
	"slices"
	"strings"
	"testing"

	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

// explained explains a partition, and fails where that cannot be done.
func explained(t *testing.T, d *config.Desired, s *state.Snapshot, topic string, partition int32) *planner.Explanation {
	t.Helper()
	e, err := planner.Explain(d, s, planner.Options{SnapshotFile: "s.json"}, topic, partition)
	if err != nil || len(e.Failed) > 0 {
		t.Fatal(err, e)
	}
	return e
}

func TestAPinAllowsNoOtherBroker(t *testing.T) {
	pinned := want("t", 1, 1)
	pinned.Replicas.Pin = map[int32][]state.BrokerID{0: on(2)}
	e := explained(t, desired(pinned), cluster(3, 0, topic("t", on(1))), "t", 0)
	for _, id := range []int{1, 3} {
		if a := other(t, e.Replicas[0], id); a.Allowed || a.Verdict != "is not in the pin" {
			t.Errorf("%+v", a)
		}
	}
}

func TestNoBrokerIsAllowedThatWouldLeaveTheLeaderWhereItMayNotBe(t *testing.T) {
	led := want("t", 1, 2)
	led.Leaders = config.Leaders{Brokers: on(1), Required: true}
	e := explained(t, desired(led), cluster(4, 0, topic("t", on(1, 2))), "t", 0)
	if !slices.Contains(e.Rules, "led from where leaders says: 1") {
		t.Errorf("%q", e.Rules)
	}
	if a := other(t, e.Replicas[0], 3); a.Allowed || !strings.Contains(a.Verdict, "required") {
		t.Errorf("%+v", a)
	}
	if a := other(t, e.Replicas[1], 3); !a.Allowed || a.Copies != 1 {
		t.Errorf("%+v", a)
	}
}

func TestGoingBackWouldSaveTheCopyThatBalanceCosts(t *testing.T) {
	even := want("t", 2, 1)
	even.Replicas.Balance = config.BalanceTopic
	s := cluster(2, 0, topic("t", on(1), on(1)))
	for p := range int32(2) {
		e := explained(t, desired(even), s, "t", p)
		if e.Replicas[0].Kept {
			continue
		}
		a := other(t, e.Replicas[0], 1)
		if a.Copies != -1 || a.Bytes == nil || *a.Bytes != -100 || a.Verdict != "one copy less, but less even: the topic would have 2 there and 0 on broker 2" {
			t.Errorf("%+v", a)
		}
		return
	}
	t.Error("no replica moves")
}

func TestEvennessIsWeighedAsTheRuleWeighsIt(t *testing.T) {
	// Shares of 8 replicas are 0.8 five times, and 4 for the broker of weight 5: its
	// fourth is worth more than a second one elsewhere.
	s := cluster(6, 0)
	d := desired(want("t", 8, 1))
	d.Brokers = []config.Broker{{ID: 6, Weight: 5}}
	heavy := 0
	for p := range int32(8) {
		r := explained(t, d, s, "t", p).Replicas[0]
		if r.Broker != 6 {
			continue
		}
		heavy++
		if r.Why != "it evens out the load best" {
			t.Errorf("%q", r.Why)
		}
		for _, a := range r.Others {
			if !strings.HasPrefix(a.Verdict, "less even: the topic would have ") {
				t.Errorf("%+v", a)
			}
		}
	}
	if heavy != 4 {
		t.Errorf("%d replicas are on the broker of weight 5", heavy)
	}
}

func TestAnUndeclaredTopicThatDrainsIsExplainedByItsOwnBounds(t *testing.T) {
	// 1 and 4 are in rack a, 2 and 5 in b, 3 and 6 in c.
	d := drain(desired(), 4)
	d.Unmanaged.Replicas = config.UnmanagedDrain
	e := explained(t, d, cluster(6, 3, topic("t", on(4, 5, 6))), "t", 0)
	if !slices.Contains(e.Rules, `rack "a": 1 to 1`) {
		t.Errorf("%q", e.Rules)
	}
	for _, r := range e.Replicas {
		if r.Broker != 1 {
			continue
		}
		if a := other(t, r, 2); a.Allowed || !strings.Contains(a.Verdict, `rack "b" holds 1 already`) {
			t.Errorf("%+v", a)
		}
		if r.Why != "no other broker is allowed without copying more" {
			t.Errorf("%+v", r)
		}
	}
}
