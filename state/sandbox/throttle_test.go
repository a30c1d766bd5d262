package sandbox_test

import (
	"math"
	"strconv"
	"testing"
	"time"

	"ballast/state/sandbox"
)

const (
	leaderRate   = "leader.replication.throttled.rate"
	followerRate = "follower.replication.throttled.rate"
	leaderList   = "leader.replication.throttled.replicas"
	followerList = "follower.replication.throttled.replicas"
)

// copied checks how much of a replica is there, to 2 %.
func (l *lab) copied(topic string, p int32, broker int, want int64) {
	l.Helper()
	if got := l.size(topic, p, broker); math.Abs(float64(got-want)) > 0.02*float64(want) {
		l.Errorf("broker %d has %.1f MB of %s-%d, want %.1f MB", broker, float64(got)/MB, topic, p, float64(want)/MB)
	}
}

func TestAnUnthrottledCopyRunsAtTheNetworksRate(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1))
	l.fill("t", 0, 990*MB)
	l.move("t", 0, 1, 3)
	l.pass(5 * time.Second)
	l.copied("t", 0, 3, 500*MB)
}

func TestEitherSideAloneThrottles(t *testing.T) {
	for _, c := range []struct {
		name, list, value string
		broker            int
		rate              string
	}{
		{"leader", leaderList, "0:1", 1, leaderRate},
		{"leader, all", leaderList, "*", 1, leaderRate},
		{"follower", followerList, "0:3", 3, followerRate},
		{"follower, all", followerList, "*", 3, followerRate},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLab(t)
			l.create("t", ids(1))
			l.fill("t", 0, 50*MB)
			l.mustSet(c.broker, brokerRes, strconv.Itoa(c.broker), c.rate, "5000000")
			l.mustSet(1, topicRes, "t", c.list, c.value)
			l.move("t", 0, 1, 3)
			l.pass(6 * time.Second)
			l.copied("t", 0, 3, 30*MB)
			l.is("t", 0, ids(1, 3), ids(1))
			l.pass(6200 * time.Millisecond)
			l.is("t", 0, ids(1, 3), ids(1, 3))
		})
	}
}

func TestTheClustersDefaultRateHoldsWhereABrokerHasNone(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1), ids(2))
	l.fill("t", 0, 90*MB)
	l.fill("t", 1, 90*MB)
	l.mustSet(5, brokerRes, "", followerRate, "1000000")
	l.mustSet(4, brokerRes, "4", followerRate, "2000000")
	l.mustSet(1, topicRes, "t", followerList, "*")
	l.move("t", 0, 1, 3)
	l.move("t", 1, 2, 4)
	l.pass(10 * time.Second)
	l.copied("t", 0, 3, 10*MB)
	l.copied("t", 1, 4, 20*MB)
	value, source := l.config(3, brokerRes, "3", followerRate)
	same(t, "rate shown by broker 3", []any{value, int(source)}, []any{"1000000", 3})
}

func TestARateOrAListAloneThrottlesNothing(t *testing.T) {
	for name, set := range map[string]func(l *lab){
		"rate": func(l *lab) {
			l.mustSet(1, brokerRes, "1", leaderRate, "1000")
			l.mustSet(3, brokerRes, "3", followerRate, "1000")
		},
		"list": func(l *lab) { l.mustSet(1, topicRes, "t", leaderList, "0:1", followerList, "0:3") },
		"list of others": func(l *lab) {
			l.mustSet(1, brokerRes, "1", leaderRate, "1000")
			l.mustSet(1, topicRes, "t", leaderList, "0:2,1:1")
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.create("t", ids(1))
			set(l)
			l.move("t", 0, 1, 3)
			l.pass(time.Second)
			l.is("t", 0, ids(1, 3), ids(1, 3))
		})
	}
}

func TestMovesOntoABrokerShareItsRate(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1), ids(2), ids(3), ids(4))
	for p := range int32(4) {
		l.fill("t", p, 90*MB)
	}
	l.mustSet(5, brokerRes, "5", followerRate, "4000000")
	l.mustSet(1, topicRes, "t", followerList, "*")
	for p := range int32(4) {
		l.move("t", p, p+1, 5)
	}
	l.pass(10 * time.Second)
	for p := range int32(4) {
		l.copied("t", p, 5, 10*MB)
	}
}

func TestWhatOneMoveCannotUseIsTheOthers(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1), ids(2))
	l.fill("t", 0, 990*MB)
	l.fill("t", 1, 990*MB)
	l.mustSet(1, brokerRes, "1", leaderRate, "1000000")
	l.mustSet(5, brokerRes, "5", followerRate, "10000000")
	l.mustSet(1, topicRes, "t", leaderList, "*", followerList, "*")
	l.move("t", 0, 1, 5)
	l.move("t", 1, 2, 5)
	l.pass(10 * time.Second)
	l.copied("t", 0, 5, 10*MB)
	l.copied("t", 1, 5, 90*MB)
}

func TestARateOfZeroStopsEverything(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1))
	l.mustSet(3, brokerRes, "3", followerRate, "0")
	l.mustSet(1, topicRes, "t", followerList, "*")
	l.move("t", 0, 1, 3)
	l.pass(time.Hour)
	l.copied("t", 0, 3, 0)
	if code, _ := l.alter(3, brokerRes, "3", 1, followerRate, ""); code != 0 {
		t.Fatal(code)
	}
	l.pass(time.Second)
	l.is("t", 0, ids(1, 3), ids(1, 3))
}

func TestARateThatChangesInFlightHoldsFromThenOn(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1))
	l.fill("t", 0, 990*MB)
	l.mustSet(3, brokerRes, "3", followerRate, "1000000")
	l.mustSet(1, topicRes, "t", followerList, "0:3")
	l.move("t", 0, 1, 3)
	l.pass(10 * time.Second)
	l.mustSet(3, brokerRes, "3", followerRate, "10000000")
	l.pass(10 * time.Second)
	l.copied("t", 0, 3, 110*MB)
}

func TestProduceTrafficOfListedFollowersEatsTheLeadersRate(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1, 2))
	l.fill("t", 0, 50*MB)
	if err := l.Traffic("t", 0, 3*MB); err != nil {
		t.Fatal(err)
	}
	l.mustSet(1, brokerRes, "1", leaderRate, "5000000")
	l.mustSet(1, topicRes, "t", leaderList, "0:1,0:2")
	l.move("t", 0, 1, 2, 3)
	l.pass(10 * time.Second)
	l.copied("t", 0, 3, 20*MB)
	l.copied("t", 0, 1, 90*MB)
	l.is("t", 0, ids(1, 2, 3), ids(1, 2)) // 5 - 3 < 3: it never ends
	l.mustSet(1, brokerRes, "1", leaderRate, "20000000")
	l.pass(10 * time.Second)
	l.is("t", 0, ids(1, 2, 3), ids(1, 2, 3))
}

func TestUsableBytesFollowTheReplicas(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1))
	before := l.usable(3)
	source := l.usable(1)
	l.move("t", 0, 3)
	l.pass(time.Second)
	same(t, "on the target", l.usable(3), before-10*MB)
	same(t, "on the source", l.usable(1), source+10*MB)
}

func (l *lab) usable(id int) int64 { return l.Snapshot().Brokers[id-1].LogDirs[0].Usable.Bytes }

func TestAFullDiskHoldsAMoveUp(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1))
	l.fill("t", 0, 90*MB)
	if err := l.SetDisk(3, 40*MB); err != nil {
		t.Fatal(err)
	}
	l.move("t", 0, 1, 3)
	l.pass(time.Minute)
	l.copied("t", 0, 3, 40*MB)
	same(t, "usable", l.usable(3), int64(0))
	if err := l.SetDisk(3, 1000*MB); err != nil {
		t.Fatal(err)
	}
	l.pass(time.Minute)
	l.is("t", 0, ids(1, 3), ids(1, 3))
}

func TestACopyMayShowItsBytesInSteps(t *testing.T) {
	l := newLab(t, func(o *sandbox.Options) { o.SizeStep = 4 * MB })
	l.create("t", ids(1))
	l.mustSet(3, brokerRes, "3", followerRate, "1000000")
	l.mustSet(1, topicRes, "t", followerList, "*")
	l.move("t", 0, 1, 3)
	var shown []int64
	for range 10 {
		l.pass(time.Second)
		shown = append(shown, l.size("t", 0, 3)/MB)
	}
	same(t, "MB shown each second", shown, []int64{0, 0, 0, 4, 4, 4, 4, 8, 8, 10})
}
