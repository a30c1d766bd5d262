package apply_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"ballast/apply"
	"ballast/config"
	"ballast/planner"
	"ballast/state"
	"ballast/state/clustertest/realkafka"
	"ballast/state/kafka"
)

// real is a real cluster and a topic of its own for one test.
type real struct {
	*testing.T
	cluster *realkafka.Cluster
	client  *kafka.Client
	dir     string // of the journal
	events  []apply.Event
}

func newReal(t *testing.T) *real {
	c := realkafka.Shared(t)
	client, err := kafka.Dial(t.Context(), kafka.Options{Bootstrap: c.Bootstrap(), Timeout: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return &real{T: t, cluster: c, client: client, dir: t.TempDir()}
}

// topic makes a topic with lists, fills every partition, and deletes it in
// the end.
func (r *real) topic(name string, bytes int64, lists ...[]state.BrokerID) {
	r.Helper()
	errs, err := r.client.CreateTopics(r.Context(), []state.NewTopic{{Name: name, Assignments: lists}})
	if err != nil || errs[0] != nil {
		r.Fatal(err, errs)
	}
	r.Cleanup(func() { r.client.DeleteTopics(context.Background(), []string{name}) })
	if err := r.cluster.AwaitTopics(r.Context(), name); err != nil {
		r.Fatal(err)
	}
	for p := range lists {
		if err := r.cluster.Fill(r.Context(), name, int32(p), bytes); err != nil {
			r.Fatal(err)
		}
	}
	r.await("the log dirs to show "+name, func(s *state.Snapshot) bool {
		for _, p := range s.Topic(name).Partitions {
			if p.Size.Bytes < bytes {
				return false
			}
		}
		return true
	})
}

// await waits for a condition on the cluster.
func (r *real) await(what string, holds func(*state.Snapshot) bool) *state.Snapshot {
	r.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; {
		s, err := r.client.Snapshot(r.Context())
		if err == nil && holds(s) {
			return s
		}
		if time.Now().After(deadline) {
			r.Fatalf("no %s: %v", what, err)
		}
		time.Sleep(200 * time.Millisecond)
	}
}

func (r *real) desired(rate int64, topics ...config.Topic) *config.Desired {
	d := &config.Desired{Apply: config.DefaultApply(), Topics: topics}
	d.Apply.Throttle.BytesPerSecond = rate
	d.Apply.GateTimeout = time.Minute
	d.Apply.GateSettle = time.Second
	return d
}

func (r *real) plan(d *config.Desired) *planner.Plan {
	r.Helper()
	snap, err := r.client.Snapshot(r.Context())
	if err != nil {
		r.Fatal(err)
	}
	p := planner.Make(d, snap, planner.Options{Tool: "test"})
	if p.Errored {
		r.Fatalf("%+v", p.Diagnostics)
	}
	return p
}

// apply runs a plan, or resumes with nil; on is called at each event.
func (r *real) apply(ctx context.Context, p *planner.Plan, stop <-chan struct{}, on func(apply.Event)) apply.Result {
	r.Helper()
	j, err := apply.OpenLocal(r.dir, r.client.ClusterID())
	if err != nil {
		r.Fatal(err)
	}
	defer j.Close()
	res, err := apply.Run(ctx, apply.Options{Plan: p, Resume: p == nil, Cluster: r.client, Journal: j, Stop: stop, Events: func(e apply.Event) {
		r.events = append(r.events, e)
		if on != nil {
			on(e)
		}
	}})
	if err != nil {
		r.Fatalf("%v\n%s", err, r.story())
	}
	return res
}

func (r *real) mustApply(p *planner.Plan) apply.Result {
	r.Helper()
	res := r.apply(r.Context(), p, nil, nil)
	if res.Exit != apply.ExitDone {
		r.Fatalf("exit %d: %s\n%s", res.Exit, res.Reason, r.story())
	}
	return res
}

func (r *real) story() string {
	var b strings.Builder
	for _, e := range r.events {
		fmt.Fprintf(&b, "%s %s: %s\n", e.At.Format("15:04:05.000"), e.Kind, e.Message)
	}
	return b.String()
}

// settled wants an empty second plan and no throttle anywhere.
func (r *real) settled(d *config.Desired) {
	r.Helper()
	if p := r.plan(d); len(p.Steps) > 0 {
		r.Errorf("the second plan has steps: %+v", p.Steps)
	}
	if out := r.throttles(); out != "" {
		r.Errorf("throttles are left:\n%s", out)
	}
}

// throttles is what Kafka's own tool shows of replication throttles.
func (r *real) throttles() string {
	r.Helper()
	var out []string
	for _, kind := range []string{"brokers", "topics"} {
		text, err := r.cluster.Tool(realkafka.ConfigCommand, "--bootstrap-server", r.cluster.Address(1), "--describe", "--entity-type", kind)
		if err != nil {
			r.Fatal(err, text)
		}
		for _, line := range strings.Split(text, "\n") {
			if strings.Contains(line, "replication.throttled") {
				out = append(out, strings.TrimSpace(line))
			}
		}
	}
	return strings.Join(out, "\n")
}

func list(ids ...state.BrokerID) []state.BrokerID { return ids }

func raised(name string, partitions int, pins map[int32][]state.BrokerID) config.Topic {
	return config.Topic{Name: name, Partitions: partitions, ReplicationFactor: 2, Config: map[string]string{}, Replicas: config.Replicas{Pin: pins}}
}

// copying is the first event that tells of bytes on their way.
func copying(e apply.Event) bool {
	return e.Kind == apply.EventProgress && e.Progress.BytesDone > 0 && e.Progress.MovesDone < e.Progress.Moves
}

// Stories 1, 2 and 12 on real Kafka.
func TestRealCopiesAreRaisedUnderAThrottle(t *testing.T) {
	r := newReal(t)
	const size = 20_000_000
	r.topic("raised", size, list(1), list(3))
	d := r.desired(5_000_000, raised("raised", 2, map[int32][]state.BrokerID{0: list(3, 1), 1: list(3, 5)}))
	p := r.plan(d)
	var during string
	res := r.apply(t.Context(), p, nil, func(e apply.Event) {
		if during == "" && copying(e) {
			during = r.throttles()
		}
	})
	if res.Exit != apply.ExitDone {
		t.Fatalf("exit %d: %s\n%s", res.Exit, res.Reason, r.story())
	}
	if !strings.Contains(during, "follower.replication.throttled.rate=5000000") || !strings.Contains(during, "follower.replication.throttled.replicas=0:3,1:5") {
		t.Errorf("kafka-configs shows during the move:\n%s", during)
	}
	if res.Counts != p.Summary {
		t.Errorf("counts %+v\nsummary %+v", res.Counts, p.Summary)
	}
	if least := 2.0; res.Elapsed < least {
		t.Errorf("took %.1f s: the throttle did not hold", res.Elapsed)
	}
	r.settled(d)
	r.readsWhole("raised", 0, 3, size)
	t.Logf("took %.1f s\n%s", res.Elapsed, r.story())
}

// readsWhole reads a partition from its new leader, which has the data by
// having copied it.
func (r *real) readsWhole(topic string, partition int32, leader state.BrokerID, bytes int) {
	r.Helper()
	s := r.await("the copy to lead", func(s *state.Snapshot) bool { return s.Topic(topic).Partitions[partition].Leader == leader })
	if isr := s.Topic(topic).Partitions[partition].ISR; len(isr) != 2 {
		r.Errorf("in sync: %v", isr)
	}
	offsets, err := r.client.Offsets(r.Context(), topic)
	if err != nil {
		r.Fatal(err)
	}
	from := map[string]map[int32]kgo.Offset{topic: {partition: kgo.NewOffset().AtStart()}}
	reader, err := kgo.NewClient(kgo.SeedBrokers(r.cluster.Bootstrap()...), kgo.ConsumePartitions(from))
	if err != nil {
		r.Fatal(err)
	}
	defer reader.Close()
	ctx, cancel := context.WithTimeout(r.Context(), time.Minute)
	defer cancel()
	next, read := int64(0), 0
	for next < offsets[partition].Latest {
		fetched := reader.PollFetches(ctx)
		if err := fetched.Err(); err != nil {
			r.Fatalf("after %d records, %d bytes: %v", next, read, err)
		}
		fetched.EachRecord(func(rec *kgo.Record) {
			if rec.Offset != next {
				r.Errorf("offset %d follows %d", rec.Offset, next-1)
			}
			next, read = rec.Offset+1, read+len(rec.Value)
		})
	}
	if read < bytes*9/10 { // the rest is the records' own
		r.Errorf("%d bytes were read of %d", read, bytes)
	}
}

// Stories 16 and 18: interrupted, killed, and run again.
func TestRealInterruptedAndResumed(t *testing.T) {
	r := newReal(t)
	r.topic("resumed", 20_000_000, list(1))
	d := r.desired(2_000_000, raised("resumed", 1, map[int32][]state.BrokerID{0: list(1, 4)}))
	stop := make(chan struct{})
	var once sync.Once
	began := time.Now()
	var stopped time.Time
	res := r.apply(t.Context(), r.plan(d), stop, func(e apply.Event) {
		if copying(e) {
			once.Do(func() { close(stop); stopped = time.Now() })
		}
	})
	if res.Exit != apply.ExitStopped || len(res.InFlight) != 1 || len(res.Throttles) == 0 {
		t.Fatalf("%+v\n%s", res, r.story())
	}
	if took := time.Since(stopped); took > time.Minute {
		t.Errorf("it took %s to stop", took)
	}
	if r.throttles() == "" {
		t.Error("the throttle of the move in flight is off")
	}
	r.mustApply(nil)
	r.settled(d)
	t.Logf("took %s\n%s", time.Since(began), r.story())
}

// Story 18: the process is gone at once, with a throttle of somebody else set.
func TestRealKilledAndRunAgain(t *testing.T) {
	r := newReal(t)
	r.topic("killed", 20_000_000, list(2))
	r.override(state.BrokerResource, "6", "follower.replication.throttled.rate", "7777777")
	d := r.desired(2_000_000, raised("killed", 1, map[int32][]state.BrokerID{0: list(2, 6)}))
	ctx, kill := context.WithCancel(t.Context())
	defer kill()
	res := r.apply(ctx, r.plan(d), nil, func(e apply.Event) {
		if copying(e) {
			kill()
		}
	})
	if res.Exit != apply.ExitStopped {
		t.Fatalf("%+v", res)
	}
	r.mustApply(r.plan(d))
	if got := r.throttles(); !strings.Contains(got, "follower.replication.throttled.rate=7777777") || strings.Count(got, "\n") != 0 {
		t.Errorf("throttles afterwards:\n%s", got)
	}
	if p := r.plan(d); len(p.Steps) > 0 {
		t.Errorf("the second plan has steps: %+v", p.Steps)
	}
	submitted := 0
	for _, e := range r.events {
		if e.Kind == apply.EventSubmitted {
			submitted++
		}
	}
	if submitted != 1 {
		t.Errorf("submitted %d times\n%s", submitted, r.story())
	}
}

func (r *real) alter(a []state.AlterConfigs) {
	r.Helper()
	errs, err := r.client.AlterConfigs(r.Context(), a)
	if err != nil || errs[0] != nil {
		r.Fatal(err, errs)
	}
}

// Story 17: the target dies in mid-move and comes back.
func TestRealTargetDiesAndComesBack(t *testing.T) {
	r := newReal(t)
	r.topic("fragile", 8_000_000, list(1))
	d := r.desired(1_000_000, raised("fragile", 1, map[int32][]state.BrokerID{0: list(1, 5)}))
	d.Apply.StallTimeout = 6 * time.Second
	var once sync.Once
	res := r.apply(t.Context(), r.plan(d), nil, func(e apply.Event) {
		if copying(e) {
			once.Do(func() {
				if err := r.cluster.Kill(5); err != nil {
					t.Error(err)
				}
			})
		}
	})
	t.Log(r.story())
	if res.Exit != apply.ExitStopped || len(res.Holds) != 1 || res.Holds[0].Broker != 5 || !strings.Contains(res.Reason, "broker 5 is down") || len(res.InFlight) != 1 {
		t.Errorf("%+v", res)
	}
	if err := r.cluster.Restart(5); err != nil {
		t.Fatal(err)
	}
	r.await("broker 5 to be back", func(s *state.Snapshot) bool { return s.Broker(5).Alive })
	r.mustApply(r.plan(d))
	r.settled(d)
}

// Story 19: a move in flight is taken back.
func TestRealCancel(t *testing.T) {
	r := newReal(t)
	r.topic("swapped", 20_000_000, list(1, 3))
	d := r.desired(1_000_000, raised("swapped", 1, map[int32][]state.BrokerID{0: list(3, 5)}))
	stop := make(chan struct{})
	var once sync.Once
	res := r.apply(t.Context(), r.plan(d), stop, func(e apply.Event) {
		if copying(e) {
			once.Do(func() { close(stop) })
		}
	})
	if !res.CanCancel {
		t.Fatalf("%+v\n%s", res, r.story())
	}
	j, err := apply.OpenLocal(r.dir, r.client.ClusterID())
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	back, err := apply.Cancel(t.Context(), apply.CancelOptions{Cluster: r.client, Journal: j})
	if err != nil || back.Exit != apply.ExitDone || len(back.Canceled) != 1 {
		t.Fatalf("%+v, %v", back, err)
	}
	s := r.await("partition to be as before", func(s *state.Snapshot) bool { return !s.Topic("swapped").Partitions[0].InFlight() })
	if got := s.Topic("swapped").Partitions[0]; fmt.Sprint(got.Replicas) != "[1 3]" || got.Leader != 1 {
		t.Errorf("%+v", got)
	}
	if out := r.throttles(); out != "" {
		t.Errorf("throttles are left:\n%s", out)
	}
}
