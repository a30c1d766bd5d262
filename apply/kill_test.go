package apply

import (
	"context"
	"fmt"
	"testing"
	"time"

	"ballast/config"
)

// busy is a cluster with something of every kind of step to do, a throttle of
// somebody else, and a star on a topic.
func busy(t testing.TB) (*fixture, *config.Desired) {
	f := newFixture(t, 4, 2)
	f.topic("grown", 20e6, ids(1), ids(2), ids(3))
	f.topic("starred", 20e6, ids(4), ids(1))
	f.topic("gone", 0, ids(1, 2))
	f.topic("led", 1e6, ids(1, 2))
	f.topics["led"].parts[0].leader = 2
	f.topics["starred"].config[followerList] = &simValue{value: ptr("*")}
	f.brokers[2].config[followerRate] = &simValue{value: ptr("77000000")}
	f.brokers[3].config[leaderRate] = &simValue{value: ptr("88000000")}
	f.mustLimit = true
	d := desired(topic("grown", 5, 2), topic("led", 1, 2), topic("new", 3, 2), topic("starred", 2, 2))
	d.Topics[0].Config["retention.ms"] = "1000"
	d.Topics[1].Leaders.Balance = config.BalanceTopic
	d.Topics[1].Replicas.Pin = map[int32][]brokerID{0: ids(1, 2)}
	d.Absent = append(d.Absent, absent("gone", 0))
	d.Apply.MaxBatchPartitions = 2
	return f, d
}

var busyThrottles = []string{
	"broker 2 " + followerRate + "=77000000",
	"broker 3 " + leaderRate + "=88000000",
	"starred " + followerList + "=*",
}

// ended wants the end state that a run without faults reaches.
func (f *fixture) ended(d *config.Desired) {
	f.t.Helper()
	f.clean()
	if p := f.plan(d); len(p.Steps) != 0 {
		f.t.Errorf("the second plan has %d steps: %+v\n%s", len(p.Steps), p.Steps, f.story())
	}
	same(f.t, busyThrottles, f.throttles())
}

func TestABusyPlanWithoutFaults(t *testing.T) {
	f, d := busy(t)
	p := f.plan(d)
	res := f.mustRun(p)
	f.ended(d)
	same(t, p.Summary, res.Counts)
	kinds := map[string]bool{}
	for _, s := range p.Steps {
		kinds[string(s.Kind)] = true
	}
	if len(kinds) != 6 {
		t.Errorf("the plan has steps of %d kinds, want all 6: %v", len(kinds), kinds)
	}
}

// revive is a new process over the same cluster and journal.
func (f *fixture) revive() {
	f.dead, f.fault = false, nil
	f.journal.dead, f.journal.kill, f.journal.locked = false, nil, false
}

// pass lets time pass in the cluster.
func (f *fixture) pass(d time.Duration) {
	if err := f.Sleep(context.Background(), d); err != nil {
		f.t.Fatal(err)
	}
}

// killedAndRunAgain kills a run by arm(n) for n = 1, 2, … until a run ends
// without having been killed, and runs each again.
func killedAndRunAgain(t *testing.T, arm func(*fixture, int), again func(*fixture, *config.Desired) Result) {
	for n := 1; ; n++ {
		f, d := busy(t)
		arm(f, n)
		p := f.plan(d)
		res, err := f.run(p)
		if !f.dead && !f.journal.dead {
			if err != nil || res.Exit != ExitDone {
				t.Fatalf("without a kill: exit %d, %v, %s", res.Exit, err, res.Reason)
			}
			if n < 15 {
				t.Fatalf("only %d places to be killed at", n-1)
			}
			return
		}
		if err == nil && res.Exit == ExitDone {
			t.Fatalf("killed at %d, and it says that all is done", n)
		}
		f.revive()
		f.pass(time.Duration(n%3) * 20 * time.Second) // the cluster goes on meanwhile
		if res := again(f, d); res.Exit != ExitDone {
			t.Fatalf("killed at %d and run again: exit %d, %s\nfailed %v deferred %v\n%s", n, res.Exit, res.Reason, res.Failed, res.Deferred, f.story())
		}
		f.ended(d)
		if t.Failed() {
			t.Fatalf("killed at %d\n%s", n, f.story())
		}
	}
}

func planAgain(f *fixture, d *config.Desired) Result {
	res, err := f.run(f.plan(d))
	if err != nil {
		f.t.Fatalf("run again: %v\n%s", err, f.story())
	}
	return res
}

// resume goes on with the journal where there is one, as a person would be
// told to.
func resumeAgain(f *fixture, d *config.Desired) Result {
	if len(f.journal.lines) == 0 || !remember(must(f.journal.Records(f.t.Context()))).unfinished() {
		return planAgain(f, d)
	}
	res, err := f.run(nil)
	if err != nil {
		f.t.Fatalf("resume: %v\n%s", err, f.story())
	}
	return res
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func at(n int, f simFault) func(int, string) simFault {
	return func(i int, _ string) simFault {
		if i == n {
			return f
		}
		return simFault{}
	}
}

func TestKilledAtAnyWriteAndRunAgain(t *testing.T) {
	for name, again := range map[string]func(*fixture, *config.Desired) Result{"apply": planAgain, "resume": resumeAgain} {
		for when, fault := range map[string]simFault{"before": {killBefore: true}, "after": {killAfter: true}} {
			t.Run(fmt.Sprintf("journal/%s/%s", when, name), func(t *testing.T) {
				killedAndRunAgain(t, func(f *fixture, n int) {
					f.journal.kill = func(i int) simFault {
						if i != n {
							return simFault{}
						}
						f.dead = true
						return fault
					}
				}, again)
			})
			t.Run(fmt.Sprintf("cluster/%s/%s", when, name), func(t *testing.T) {
				killedAndRunAgain(t, func(f *fixture, n int) {
					f.fault = func(i int, _ string) simFault {
						if i != n {
							return simFault{}
						}
						f.journal.dead = true
						return fault
					}
				}, again)
			})
		}
	}
}

func TestEveryAnswerLost(t *testing.T) {
	for n := 1; ; n++ {
		f, d := busy(t)
		f.fault = at(n, simFault{lost: true})
		f.mustRun(f.plan(d))
		f.ended(d)
		if len(f.writes) < n {
			return
		}
	}
}
