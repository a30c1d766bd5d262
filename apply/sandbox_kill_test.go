package apply_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/apply"
	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

// mortal is a process: its journal and what it writes to the cluster. Once it
// is dead neither gets anything from it.
type mortal struct {
	apply.Journal
	die     context.CancelFunc
	records int
	at      int  // the record at which it is killed, from 1
	before  bool // it is on the disk
	dead    bool
}

var errDead = errors.New("killed")

func (m *mortal) kill() error {
	m.dead = true
	m.die()
	return errDead
}

// record lets a record through, and kills at the one that is meant.
func (m *mortal) record(keep func() error) error {
	m.records++
	switch {
	case m.dead || m.records == m.at && m.before:
		return m.kill()
	case m.records == m.at:
		return errors.Join(keep(), m.kill())
	}
	return keep()
}

func (m *mortal) Begin(ctx context.Context, r apply.Record) error {
	return m.record(func() error { return m.Journal.Begin(ctx, r) })
}

func (m *mortal) Append(ctx context.Context, r apply.Record) (seq int64, err error) {
	err = m.record(func() error { seq, err = m.Journal.Append(ctx, r); return err })
	return seq, err
}

func (m *mortal) send(write func() ([]error, error)) ([]error, error) {
	if m.dead {
		return nil, errDead
	}
	return write()
}

// mortalCluster is the cluster as such a process has it.
type mortalCluster struct {
	apply.Cluster
	process *mortal
}

func (c mortalCluster) CreateTopics(ctx context.Context, x []state.NewTopic) ([]error, error) {
	return c.process.send(func() ([]error, error) { return c.Cluster.CreateTopics(ctx, x) })
}

func (c mortalCluster) AddPartitions(ctx context.Context, x []state.NewPartitions) ([]error, error) {
	return c.process.send(func() ([]error, error) { return c.Cluster.AddPartitions(ctx, x) })
}

func (c mortalCluster) AlterConfigs(ctx context.Context, x []state.AlterConfigs) ([]error, error) {
	return c.process.send(func() ([]error, error) { return c.Cluster.AlterConfigs(ctx, x) })
}

func (c mortalCluster) Reassign(ctx context.Context, x []state.Reassignment) ([]error, error) {
	return c.process.send(func() ([]error, error) { return c.Cluster.Reassign(ctx, x) })
}

func (c mortalCluster) ElectPreferred(ctx context.Context, x []state.TopicPartition) ([]error, error) {
	return c.process.send(func() ([]error, error) { return c.Cluster.ElectPreferred(ctx, x) })
}

func (c mortalCluster) DeleteTopics(ctx context.Context, x []string) ([]error, error) {
	return c.process.send(func() ([]error, error) { return c.Cluster.DeleteTopics(ctx, x) })
}

// killable is a cluster with work of every kind to do, and throttles of others.
func killable(t *testing.T) (*lab, *config.Desired) {
	led := stored("led", mb, list(1, 3))
	led.Partitions[0].Leader = 3
	starred := stored("starred", 5*mb, list(5))
	starred.Config["follower.replication.throttled.replicas"] = state.ConfigValue{Value: "*", Source: state.SourceTopic}
	l := newLab(t, led, stored("old", 0, list(1)), stored("orders", 5*mb, list(1), list(3)), starred)
	for _, other := range []string{"2", ""} { // a broker's, and the default of all
		r := state.ConfigResource{Type: state.BrokerResource, Name: other}
		if err := l.ForeignConfig(r, "follower.replication.throttled.rate", value("7777777")); err != nil {
			t.Fatal(err)
		}
	}
	d := limited(5*mb, wanted("led", 1, 2), wanted("new", 2, 1), wanted("orders", 3, 2), wanted("starred", 1, 2))
	d.Topics[0].Leaders.Balance = config.BalanceTopic
	d.Topics[0].Replicas.Pin = map[int32][]state.BrokerID{0: list(1, 3)}
	d.Topics[2].Replicas.Pin = map[int32][]state.BrokerID{0: list(1, 4), 1: list(3, 2), 2: list(5, 2)}
	d.Topics[2].Config["retention.ms"] = "3600000"
	d.Absent = []config.AbsentTopic{{Name: "old"}}
	d.Apply.MaxBatchPartitions = 2
	return l, d
}

func value(s string) *string { return &s }

// killedAt applies in a process that is killed at a record; it says whether it
// came to that.
func (l *lab) killedAt(p *planner.Plan, n int, before bool) bool {
	l.Helper()
	j, err := apply.OpenLocal(l.dir, l.client.ClusterID())
	if err != nil {
		l.Fatal(err)
	}
	defer j.Close()
	ctx, die := context.WithCancel(l.Context())
	defer die()
	m := &mortal{Journal: j, die: die, at: n, before: before}
	res, err := apply.Run(ctx, apply.Options{Plan: p, Cluster: mortalCluster{l.client, m}, Journal: m, Clock: l.clock})
	if m.dead && err == nil && res.Exit == apply.ExitDone {
		l.Errorf("killed at record %d, and it says that all is done", n)
	}
	return m.dead
}

// Killed at every record of its journal, before it is on the disk and after,
// and run again over the wire: the same end state, nothing submitted twice, no
// throttle of its own, others' as they were.
func TestSandboxKilledAtEveryRecordAndRunAgain(t *testing.T) {
	for _, before := range []bool{true, false} {
		for n, more := 1, true; more; n++ {
			t.Run(fmt.Sprintf("%d/before=%t", n, before), func(t *testing.T) {
				l, d := killable(t)
				throttles := l.throttles()
				if more = l.killedAt(l.plan(d), n, before); !more {
					if n < 30 {
						t.Errorf("only %d records", n-1)
					}
					return
				}
				plan := l.plan(d)
				if n%2 == 0 && l.unfinished() {
					plan = nil // resumes
				}
				if res := l.apply(plan); res.Exit != apply.ExitDone {
					t.Fatalf("run again: exit %d, %s\n%s", res.Exit, res.Reason, l.story())
				}
				if again := l.plan(d); len(again.Steps) > 0 {
					t.Errorf("the second plan has steps: %+v", again.Steps)
				}
				if got := l.throttles(); got != throttles {
					t.Errorf("throttles %s\nbefore %s", got, throttles)
				}
				for what, times := range l.submitted() {
					if times > 1 {
						t.Errorf("%s was submitted %d times\n%s", what, times, l.story())
					}
				}
			})
		}
	}
}

// unfinished says whether the journal speaks of an apply to be resumed.
func (l *lab) unfinished() bool {
	j, err := apply.OpenLocal(l.dir, l.client.ClusterID())
	if err != nil {
		l.Fatal(err)
	}
	defer j.Close()
	rep, err := apply.Status(l.Context(), apply.StatusOptions{Cluster: l.client, Journal: j, Clock: l.clock})
	if err != nil {
		l.Fatal(err)
	}
	return rep.Unfinished
}

// submitted counts how often each move came to the cluster.
func (l *lab) submitted() map[string]int {
	out := map[string]int{}
	for _, r := range l.Requests(int16(kmsg.AlterPartitionAssignments)) {
		for _, t := range r.Message.(*kmsg.AlterPartitionAssignmentsRequest).Topics {
			for _, p := range t.Partitions {
				out[fmt.Sprintf("%s-%d to %v", t.Topic, p.Partition, p.Replicas)]++
			}
		}
	}
	return out
}
