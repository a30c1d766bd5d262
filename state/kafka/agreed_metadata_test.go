package kafka_test

import (
	"strings"
	"testing"
	"time"

	"ballast/state"
	"ballast/state/kafka"
	"ballast/state/sandbox"
)

func TestASnapshotIsNotThatOfABrokerThatIsCutOff(t *testing.T) {
	s := start(t, topics([]string{"a"}, 3))
	if err := s.CutOff(2, 0); err != nil {
		t.Fatal(err)
	}
	if errs, err := connect(t, s).CreateTopics(t.Context(), []state.NewTopic{newTopic("later")}); err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
	for range 8 { // the other broker is drawn
		c := dial(t, kafka.Options{Bootstrap: s.Bootstrap()[1:2], Timeout: 2 * time.Second})
		snap, err := c.Snapshot(t.Context())
		if err != nil || snap.Topic("later") == nil || len(snap.Unread) > 0 {
			t.Fatal(err, snap)
		}
	}
}

func TestASnapshotWaitsForABrokerThatIsBehind(t *testing.T) {
	s, err := sandbox.Start(sandbox.Options{Snapshot: sandbox.Empty(2, 2)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if err := s.CutOff(1, 4); err != nil { // of which connecting takes some
		t.Fatal(err)
	}
	writer := dial(t, kafka.Options{Bootstrap: s.Bootstrap()[1:]})
	if errs, err := writer.CreateTopics(t.Context(), []state.NewTopic{{Name: "later", Assignments: [][]state.BrokerID{{2, 1}}}}); err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
	snap, err := dial(t, kafka.Options{Bootstrap: s.Bootstrap()[:1]}).Snapshot(t.Context())
	if err != nil || snap.Topic("later") == nil || len(snap.Unread) > 0 {
		t.Fatal(err, snap)
	}
}

func TestBrokersThatGoOnDifferingAreSaid(t *testing.T) {
	t.Parallel() // it waits for ten seconds
	s, err := sandbox.Start(sandbox.Options{Snapshot: sandbox.Empty(2, 2)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if err := s.CutOff(1, 0); err != nil {
		t.Fatal(err)
	}
	c := dial(t, kafka.Options{Bootstrap: s.Bootstrap()[1:]})
	if errs, err := c.CreateTopics(t.Context(), []state.NewTopic{{Name: "later", Assignments: [][]state.BrokerID{{2, 1}}}}); err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
	snap, err := c.Snapshot(t.Context())
	if err != nil || len(snap.Unread) != 1 || snap.Unread[0].What != "metadata" || !strings.Contains(snap.Unread[0].Reason, `topic "later": one of the two is behind`) {
		t.Fatal(err, snap)
	}
}
