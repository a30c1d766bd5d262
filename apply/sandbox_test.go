package apply_test

import (
	"fmt"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/apply"
	"ballast/config"
	"ballast/planner"
	"ballast/state"
	"ballast/state/kafka"
	"ballast/state/sandbox"
)

// lab is a sandbox that a real client talks to over the wire.
type lab struct {
	*testing.T
	*sandbox.Sandbox
	clock  *sandbox.Virtual
	client *kafka.Client
	dir    string
	events []apply.Event
	on     func(apply.Event) // called at each, or nil
	stop   chan struct{}     // the signal
}

// newLab has virtual time, which passes only while apply sleeps: what a run
// takes in it does not depend on the machine.
func newLab(t *testing.T, topics ...state.Topic) *lab {
	t.Helper()
	return newLabOf(t, func(*sandbox.Options) {}, topics...)
}

func newLabOf(t *testing.T, change func(*sandbox.Options), topics ...state.Topic) *lab {
	clock := sandbox.NewVirtual(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	t.Helper()
	snap := sandbox.Empty(6, 3)
	snap.Topics = topics
	o := sandbox.Options{Snapshot: snap, Clock: clock}
	change(&o)
	s, err := sandbox.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	client, err := kafka.Dial(t.Context(), kafka.Options{Bootstrap: s.Bootstrap(), Timeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return &lab{T: t, Sandbox: s, clock: clock, client: client, dir: t.TempDir()}
}

// stored is a topic whose partitions hold size bytes each.
func stored(name string, size int64, lists ...[]state.BrokerID) state.Topic {
	t := state.Topic{Name: name, Config: map[string]state.ConfigValue{}}
	for i, l := range lists {
		t.Partitions = append(t.Partitions, state.Partition{ID: int32(i), Replicas: l, ISR: l, Leader: l[0], Size: state.KnownSize(size)})
	}
	return t
}

func (l *lab) plan(d *config.Desired) *planner.Plan {
	l.Helper()
	snap, err := l.client.Snapshot(l.Context())
	if err != nil {
		l.Fatal(err)
	}
	p := planner.Make(d, snap, planner.Options{Tool: "test"})
	if p.Errored {
		l.Fatalf("%+v", p.Diagnostics)
	}
	return p
}

func (l *lab) apply(p *planner.Plan) apply.Result {
	l.Helper()
	j, err := apply.OpenLocal(l.dir, l.client.ClusterID())
	if err != nil {
		l.Fatal(err)
	}
	defer j.Close()
	res, err := apply.Run(l.Context(), apply.Options{Plan: p, Resume: p == nil, Cluster: l.client, Journal: j, Clock: l.clock, Stop: l.stop, Events: l.event})
	if err != nil {
		l.Fatalf("%v\n%s", err, l.story())
	}
	return res
}

func (l *lab) event(e apply.Event) {
	l.events = append(l.events, e)
	if l.on != nil {
		l.on(e)
	}
}

func (l *lab) mustApply(d *config.Desired) apply.Result {
	l.Helper()
	p := l.plan(d)
	res := l.apply(p)
	if res.Exit != apply.ExitDone {
		l.Fatalf("exit %d: %s\n%s", res.Exit, res.Reason, l.story())
	}
	if res.Counts != p.Summary {
		l.Errorf("counts %+v\nsummary %+v", res.Counts, p.Summary)
	}
	if again := l.plan(d); len(again.Steps) > 0 {
		l.Errorf("the second plan has steps: %+v", again.Steps)
	}
	return res
}

func (l *lab) story() string {
	var b strings.Builder
	for _, e := range l.events {
		fmt.Fprintf(&b, "%s %s: %s\n", e.At.Format("15:04:05.0"), e.Kind, e.Message)
	}
	return b.String()
}

// throttles are the throttle values that are set, with "before" for those that
// the cluster came with.
func (l *lab) throttles() string {
	var out []string
	s := l.Sandbox.Snapshot()
	for _, b := range s.Brokers {
		for k, v := range b.Config {
			if strings.Contains(k, "replication.throttled") && v.Source != state.SourceDefault {
				out = append(out, fmt.Sprintf("broker %d %s=%s", b.ID, k, v.Value))
			}
		}
	}
	for _, t := range s.Topics {
		for k, v := range t.Config {
			if strings.Contains(k, "replication.throttled") && v.Source == state.SourceTopic {
				out = append(out, fmt.Sprintf("topic %s %s=%s", t.Name, k, v.Value))
			}
		}
	}
	sort.Strings(out)
	return strings.Join(out, "\n")
}

func wanted(name string, partitions, rf int) config.Topic {
	return config.Topic{Name: name, Partitions: partitions, ReplicationFactor: rf, Config: map[string]string{}}
}

func limited(rate int64, topics ...config.Topic) *config.Desired {
	d := &config.Desired{Apply: config.DefaultApply(), Topics: topics}
	d.Apply.Throttle.BytesPerSecond = rate
	return d
}

const mb = 1_000_000

// Stories 1, 3, 5, 12 and 14 over the wire.
func TestSandboxCopiesThenPartitions(t *testing.T) {
	orders := stored("orders", 50*mb, list(1, 3), list(3, 5), list(5, 1))
	orders.Config["follower.replication.throttled.replicas"] = state.ConfigValue{Value: "*", Source: state.SourceTopic}
	l := newLab(t, orders, stored("old", 0, list(1)))
	before := l.throttles()
	d := limited(5*mb, wanted("new", 3, 2), wanted("orders", 10, 3))
	d.Topics[1].Config["retention.ms"] = "1000"
	d.Absent = []config.AbsentTopic{{Name: "old"}}
	l.mustApply(d)
	if got := l.throttles(); got != before {
		t.Errorf("throttles %s\nbefore %s", got, before)
	}
	for _, r := range l.Requests() {
		if r.Key == int16(kmsg.CreatePartitions) && len(r.InFlight) > 0 {
			t.Errorf("partitions were added while moves of %v were in flight", r.InFlight)
		}
	}
	for _, p := range l.Sandbox.Snapshot().Topic("orders").Partitions {
		if len(p.Replicas) != 3 || len(p.ISR) != 3 {
			t.Errorf("partition %d: %+v", p.ID, p)
		}
	}
}

// Story 11: the rate is accepted and does not show at once.
func TestSandboxReadsTheThrottleBackBeforeItMoves(t *testing.T) {
	l := newLab(t, stored("orders", 50*mb, list(1), list(3)))
	l.HideConfig("follower.replication.throttled.rate", 10*time.Second, 3)
	l.mustApply(limited(50*mb, wanted("orders", 2, 2)))
	set := time.Time{}
	for _, r := range l.Requests() {
		if r.Key == int16(kmsg.IncrementalAlterConfigs) && set.IsZero() {
			set = r.At
		}
		if r.Key == int16(kmsg.AlterPartitionAssignments) && r.At.Sub(set) < 10*time.Second {
			t.Errorf("moved %s after the rate was set, and it did not show for 10 s", r.At.Sub(set))
		}
	}
}

// Every kind of write meets a controller that has moved, a lost request and a
// lost answer.
func TestSandboxAnswersLateLostAndNotController(t *testing.T) {
	for _, key := range []kmsg.Key{kmsg.CreateTopics, kmsg.CreatePartitions, kmsg.IncrementalAlterConfigs, kmsg.AlterPartitionAssignments, kmsg.ElectLeaders, kmsg.DeleteTopics} {
		for name, order := range map[string]func(*lab){
			"not controller": func(l *lab) { l.NotController(int16(key), 2) },
			"lost request":   func(l *lab) { l.DropRequest(int16(key), 2) },
			"lost answer":    func(l *lab) { l.DropAnswer(int16(key), 1) },
			"late":           func(l *lab) { l.Order(sandbox.Fault{Key: int16(key), Delay: 5 * time.Second, Times: 2}) },
			"quota":          func(l *lab) { l.ThrottleQuota(int16(key), 100*time.Millisecond, 2) },
		} {
			t.Run(kmsg.NameForKey(int16(key))+"/"+name, func(t *testing.T) {
				led := stored("led", mb, list(1, 3))
				led.Partitions[0].Leader = 3
				l := newLab(t, led, stored("old", 0, list(1)), stored("orders", mb, list(1), list(3)))
				order(l)
				d := limited(50*mb, wanted("led", 1, 2), wanted("new", 1, 1), wanted("orders", 3, 2))
				d.Topics[0].Leaders.Balance = config.BalanceTopic
				d.Topics[0].Replicas.Pin = map[int32][]state.BrokerID{0: list(1, 3)}
				d.Absent = []config.AbsentTopic{{Name: "old"}}
				p := l.plan(d)
				if res := l.apply(p); res.Exit != apply.ExitDone {
					t.Fatalf("exit %d: %s\n%s", res.Exit, res.Reason, l.story())
				}
				if again := l.plan(d); len(again.Steps) > 0 {
					t.Errorf("the second plan has steps: %+v", again.Steps)
				}
				if got := l.throttles(); got != "" {
					t.Errorf("throttles are left: %s", got)
				}
			})
		}
	}
}

// Every kind of question meets a lost request, a lost answer and a late one, in
// the middle of a batch.
func TestSandboxQuestionsLostAndLate(t *testing.T) {
	for _, key := range []kmsg.Key{kmsg.Metadata, kmsg.ListPartitionReassignments, kmsg.DescribeConfigs, kmsg.DescribeLogDirs, kmsg.ListOffsets} {
		for name, order := range map[string]func(*lab){
			"lost request": func(l *lab) { l.DropRequest(int16(key), 12) },
			"lost answer":  func(l *lab) { l.DropAnswer(int16(key), 12) },
			"late":         func(l *lab) { l.Order(sandbox.Fault{Key: int16(key), Delay: 5 * time.Second, Times: 12}) },
		} {
			t.Run(kmsg.NameForKey(int16(key))+"/"+name, func(t *testing.T) {
				l := newLab(t, stored("old", 0, list(1)), stored("orders", 20*mb, list(1), list(3)))
				d := limited(5*mb, wanted("orders", 3, 2))
				d.Absent = []config.AbsentTopic{{Name: "old"}}
				p := l.plan(d)
				res := l.during(p, func() { order(l) })
				l.ended(res, apply.ExitDone)
				if again := l.plan(d); len(again.Steps) > 0 {
					t.Errorf("the second plan has steps: %+v", again.Steps)
				}
			})
		}
	}
}

// What moves takes hardly longer than its busiest broker needs at the limit:
// copies raised, and a broker drained whose partitions differ in size.
func TestSandboxTimeIsNearTheBusiestBrokersBound(t *testing.T) {
	const rate = 50 * mb
	var even, uneven []state.Topic
	var lists [][]state.BrokerID
	for i := range 36 {
		lists = append(lists, list(state.BrokerID(i%5+1)))
	}
	even = append(even, stored("orders", 300*mb, lists...))
	raised := limited(rate, wanted("orders", 36, 2))
	drained := limited(rate)
	for i := range 40 {
		name := fmt.Sprintf("topic-%02d", i)
		other := state.BrokerID(i%4 + 1)
		uneven = append(uneven, stored(name, int64(i%7+1)*100*mb, list(5, other), list(other, 5)))
		drained.Topics = append(drained.Topics, wanted(name, 2, 2))
	}
	drained.Brokers = []config.Broker{{ID: 5, Drain: true}}
	for name, c := range map[string]struct {
		topics []state.Topic
		d      *config.Desired
	}{"raised": {even, raised}, "drained": {uneven, drained}} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, c.topics...)
			p := l.plan(c.d)
			bound := l.bound(p) / rate
			res := l.mustApply(c.d)
			t.Logf("%d steps, bound %.1f s, took %.1f s: %.2f", len(p.Steps), bound, res.Elapsed, res.Elapsed/bound)
			if idle := l.longestPause(); idle > 150*time.Millisecond {
				t.Errorf("%s passed between a batch's end and the next one's begin\n%s", idle, l.story())
			}
			if res.Elapsed > 1.1*bound {
				t.Errorf("took %.1f s, the busiest broker needs %.1f s\n%s", res.Elapsed, bound, l.story())
			}
		})
	}
}

// bound is how many bytes go through the busiest broker in one direction.
func (l *lab) bound(p *planner.Plan) float64 {
	snap := l.Sandbox.Snapshot()
	in, out := map[state.BrokerID]int64{}, map[state.BrokerID]int64{}
	busiest := int64(0)
	for _, s := range p.Steps {
		if s.Kind != planner.Reassign {
			continue
		}
		for _, m := range s.Moves {
			q := snap.Topic(m.Topic).Partitions[m.Partition]
			for _, b := range m.After {
				if !state.Contains(m.Before, b) {
					in[b] += q.Size.Bytes
					out[q.Leader] += q.Size.Bytes
					busiest = max(busiest, in[b], out[q.Leader])
				}
			}
		}
	}
	return float64(busiest)
}

// longestPause is the longest time between a look that found a batch at its end
// and the next batch's request.
func (l *lab) longestPause() (longest time.Duration) {
	var ended time.Time
	for _, e := range l.events {
		switch {
		case e.Kind == apply.EventProgress && e.Progress.MovesDone == e.Progress.Moves:
			ended = e.At
		case e.Kind == apply.EventSubmitted && !ended.IsZero():
			longest, ended = max(longest, e.At.Sub(ended)), time.Time{}
		}
	}
	return longest
}
