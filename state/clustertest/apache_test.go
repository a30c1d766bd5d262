package clustertest_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"ballast/state"
	"ballast/state/clustertest/realkafka"
	"ballast/state/kafka"
)

func TestKafkasToolsSeeWhatBallastCreates(t *testing.T) {
	c := realkafka.Shared(t)
	k := dial(t, c.Bootstrap())
	errs, err := k.CreateTopics(t.Context(), []state.NewTopic{{Name: "seen", Assignments: [][]state.BrokerID{{5, 1, 3}}}})
	if err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
	t.Cleanup(func() { remove(t, k, "seen") })
	if err := c.AwaitTopics(t.Context(), "seen"); err != nil {
		t.Fatal(err)
	}
	if err := c.Fill(t.Context(), "seen", 0, 100_000); err != nil {
		t.Fatal(err)
	}
	out, err := c.Tool(realkafka.TopicCommand, "--bootstrap-server", c.Address(1), "--describe", "--topic", "seen")
	if err != nil || !strings.Contains(out, "Replicas: 5,1,3") {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err = c.Tool(realkafka.LogDirsCommand, "--bootstrap-server", c.Address(1), "--describe", "--topic-list", "seen")
	if err != nil || strings.Count(out, `"seen-0"`) != 3 {
		t.Fatalf("want three replicas of seen-0, have: %v\n%s", err, out)
	}
}

func TestABrokerThatHangsHoldsUpNothing(t *testing.T) {
	c := realkafka.Shared(t)
	k, err := kafka.Dial(t.Context(), kafka.Options{Bootstrap: c.Bootstrap(), Timeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { k.Close() })
	if err := c.Pause(4); err != nil {
		t.Fatal(err)
	}
	resumed := false
	resume := func() {
		if !resumed {
			resumed = true
			if err := c.Resume(4); err != nil {
				t.Error(err)
			}
		}
	}
	t.Cleanup(resume)
	s, took := snapshot(t, k)
	if took > 20*time.Second {
		t.Errorf("with a broker that hangs, a snapshot took %v", took)
	}
	if b := s.Broker(4); b == nil || b.LogDirs != nil {
		t.Errorf("the broker that hangs is %+v", b)
	}
	resume()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		if s, _ := snapshot(t, k); len(s.Unread) == 0 {
			return
		} else if time.Now().After(deadline) {
			t.Fatalf("the broker goes on, and still %v", s.Unread)
		}
	}
}

func snapshot(t *testing.T, k *kafka.Client) (*state.Snapshot, time.Duration) {
	t.Helper()
	began := time.Now()
	s, err := k.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s, time.Since(began)
}

// remove deletes a topic at a test's end, when its context has ended.
func remove(t *testing.T, k *kafka.Client, topic string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if errs, err := k.DeleteTopics(ctx, []string{topic}); err != nil || errs[0] != nil {
		t.Error(errs, err)
	}
}
