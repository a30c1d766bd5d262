package sandbox_test

import (
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state/sandbox"
)

// The claims of this file were measured on Apache Kafka 4.3.0.

func TestAMoveEndsWithItsTarget(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1, 2))
	l.move("t", 0, 3, 4)
	replicas, adding, removing := l.ongoing("t", 0)
	same(t, "replicas in flight", replicas, ids(3, 4, 1, 2))
	same(t, "adding", adding, ids(3, 4))
	same(t, "removing", removing, ids(1, 2))
	l.is("t", 0, ids(3, 4, 1, 2), ids(1, 2))
	l.leads("t", 0, 1)
	epoch := l.metadata("t", 0).LeaderEpoch
	l.pass(time.Second)
	l.is("t", 0, ids(3, 4), ids(3, 4))
	l.leads("t", 0, 3)
	if got := l.metadata("t", 0).LeaderEpoch; got != epoch+1 {
		t.Errorf("the leader epoch went from %d to %d", epoch, got)
	}
	if replicas, _, _ := l.ongoing("t", 0); replicas != nil {
		t.Errorf("still listed: %v", replicas)
	}
	if got := l.size("t", 0, 1); got != -1 {
		t.Errorf("the removed replica still has %d bytes", got)
	}
}

func TestAPureAdditionKeepsTheLeaderEpoch(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1, 2))
	epoch := l.metadata("t", 0).LeaderEpoch
	l.move("t", 0, 1, 2, 3)
	l.pass(time.Second)
	l.is("t", 0, ids(1, 2, 3), ids(1, 2, 3))
	same(t, "epoch", l.metadata("t", 0).LeaderEpoch, epoch)
}

func TestARetainedLeaderStaysAndARemovedOneIsReplacedByTheFirstTarget(t *testing.T) {
	for _, c := range []struct {
		from, to []int32
		leader   int32
	}{
		{ids(1, 2, 3), ids(4, 2, 3), 4},
		{ids(1, 2, 3), ids(5, 6, 1), 1},
		{ids(1, 2, 3), ids(2, 3), 2},
		{ids(6, 2, 5), ids(2, 6, 5), 6},
	} {
		l := newLab(t)
		l.create("t", c.from)
		l.move("t", 0, c.to...)
		l.pass(time.Second)
		l.leads("t", 0, c.leader)
	}
}

func TestAReorderEndsAtOnceAndMovesNoLeader(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1, 2, 3))
	l.move("t", 0, 3, 1, 2)
	l.is("t", 0, ids(3, 1, 2), ids(1, 2, 3))
	l.leads("t", 0, 1)
	if replicas, _, _ := l.ongoing("t", 0); replicas != nil {
		t.Errorf("listed: %v", replicas)
	}
}

func TestAShrinkEndsAtOnce(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(2, 1, 3, 4))
	l.move("t", 0, 1)
	l.is("t", 0, ids(1), ids(1))
	l.leads("t", 0, 1)
}

func TestACancelRestoresTheSetAndNotTheOrder(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1, 2))
	l.move("t", 0, 2, 3)
	l.cancel("t", 0)
	l.is("t", 0, ids(2, 1), ids(1, 2))
	l.leads("t", 0, 1)
	if got := l.size("t", 0, 3); got != -1 {
		t.Errorf("the partial copy is still there: %d bytes", got)
	}
}

func TestACancelTakesAnAddedReplicaOutThatIsInSync(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1, 2))
	l.kill(6)
	l.move("t", 0, 3, 6)
	l.pass(time.Second)
	l.is("t", 0, ids(3, 6, 1, 2), ids(1, 2, 3))
	l.cancel("t", 0)
	l.is("t", 0, ids(1, 2), ids(1, 2))
}

func TestARetargetMergesWithTheMoveInFlight(t *testing.T) {
	l := newLab(t)
	l.create("run", ids(1, 2))
	l.move("run", 0, 1, 3)
	l.move("run", 0, 1, 4)
	replicas, adding, removing := l.ongoing("run", 0)
	same(t, "replicas", replicas, ids(1, 4, 2, 3))
	same(t, "adding", adding, ids(4))
	same(t, "removing", removing, ids(2, 3))
	l.pass(time.Second)
	l.is("run", 0, ids(1, 4), ids(1, 4))

	l.create("cancelled", ids(1, 2))
	l.move("cancelled", 0, 1, 3)
	l.move("cancelled", 0, 1, 4)
	l.cancel("cancelled", 0)
	l.is("cancelled", 0, ids(1, 2, 3), ids(1, 2))
}

func TestASupersetRetargetEndsWithTheOldTarget(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1, 2))
	l.move("t", 0, 1, 3)
	l.move("t", 0, 1, 2, 3)
	replicas, adding, removing := l.ongoing("t", 0)
	same(t, "replicas", replicas, ids(1, 2, 3))
	same(t, "adding", adding, ids(3))
	same(t, "removing", removing, ids(2))
	l.pass(time.Second)
	l.is("t", 0, ids(1, 3), ids(1, 3))
}

func TestTheOldListAsARollbackNeverEnds(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1, 2))
	l.move("t", 0, 3, 4)
	l.move("t", 0, 1, 2)
	replicas, adding, removing := l.ongoing("t", 0)
	same(t, "replicas", replicas, ids(1, 2, 3, 4))
	same(t, "adding", adding, ids(3, 4))
	same(t, "removing", removing, ids(3, 4))
	l.pass(time.Hour)
	l.is("t", 0, ids(1, 2, 3, 4), ids(1, 2, 3, 4))
	l.cancel("t", 0)
	l.is("t", 0, ids(1, 2), ids(1, 2))
}

func TestMovesThatAreRefused(t *testing.T) {
	l := newLab(t)
	l.create("m", ids(1, 2))
	for _, c := range []struct {
		what     string
		topic    string
		p        int32
		replicas []int32
		code     int16
		text     string
	}{
		{"nothing to cancel", "m", 0, nil, 85, ""},
		{"unknown partition", "m", 7, nil, 3, "Unable to find partition m:7."},
		{"negative partition", "m", -1, ids(1), 3, "Unable to find partition m:-1."},
		{"unknown topic", "nosuch", 0, ids(1), 3, "Unable to find a topic named nosuch."},
		{"unknown broker", "m", 0, ids(1, 99), 39, "The manual partition assignment includes broker 99, but no such broker is registered."},
		{"negative broker", "m", 0, ids(1, -5), 39, "The manual partition assignment includes broker -5, but no such broker is registered."},
		{"a broker twice", "m", 0, ids(1, 2, 1), 39, "The manual partition assignment includes the broker 1 more than once."},
		{"empty list", "m", 0, []int32{}, 39, "The manual partition assignment includes an empty replica list."},
	} {
		code, text := l.reassign(c.topic, c.p, c.replicas)
		l.refused(c.what, code, text, c.code, c.text)
	}
	if code, _ := l.reassign("m", 0, ids(1, 2)); code != 0 {
		t.Errorf("the current list: %d", code)
	}
	l.is("m", 0, ids(1, 2), ids(1, 2))
}

func TestACancelThatWouldStrandAPartitionIsRefused(t *testing.T) {
	l := newLab(t)
	l.create("s", ids(5))
	l.StallMove("s", 0)
	l.move("s", 0, 4)
	l.kill(5)
	m := l.metadata("s", 0)
	same(t, "leader, error, ISR", []any{m.Leader, m.ErrorCode, len(m.ISR)}, []any{int32(-1), int16(5), 0})
	code, text := l.reassign("s", 0, nil)
	l.refused("cancel", code, text, 39, "Unable to revert partition assignment for s:0 because it would require an unclean leader election.")
	l.restart(5)
	l.leads("s", 0, 5)
	l.ResumeMove("s", 0)
	l.pass(time.Second)
	l.is("s", 0, ids(4), ids(4))
}

func TestADeadReplicaThatStaysDoesNotHoldAMoveUp(t *testing.T) {
	for _, c := range []struct{ from, to, isr []int32 }{
		{ids(1, 6, 3), ids(1, 6, 4), ids(1, 4)},
		{ids(1, 6), ids(1, 6, 4), ids(1, 4)},
		{ids(1, 6, 3), ids(6, 4, 5), ids(4, 5)},
		{ids(1, 6, 3), ids(1, 4, 3), ids(1, 3, 4)},
		{ids(1, 6, 3), ids(6, 3, 1), ids(1, 3)},
	} {
		l := newLab(t)
		l.create("t", c.from)
		l.kill(6)
		l.move("t", 0, c.to...)
		l.pass(time.Second)
		l.is("t", 0, c.to, c.isr)
	}
}

func TestAShrinkThatKeepsADeadReplicaNeverEnds(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1, 6, 3))
	l.kill(6)
	l.move("t", 0, 1, 6)
	l.pass(time.Hour)
	if replicas, _, removing := l.ongoing("t", 0); replicas == nil || len(removing) != 1 {
		t.Errorf("in flight: %v, removing %v", replicas, removing)
	}
	l.cancel("t", 0)
	l.is("t", 0, ids(1, 6, 3), ids(1, 3))
}

func TestAKilledTargetHoldsTheMoveUpUntilItReturns(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1, 2))
	l.fill("t", 0, 490*MB)
	l.move("t", 0, 1, 6)
	l.pass(2 * time.Second)
	copied := l.size("t", 0, 6)
	l.kill(6)
	l.is("t", 0, ids(1, 6, 2), ids(1, 2))
	same(t, "offline", l.metadata("t", 0).OfflineReplicas, ids(6))
	l.pass(time.Hour)
	l.is("t", 0, ids(1, 6, 2), ids(1, 2))
	l.restart(6)
	if again := l.size("t", 0, 6); again < copied {
		t.Errorf("it began again at %d of %d bytes", again, copied)
	}
	l.pass(time.Minute)
	l.is("t", 0, ids(1, 6), ids(1, 6))
}

func TestAKilledSourceIsReplacedAndTheMoveEnds(t *testing.T) {
	for _, c := range []struct{ from, to, isr []int32 }{
		{ids(5, 4), ids(5, 3), ids(3)},
		{ids(5, 4), ids(3, 4), ids(3, 4)},
		{ids(4, 5), ids(3, 2), ids(2, 3)},
	} {
		l := newLab(t)
		l.create("s", c.from)
		l.fill("s", 0, 990*MB)
		l.move("s", 0, c.to...)
		l.kill(5)
		l.leads("s", 0, 4)
		l.pass(time.Minute)
		l.is("s", 0, c.to, c.isr)
	}
}

func TestMetadataLagsBehindTheListOfReassignments(t *testing.T) {
	l := newLab(t, lagging(200*time.Millisecond))
	l.create("t", ids(1, 2))
	l.pass(time.Second)
	l.move("t", 0, 1, 3)
	l.is("t", 0, ids(1, 2), ids(1, 2))
	if replicas, _, _ := l.ongoing("t", 0); replicas == nil {
		t.Error("the move is not listed at once")
	}
	l.pass(200 * time.Millisecond)
	if replicas, _, _ := l.ongoing("t", 0); replicas != nil {
		t.Error("the move has not ended")
	}
	l.is("t", 0, ids(1, 3, 2), ids(1, 2))
	l.pass(200 * time.Millisecond)
	l.is("t", 0, ids(1, 3), ids(1, 3))
}

func TestOfTwoEntriesForOnePartitionTheLastWins(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1, 2))
	req := reassignment("t", 0, ids(1, 3))
	req.Topics[0].Partitions = append(req.Topics[0].Partitions, reassignment("t", 0, ids(1, 4)).Topics[0].Partitions...)
	if _, err := try(l, 1, req); err != nil {
		t.Fatal(err)
	}
	l.pass(time.Second)
	l.is("t", 0, ids(1, 4), ids(1, 4))
}

func TestAnEntryIsJudgedByTheStateBeforeTheRequest(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1, 2))
	req := reassignment("t", 0, ids(1, 3))
	req.Topics[0].Partitions = append(req.Topics[0].Partitions, reassignment("t", 0, nil).Topics[0].Partitions...)
	out := ask[*kmsg.AlterPartitionAssignmentsResponse](l, 1, req).Topics[0].Partitions
	same(t, "codes of a start and a cancel", []int16{out[0].ErrorCode, out[1].ErrorCode}, []int16{0, 85})
	l.pass(time.Second)
	l.is("t", 0, ids(1, 3), ids(1, 3))
}

func TestACopyMayBeginLate(t *testing.T) {
	l := newLab(t, func(o *sandbox.Options) { o.CopyDelay = 20 * time.Second })
	l.create("t", ids(1, 2))
	l.move("t", 0, 1, 3)
	l.pass(20 * time.Second)
	same(t, "bytes after 20 s", l.size("t", 0, 3), int64(0))
	l.pass(time.Second)
	l.is("t", 0, ids(1, 3), ids(1, 3))
}

// As measured on 4.0.2.
func TestBefore43ADeadReplicaThatStaysHoldsAMoveUp(t *testing.T) {
	l := newLab(t, func(o *sandbox.Options) { o.Before43 = true })
	l.create("grow", ids(1, 6))
	l.create("rollback", ids(1, 2))
	l.kill(6)
	l.move("grow", 0, 1, 6, 4)
	l.pass(time.Hour)
	l.is("grow", 0, ids(1, 6, 4), ids(1, 4))
	if _, adding, _ := l.ongoing("grow", 0); len(adding) != 1 {
		t.Error("the move has ended")
	}
	l.move("rollback", 0, 3, 4)
	l.move("rollback", 0, 1, 2)
	l.is("rollback", 0, ids(1, 2), ids(1, 2))
}
