package apply

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

// fixture is a sim, its journal, and what apply told.
type fixture struct {
	*sim
	t       testing.TB
	journal *memJournal
	events  []Event
	onEvent func(Event)
	stop    chan struct{}
	opt     func(*Options)
}

func newFixture(t testing.TB, n, racks int) *fixture {
	return &fixture{sim: newSim(t, n, racks), t: t, journal: &memJournal{}}
}

// desired is a configuration of topics, with gates that wait for minutes.
func desired(topics ...config.Topic) *config.Desired {
	d := &config.Desired{Apply: config.DefaultApply(), Topics: topics}
	d.Apply.Throttle.BytesPerSecond = 10_000_000
	return d
}

func topic(name string, partitions, rf int) config.Topic {
	return config.Topic{Name: name, Partitions: partitions, ReplicationFactor: rf, Config: map[string]string{}}
}

// plan plans against the cluster as it is.
func (f *fixture) plan(d *config.Desired) *planner.Plan {
	f.t.Helper()
	snap, err := f.Snapshot(context.Background())
	if err != nil {
		f.t.Fatal(err)
	}
	p := planner.Make(d, snap, planner.Options{Tool: "test"})
	if p.Errored {
		f.t.Fatalf("the plan is errored: %+v", p.Diagnostics)
	}
	return p
}

// run applies a plan; with nil it resumes.
func (f *fixture) run(p *planner.Plan) (Result, error) {
	f.t.Helper()
	o := Options{Plan: p, Resume: p == nil, Cluster: f.sim, Journal: f.journal, Clock: f.sim, Stop: f.stop, Events: func(e Event) {
		f.events = append(f.events, e)
		if f.onEvent != nil {
			f.onEvent(e)
		}
	}}
	if f.opt != nil {
		f.opt(&o)
	}
	defer f.journal.Close()
	return Run(context.Background(), o)
}

// mustRun applies a plan and wants it done.
func (f *fixture) mustRun(p *planner.Plan) Result {
	f.t.Helper()
	res, err := f.run(p)
	if err != nil || res.Exit != ExitDone {
		f.t.Fatalf("exit %d, %v, %s\nholds %v\nfailed %v deferred %v\n%s", res.Exit, err, res.Reason, res.Holds, res.Failed, res.Deferred, f.story())
	}
	f.clean()
	return res
}

// clean wants that nothing was done that must never be.
func (f *fixture) clean() {
	f.t.Helper()
	for _, v := range f.violations {
		f.t.Errorf("%s", v)
	}
	for what, n := range f.submitted {
		if n > 1 {
			f.t.Errorf("%s was submitted %d times", what, n)
		}
	}
}

// settled wants that the cluster is as configured and no throttle is left.
func (f *fixture) settled(d *config.Desired) {
	f.t.Helper()
	if p := f.plan(d); len(p.Steps) != 0 {
		f.t.Errorf("the second plan has %d steps: %+v", len(p.Steps), p.Steps)
	}
	if left := f.throttles(); len(left) != 0 {
		f.t.Errorf("throttles are left: %v", left)
	}
}

// throttles are all throttle values that are set.
func (f *fixture) throttles() []string {
	var out []string
	for _, b := range f.ids() {
		for _, n := range []string{followerRate, leaderRate} {
			if v := f.config(brokerKey(b, n)); v != nil {
				out = append(out, fmt.Sprintf("broker %d %s=%s", b, n, *v))
			}
		}
	}
	for _, t := range f.names() {
		for _, n := range []string{followerList, leaderList} {
			if v := f.config(topicKey(t, n)); v != nil {
				out = append(out, fmt.Sprintf("%s %s=%s", t, n, *v))
			}
		}
	}
	return out
}

func (f *fixture) story() string {
	var b strings.Builder
	for _, e := range f.events {
		fmt.Fprintf(&b, "%s %s: %s\n", e.At.Format("15:04:05.0"), e.Kind, e.Message)
	}
	return b.String()
}

func (f *fixture) told(kind EventKind) []Event {
	var out []Event
	for _, e := range f.events {
		if e.Kind == kind {
			out = append(out, e)
		}
	}
	return out
}

// ops are the writes that the cluster saw, in order.
func (f *fixture) ops() string {
	var out []string
	for _, w := range f.writes {
		out = append(out, w.op)
	}
	return strings.Join(out, " ")
}

func (f *fixture) replicas(name string, p int) []brokerID { return f.topics[name].parts[p].replicas }

// stopWhen interrupts the run once at an event that matches.
func (f *fixture) stopWhen(match func(Event) bool) {
	f.stop = make(chan struct{})
	done := false
	f.onEvent = func(e Event) {
		if !done && match(e) {
			done = true
			close(f.stop)
			waitReal()
		}
	}
}

// waitReal gives other goroutines, as the one that watches for a signal, a
// moment of real time.
func waitReal() { time.Sleep(20 * time.Millisecond) }

func same(t testing.TB, want, got any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("want -, got +:\n%s", d)
	}
}

func ids(list ...brokerID) []brokerID { return list }

func key(topic string, p int32) state.TopicPartition {
	return state.TopicPartition{Topic: topic, Partition: p}
}

func ptr[T any](v T) *T { return &v }

func absent(name string, max int64) config.AbsentTopic {
	return config.AbsentTopic{Name: name, MaxBytes: max}
}
