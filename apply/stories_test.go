package apply

import (
	"strings"
	"testing"
	"time"

	"ballast/config"
)

// What apply is written for, told against the simulated cluster. Tests named
// TestSandbox… tell it over the wire, TestReal… on Kafka itself; the table at
// the end of docs/operations.md says which story is told where. Stories of one
// theme are in stories_THEME_test.go.

func TestACopyBeforePartitions(t *testing.T) {
	f := newFixture(t, 6, 3)
	f.topic("orders", 20e6, ids(1, 2), ids(2, 3), ids(3, 4))
	d := desired(topic("orders", 10, 3))
	d.Apply.Throttle.BytesPerSecond = 1_000_000
	f.mustRun(f.plan(d))
	f.settled(d)
	for i, p := range f.topics["orders"].parts {
		if len(p.replicas) != 3 {
			t.Errorf("partition %d has %d replicas", i, len(p.replicas))
		}
	}
}

func TestGrowthWaitsForAMoveOfAnotherTool(t *testing.T) {
	f := newFixture(t, 6, 3)
	f.topic("orders", 20e6, ids(1, 2))
	f.fast = 1e6
	f.foreign("orders", 0, ids(1, 2, 6), 20e6)
	d := desired(topic("orders", 4, 3))
	f.mustRun(f.plan(d))
	f.settled(d)
	for i, p := range f.topics["orders"].parts {
		if len(p.replicas) != 3 {
			t.Errorf("partition %d has %v", i, p.replicas)
		}
	}
	if w := f.told(EventAdopted); len(w) != 1 || !strings.Contains(w[0].Message, "in flight to what is planned, waited for: orders-0") {
		t.Errorf("the wait is not told\n%s", f.story())
	}
}

func TestGrowthWaitsForAMoveThatBeganAfterThePlan(t *testing.T) {
	f := newFixture(t, 6, 3)
	f.topic("orders", 20e6, ids(1, 2))
	d := desired(topic("orders", 4, 2))
	p := f.plan(d)
	f.afterStart(func() { f.fast = 1e6; f.foreign("orders", 0, ids(1, 6), 20e6) })
	f.mustRun(p)
	if w := f.told(EventGateWaiting); len(w) == 0 || !strings.Contains(w[0].Message, "orders-0: a reassignment is in flight, to [1 6]") {
		t.Errorf("the wait is not told\n%s", f.story())
	}
	same(t, 4, len(f.topics["orders"].parts))
}

func TestGrowthThatWasPlannedBeforeAnotherToolsRaiseFails(t *testing.T) {
	f := newFixture(t, 6, 3)
	f.topic("orders", 20e6, ids(1, 2))
	p := f.plan(desired(topic("orders", 4, 2)))
	f.afterStart(func() { f.fast = 1e6; f.foreign("orders", 0, ids(1, 2, 6), 20e6) })
	res, err := f.run(p)
	if err != nil || res.Exit != ExitStopped || len(res.Failed) != 1 || !strings.Contains(res.Failed[0].Why, "have 3 replicas now, and those to be added have 2: plan again") {
		t.Fatalf("exit %d, %v, %+v", res.Exit, err, res.Failed)
	}
	same(t, "", f.ops())
}

func TestLeadersByOrderAloneCopyNothing(t *testing.T) {
	f := newFixture(t, 3, 3)
	f.topic("orders", 1e9, ids(1, 2), ids(1, 3), ids(1, 2))
	d := desired(topic("orders", 3, 2))
	d.Topics[0].Leaders.Balance = config.BalanceTopic
	p := f.plan(d)
	start := f.now
	res := f.mustRun(p)
	f.settled(d)
	same(t, p.Summary, res.Counts)
	if took := f.now.Sub(start); took > 30*time.Second || res.Counts.ReplicasAdded != 0 || res.Counts.LeadersMoved != 2 {
		t.Errorf("took %s, counts %+v", took, res.Counts)
	}
	leaders := map[brokerID]int{}
	for _, p := range f.topics["orders"].parts {
		leaders[p.leader]++
	}
	same(t, map[brokerID]int{1: 1, 2: 1, 3: 1}, leaders)
}

func TestElectMakesPreferredLeadersLead(t *testing.T) {
	f := newFixture(t, 3, 3)
	f.topic("orders", 1e6, ids(1, 2), ids(2, 3), ids(3, 1))
	f.topic("other", 1e6, ids(1, 2))
	f.topics["orders"].parts[0].leader = 2
	f.topics["orders"].parts[1].leader = 3
	f.topics["other"].parts[0].leader = 2
	res, err := Elect(t.Context(), ElectOptions{Cluster: f.sim, Journal: f.journal, Clock: f.sim, Topics: []string{"ord*"}, Elections: Elections{Count: 1, Every: time.Minute}})
	if err != nil || res.Exit != ExitDone || len(res.Elected) != 2 {
		t.Fatalf("%+v, %v", res, err)
	}
	same(t, brokerID(2), f.topics["other"].parts[0].leader)
	if f.now.Sub(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)) < time.Minute {
		t.Error("the two elections were not a minute apart")
	}
}

func TestStatusTellsWhoseMovesAndThrottlesAre(t *testing.T) {
	f, d := slowRaise(t)
	f.topic("theirs", 500e6, ids(1))
	f.setConfig(brokerKey(2, leaderRate), ptr("5"))
	f.stopWhen(firstProgress)
	if _, err := f.run(f.plan(d)); err != nil {
		t.Fatal(err)
	}
	f.foreign("theirs", 0, ids(1, 2), 1e12)
	first, err := Status(t.Context(), StatusOptions{Cluster: f.sim, Journal: f.journal, Clock: f.sim})
	if err != nil {
		t.Fatal(err)
	}
	f.pass(5 * time.Second)
	rep, err := Status(t.Context(), StatusOptions{Cluster: f.sim, Journal: f.journal, Clock: f.sim, Previous: first})
	if err != nil {
		t.Fatal(err)
	}
	var whose []string
	for _, m := range rep.Moves {
		who := "theirs"
		if m.Ours {
			who = "ours"
		}
		whose = append(whose, m.TopicPartition.String()+" "+who)
		if m.Ours && (m.Copies[0].Rate == nil || *m.Copies[0].Rate < 1e6) {
			t.Errorf("%s has no rate: %+v", m.TopicPartition, m.Copies)
		}
	}
	same(t, []string{"orders-0 ours", "orders-1 ours", "theirs-0 theirs"}, whose)
	for _, th := range rep.Throttles {
		if th.Ours != (th.Name != leaderRate) {
			t.Errorf("%+v", th)
		}
	}
	if !rep.Unfinished || !strings.Contains(rep.Note, "interrupted") {
		t.Errorf("unfinished %t, %q", rep.Unfinished, rep.Note)
	}
}
