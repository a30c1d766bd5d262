package kafka_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"ballast/state"
	"ballast/state/kafka"
	"ballast/state/sandbox"
)

func openLog(t *testing.T, c *kafka.Client) *kafka.Log {
	t.Helper()
	l, err := c.OpenLog(t.Context(), kafka.LogOptions{Topic: "journal", Session: 6 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// take locks a log, waiting for another's session to expire.
func take(t *testing.T, l *kafka.Log) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		err := l.Lock(t.Context(), []byte("us"))
		if err == nil {
			return
		}
		if !errors.As(err, new(*kafka.LogHeldError)) || time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestAHolderThatWasTakenForDeadIsKeptOut(t *testing.T) {
	c := connect(t, start(t, nil))
	late, heir := openLog(t, c), openLog(t, c)
	take(t, late)
	must(t, late.Begin(t.Context(), []byte("a")))
	kafka.StopHeartbeats(late)
	take(t, heir)
	if err := late.Held(t.Context()); err == nil {
		t.Error("a lock is held by two")
	}
	must(t, heir.Append(t.Context(), []byte("b")))
	if err := late.Append(t.Context(), []byte("late")); err == nil {
		t.Error("the late one does not notice that another has written")
	}
	must(t, heir.Held(t.Context()))
	if err := heir.Append(t.Context(), []byte("c")); err == nil {
		t.Error("the heir does not notice that another has written")
	}
	got, err := openLog(t, c).Records(t.Context())
	if err != nil || len(got) < 2 || string(got[0]) != "a" || string(got[1]) != "b" {
		t.Errorf("the records are %q: %v", got, err)
	}
}

func TestALogWithoutAnAnswerIsNotWritten(t *testing.T) {
	s := start(t, nil)
	c := connect(t, s)
	l := openLog(t, c)
	take(t, l)
	must(t, l.Begin(t.Context(), []byte("a")))
	undo := s.FailNext(0, 19, 0) // NOT_ENOUGH_REPLICAS, for as long as one waits
	defer undo()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	if err := l.Append(ctx, []byte("b")); err == nil {
		t.Error("a record that was not stored was acknowledged")
	}
}

func TestALogsTopicIsSpreadOverRacks(t *testing.T) {
	c := connect(t, start(t, nil))
	take(t, openLog(t, c))
	snap, err := c.Snapshot(t.Context())
	must(t, err)
	topic := snap.Topic("journal")
	racks := map[string]bool{}
	for _, id := range topic.Partitions[0].Replicas {
		racks[snap.Broker(id).Rack] = true
	}
	want := state.ConfigValue{Value: "compact", Source: state.SourceTopic}
	if len(topic.Partitions) != 1 || len(racks) != 3 || topic.Config["cleanup.policy"] != want || topic.Config["min.insync.replicas"].Value != "2" {
		t.Errorf("it is %+v", topic)
	}
}

func TestALogNeedsATopicOfOnePartition(t *testing.T) {
	c := connect(t, start(t, topics([]string{"journal"}, 2)))
	if err := openLog(t, c).Lock(t.Context(), nil); err == nil {
		t.Fatal("no error")
	}
}

func TestALogNeedsATopicThatKeepsItsRecords(t *testing.T) {
	c := connect(t, start(t, topics([]string{"journal"}, 1)))
	if err := openLog(t, c).Lock(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "cleanup.policy=delete") {
		t.Fatal(err)
	}
}

func TestALockIsHeldWhileOthersTryForIt(t *testing.T) {
	s := start(t, nil)
	c := connect(t, s)
	holder := openLog(t, c)
	take(t, holder)
	must(t, holder.Begin(t.Context(), []byte("a")))
	// Without the look before it, the others join the group, and everybody
	// has to join again.
	s.Order(sandbox.Fault{Key: 15, Code: 16}) // DescribeGroups
	for range 3 {
		if err := openLog(t, c).Lock(t.Context(), []byte("other")); !errors.As(err, new(*kafka.LogHeldError)) {
			t.Fatal(err)
		}
		must(t, holder.Held(t.Context()))
	}
	must(t, holder.Append(t.Context(), []byte("b")))
}
