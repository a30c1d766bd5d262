package apply_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"ballast/apply"
	"ballast/config"
	"ballast/planner"
	"ballast/state"
	"ballast/state/sandbox"
)

// during applies a plan and does something once bytes are on their way.
func (l *lab) during(p *planner.Plan, do func()) apply.Result {
	l.Helper()
	var once sync.Once
	l.on = func(e apply.Event) {
		if copying(e) {
			once.Do(do)
		}
	}
	defer func() { l.on = nil }()
	return l.apply(p)
}

// ended wants an exit status, and that no throttle is left.
func (l *lab) ended(res apply.Result, want apply.Exit) {
	l.Helper()
	if res.Exit != want {
		l.Fatalf("exit %d: %s\n%s", res.Exit, res.Reason, l.story())
	}
	if got := l.throttles(); got != "" {
		l.Errorf("throttles are left: %s", got)
	}
}

// slow is a cluster with one topic of two copies to raise, for 20 s and more.
func slow(t *testing.T) (*lab, *config.Desired) {
	l := newLab(t, stored("orders", 100*mb, list(1, 3)))
	topic := wanted("orders", 1, 3)
	topic.Replicas.Pin = map[int32][]state.BrokerID{0: list(1, 3, 5)}
	return l, limited(5*mb, topic)
}

func TestSandboxSourcesLeaderDiesInMidMove(t *testing.T) {
	l, d := slow(t)
	l.ended(l.during(l.plan(d), func() { l.must(l.KillBroker(1)) }), apply.ExitDone)
	if p := l.Sandbox.Snapshot().Topic("orders").Partitions[0]; p.Leader != 3 || !state.Contains(p.ISR, 5) {
		t.Errorf("%+v\n%s", p, l.story())
	}
}

func TestSandboxTopicsAreDeletedAndGrownByOthers(t *testing.T) {
	l := newLab(t, stored("outgrown", 50*mb, list(1)), stored("staying", 50*mb, list(3)), stored("vanishing", 50*mb, list(5)))
	p := l.plan(limited(5*mb, wanted("outgrown", 3, 2), wanted("staying", 1, 2), wanted("vanishing", 1, 2)))
	res := l.during(p, func() { l.must(l.ForeignDelete("vanishing")); l.must(l.ForeignPartitions("outgrown", 2)) })
	l.ended(res, apply.ExitStopped)
	failed := map[string]bool{}
	for _, f := range res.Failed {
		failed[f.Topic] = true
	}
	if len(failed) != 2 || !failed["vanishing"] || !failed["outgrown"] {
		t.Errorf("failed: %+v\n%s", res.Failed, l.story())
	}
	if q := l.Sandbox.Snapshot().Topic("staying").Partitions[0]; len(q.ISR) != 2 {
		t.Errorf("%+v", q)
	}
}

func TestSandboxForeignReassignmentBeginsInMidApply(t *testing.T) {
	l := newLab(t, stored("first", 50*mb, list(1)), stored("second", 50*mb, list(1)))
	d := limited(5*mb, wanted("first", 1, 2), wanted("second", 1, 2))
	d.Apply.MaxBatchPartitions = 1
	p := l.plan(d)
	last := p.Steps[len(p.Steps)-1].Moves[0]
	other := list(1, 5)
	if fmt.Sprint(last.After) == fmt.Sprint(other) {
		other = list(1, 6)
	}
	res := l.during(p, func() { l.must(l.ForeignReassignment(last.Topic, 0, other...)) })
	l.ended(res, apply.ExitStopped)
	if len(res.Failed) != 1 || res.Failed[0].Topic != last.Topic {
		t.Errorf("failed: %+v\n%s", res.Failed, l.story())
	}
	if got := l.Sandbox.Snapshot().Topic(last.Topic).Partitions[0].Replicas; fmt.Sprint(got) != fmt.Sprint(other) {
		t.Errorf("the other tool's partition is on %v", got)
	}
}

// A broker that cannot be reached answers nothing: the copy's end is seen all the
// same, and what could not be taken off it is told, and taken off later.
func TestSandboxNetworkToOneBrokerFails(t *testing.T) {
	l, d := slow(t)
	p := l.plan(d)
	heal := func() {}
	res := l.during(p, func() {
		heal = l.Order(sandbox.Fault{Key: sandbox.AnyKey, Brokers: list(5), NoRequest: true})
	})
	if res.Exit != apply.ExitStopped || len(res.InFlight) > 0 || len(res.Throttles) != 1 || res.Throttles[0].Resource.Name != "5" || !res.CanResume {
		t.Errorf("%+v\n%s", res, l.story())
	}
	if q := l.Sandbox.Snapshot().Topic("orders").Partitions[0]; len(q.ISR) != 3 {
		t.Errorf("%+v", q)
	}
	heal()
	l.ended(l.apply(nil), apply.ExitDone)
}

func TestSandboxDiskIsAlmostFull(t *testing.T) {
	l, d := slow(t)
	p := l.plan(d)
	l.must(l.SetDisk(5, 60*mb))
	res := l.apply(p)
	l.ended(res, apply.ExitStopped)
	if len(res.Holds) != 1 || res.Holds[0].Gate != "disk" || res.Holds[0].Broker != 5 || !strings.Contains(res.Reason, "of broker 5 has 60 MB free") {
		t.Errorf("%+v", res)
	}
	l.must(l.SetDisk(5, 600*mb))
	l.ended(l.apply(nil), apply.ExitDone)
}

// A rate that was there before, of a broker or the default of all, is as it was
// after a run, and `throttle clear` takes the default away once.
func TestSandboxRatesOfOthersComeBackToTheLetter(t *testing.T) {
	l, d := slow(t)
	for _, of := range []string{"", "5"} {
		l.must(l.ForeignConfig(state.ConfigResource{Type: state.BrokerResource, Name: of}, "follower.replication.throttled.rate", value("007000"+of)))
	}
	before := l.throttles()
	if !strings.Contains(before, "broker 5 follower.replication.throttled.rate=0070005") || !strings.Contains(before, "broker 1 follower.replication.throttled.rate=007000") {
		t.Fatal(before)
	}
	l.mustApply(d)
	if got := l.throttles(); got != before {
		t.Errorf("throttles %s\nbefore %s", got, before)
	}
	j, err := apply.OpenLocal(l.dir, l.client.ClusterID())
	l.must(err)
	defer j.Close()
	var asked []string
	gone, err := apply.ClearThrottles(t.Context(), apply.ClearOptions{Cluster: l.client, Journal: j, Clock: l.clock, Choose: func(s apply.ThrottleStatus) (bool, error) {
		asked = append(asked, s.Resource.Name)
		return s.Resource.Name == "", nil
	}})
	l.must(err)
	if fmt.Sprint(asked) != "[ 5]" || len(gone) != 1 || l.throttles() != "broker 5 follower.replication.throttled.rate=0070005" {
		t.Errorf("asked about %q, cleared %+v, left %s", asked, gone, l.throttles())
	}
}

// Where producers leave a copy no room that is told with figures.
func TestSandboxProducersLeaveACopyNoRoom(t *testing.T) {
	l, d := slow(t)
	l.must(l.Traffic("orders", 0, 6*mb))
	quiet := func(e apply.Event) {
		if e.Kind == apply.EventWarning {
			l.must(l.Traffic("orders", 0, 0))
		}
	}
	p := l.plan(d)
	l.on = quiet
	l.ended(l.apply(p), apply.ExitDone)
	if !strings.Contains(l.story(), "broker 5 grows by 6.0 MB/s, and its throttle lets 5.0 MB/s through") {
		t.Error(l.story())
	}
}
