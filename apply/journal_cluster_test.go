package apply_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"ballast/apply"
	"ballast/config"
	"ballast/state"
	"ballast/state/kafka"
)

// log opens a log in the lab's cluster.
func (l *lab) log() *kafka.Log {
	l.Helper()
	log, err := l.client.OpenLog(l.Context(), kafka.LogOptions{Topic: "runs", Session: 6 * time.Second})
	if err != nil {
		l.Fatal(err)
	}
	l.Cleanup(func() { log.Close() })
	return log
}

func (l *lab) shared() apply.Journal { return apply.OpenShared(l.log(), l.client.ClusterID()) }

func (l *lab) must(err error) {
	l.Helper()
	if err != nil {
		l.Fatal(err)
	}
}

func begin(cluster string) apply.Record {
	return apply.Record{Kind: apply.RecordBegin, Begin: &apply.Begin{Version: apply.RecordVersion, Cluster: cluster, Plan: []byte(`{}`)}}
}

func TestASharedJournalIsFoundByTheNext(t *testing.T) {
	l := newLab(t)
	first := l.shared()
	if records, err := first.Records(t.Context()); err != nil || len(records) > 0 {
		t.Fatal("before the topic is there:", records, err)
	}
	l.must(first.Lock(t.Context(), apply.Holder{}))
	l.must(first.Begin(t.Context(), begin(first.ClusterID())))
	for want := int64(2); want < 4; want++ {
		if seq, err := first.Append(t.Context(), apply.Record{Kind: apply.RecordResume}); err != nil || seq != want {
			t.Fatalf("record %d, want %d: %v", seq, want, err)
		}
	}
	l.must(first.Close())
	next := l.shared()
	l.must(next.Lock(t.Context(), apply.Holder{}))
	if seq, err := next.Append(t.Context(), apply.Record{Kind: apply.RecordEnd}); err != nil || seq != 4 {
		t.Fatalf("record %d: %v", seq, err)
	}
	records, err := l.shared().Records(t.Context())
	if err != nil || len(records) != 4 || records[0].Kind != apply.RecordBegin || records[3].Kind != apply.RecordEnd {
		t.Errorf("%+v: %v", records, err)
	}
}

func TestASecondRunIsToldWhoHoldsASharedLock(t *testing.T) {
	l := newLab(t, stored("orders", 1e6, ids(1)))
	since := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	first := l.shared()
	l.must(first.Lock(t.Context(), apply.Holder{Who: "ann", Host: "runner-1", PID: 42, Verb: "apply", Since: since}))
	_, err := apply.Run(t.Context(), apply.Options{Plan: l.plan(&config.Desired{Apply: config.DefaultApply()}), Cluster: l.client, Journal: l.shared(), Clock: l.clock})
	var refusal *apply.Refusal
	if !errors.As(err, &refusal) || refusal.Code != "locked" {
		t.Fatal(err)
	}
	for _, want := range []string{"apply by ann on runner-1 (process 42) since 2026-01-02T03:04:05Z", `the topic "runs"`, "by itself within 6s", "-lock-timeout", "-resume"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("it does not say %q:\n%v", want, err)
		}
	}
}

// One that waits has the lock when the first gives it back, and is told of each
// holder once.
func TestAPatientRunWaitsForTheLock(t *testing.T) {
	l := newLab(t)
	first := l.shared()
	l.must(first.Lock(t.Context(), apply.Holder{Who: "ann"}))
	told := 0
	waits := &counted{Clock: apply.WallClock{}, slept: func(n int) {
		if n == 2 {
			l.must(first.Close())
		}
	}}
	second := apply.Patient(l.shared(), waits, time.Hour, func(held *apply.LockedError) {
		told++
		if held.Holder.Who != "ann" {
			t.Error(held)
		}
	})
	l.must(second.Lock(t.Context(), apply.Holder{Who: "bob"}))
	if waits.n != 2 || told != 1 {
		t.Errorf("it waited %d times and told of %d holders", waits.n, told)
	}
	if err := apply.Patient(l.shared(), waits, 0, func(*apply.LockedError) { t.Error("told") }).Lock(t.Context(), apply.Holder{}); !errors.As(err, new(*apply.LockedError)) {
		t.Error(err)
	}
}

// A run that was taken for dead asks before it writes, and writes nothing more;
// the next one goes on.
func TestARunThatHasLostASharedLockStops(t *testing.T) {
	t.Parallel() // the lock is free when its session is over
	l := newLab(t, stored("orders", 50e6, ids(1), ids(2), ids(3)))
	d := &config.Desired{Apply: config.DefaultApply(), Topics: []config.Topic{{Name: "orders", Partitions: 3, ReplicationFactor: 2}}, Journal: config.Journal{Backend: config.KafkaJournal, Topic: "runs"}}
	d.Apply.MaxBatchPartitions = 1
	d.Apply.GateSettle = time.Second
	run := func(lose bool) apply.Result {
		j := apply.Patient(l.shared(), apply.WallClock{}, time.Minute, func(*apply.LockedError) {})
		defer j.Close()
		const offsetCommit, unknownMember = 8, 25
		res, err := apply.Run(t.Context(), apply.Options{Plan: l.plan(d), Cluster: l.client, Journal: j, Clock: l.clock, Events: func(e apply.Event) {
			if l.events = append(l.events, e); lose && e.Kind == apply.EventSubmitted {
				l.FailNext(offsetCommit, unknownMember, 1)
			}
		}})
		l.must(err)
		return res
	}
	if res := run(true); res.Exit != apply.ExitStopped || !strings.Contains(res.Reason, "the lock is lost") || !res.CanResume {
		t.Fatalf("exit %d: %s\n%s", res.Exit, res.Reason, l.story())
	}
	if res := run(false); res.Exit != apply.ExitDone || l.throttles() != "" || len(l.plan(d).Steps) > 0 {
		t.Errorf("exit %d: %s, throttles %q\n%s", res.Exit, res.Reason, l.throttles(), l.story())
	}
}

// counted is a clock whose sleeps take no time.
type counted struct {
	apply.Clock
	n     int
	slept func(n int)
}

func (c *counted) Sleep(context.Context, time.Duration) error {
	c.n++
	c.slept(c.n)
	return nil
}

func TestAnUnreadableSharedJournalIsRefused(t *testing.T) {
	l := newLab(t)
	log := l.log()
	l.must(log.Lock(t.Context(), nil))
	for name, c := range map[string]struct{ record, why string }{
		"garbage":         {"hello", "not a record"},
		"another cluster": {encoded(t, 1, begin("elsewhere")), "of cluster elsewhere"},
		"a number":        {encoded(t, 7, begin(l.client.ClusterID())), "record 7 where 1 belongs"},
	} {
		l.must(log.Begin(t.Context(), []byte(c.record)))
		_, err := l.shared().Records(t.Context())
		var damaged *apply.DamagedError
		if !errors.As(err, &damaged) || !strings.Contains(err.Error(), c.why) || !strings.Contains(err.Error(), `the topic "runs", record 1`) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func encoded(t *testing.T, seq int64, r apply.Record) string {
	t.Helper()
	r.Seq = seq
	text, err := apply.EncodeRecord(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func ids(list ...state.BrokerID) []state.BrokerID { return list }
