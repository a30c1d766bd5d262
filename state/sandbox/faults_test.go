package sandbox_test

import (
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
	"ballast/state/sandbox"
)

// The keys of the requests that these tests are about.
const (
	keyDescribeConfigs = 32
	keyDelete          = 20
	keyGrow            = 37
	keyReassign        = 45
)

func TestARequestThatFailsDoesNothing(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1, 2))
	l.FailNext(keyReassign, 39, 2)
	for range 2 {
		if code, _ := l.reassign("t", 0, ids(1, 3)); code != 39 {
			t.Errorf("code %d", code)
		}
	}
	l.is("t", 0, ids(1, 2), ids(1, 2))
	l.move("t", 0, 1, 3)
}

func TestEveryRequestCanBeMadeToFail(t *testing.T) {
	l := newLab(t)
	del := kmsg.NewPtrDeleteTopicsRequest()
	del.Topics = []kmsg.DeleteTopicsRequestTopic{{Topic: kmsg.StringPtr("t")}}
	l.NotController(keyDelete, 1)
	out := ask[*kmsg.DeleteTopicsResponse](l, 1, del).Topics
	if len(out) != 1 || out[0].ErrorCode != 41 || *out[0].Topic != "t" {
		t.Errorf("%+v", out)
	}
	elect := kmsg.NewPtrElectLeadersRequest()
	elect.Topics = []kmsg.ElectLeadersRequestTopic{{Topic: "t", Partitions: ids(3, 4)}}
	l.FailNext(43, 31, 1)
	e := ask[*kmsg.ElectLeadersResponse](l, 1, elect)
	if e.ErrorCode != 31 || len(e.Topics[0].Partitions) != 2 || e.Topics[0].Partitions[1].Partition != 4 || e.Topics[0].Partitions[1].ErrorCode != 31 {
		t.Errorf("%+v", e)
	}
	find := kmsg.NewPtrFindCoordinatorRequest()
	find.CoordinatorKeys = []string{"g"}
	l.FailNext(10, 15, 1)
	f := ask[*kmsg.FindCoordinatorResponse](l, 1, find).Coordinators
	if len(f) != 1 || f[0].Key != "g" || f[0].ErrorCode != 15 {
		t.Errorf("%+v", f)
	}
}

func TestAFaultMeetsOnlyTheTopicsAndBrokersThatItNames(t *testing.T) {
	l := newLab(t)
	l.create("a", ids(1, 2))
	l.create("b", ids(1, 2))
	takeBack := l.Order(sandbox.Fault{Key: keyReassign, Topics: []string{"b"}, Brokers: []state.BrokerID{2}, Code: 31})
	l.move("a", 0, 1, 3)
	if code, _ := l.reassign("b", 0, ids(1, 3)); code != 31 {
		t.Errorf("code %d", code)
	}
	if resp, err := try(l, 4, reassignment("b", 0, ids(1, 3))); err != nil || resp.(*kmsg.AlterPartitionAssignmentsResponse).ErrorCode != 0 {
		t.Errorf("by broker 4: %v %v", resp, err)
	}
	takeBack()
	l.move("b", 0, 1, 3)
}

func TestALostAnswerIsToAWriteThatWasDone(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1, 2))
	l.DropAnswer(keyReassign, 1)
	if resp, err := try(l, 2, reassignment("t", 0, ids(1, 3))); err == nil {
		t.Fatalf("an answer came: %v", resp)
	}
	l.pass(time.Second)
	l.is("t", 0, ids(1, 3), ids(1, 3))
	l.DropRequest(keyReassign, 1)
	if resp, err := try(l, 2, reassignment("t", 0, ids(1, 4))); err == nil {
		t.Fatalf("an answer came: %v", resp)
	}
	l.is("t", 0, ids(1, 3), ids(1, 3))
}

func TestALateAnswerComesWhenItsTimeHasCome(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1, 2))
	takeBack := l.Delay(keyReassign, 30*time.Second)
	answered := make(chan error)
	go func() {
		_, err := try(l, 2, reassignment("t", 0, ids(1, 3)))
		answered <- err
	}()
	for l.clock.Sleeping() == 0 {
		l.is("t", 0, ids(1, 2), ids(1, 2))
	}
	l.pass(29 * time.Second)
	l.is("t", 0, ids(1, 2), ids(1, 2))
	l.pass(time.Second)
	if err := <-answered; err != nil {
		t.Fatal(err)
	}
	takeBack()
	l.pass(time.Second)
	l.is("t", 0, ids(1, 3), ids(1, 3))
}

func TestAQuotaTellsItsThrottleTime(t *testing.T) {
	l := newLab(t)
	l.ThrottleQuota(60, 15*time.Millisecond, 1)
	same(t, "throttle time", ask[*kmsg.DescribeClusterResponse](l, 1, kmsg.NewPtrDescribeClusterRequest()).ThrottleMillis, int32(15))
	same(t, "throttle time", ask[*kmsg.DescribeClusterResponse](l, 1, kmsg.NewPtrDescribeClusterRequest()).ThrottleMillis, int32(0))
}

func TestAHiddenConfigShowsItsOldValueForAWhile(t *testing.T) {
	l := newLab(t)
	l.HideConfig(followerRate, time.Second, 2)
	l.mustSet(3, brokerRes, "3", followerRate, "5")
	if _, source := l.config(3, brokerRes, "3", followerRate); source != 0 {
		t.Error("it shows before its time")
	}
	l.pass(time.Second)
	if _, source := l.config(3, brokerRes, "3", followerRate); source != 0 {
		t.Error("it shows at the second read")
	}
	if value, _ := l.config(3, brokerRes, "3", followerRate); value != "5" {
		t.Errorf("the third read shows %q", value)
	}
	l.mustSet(3, brokerRes, "3", followerRate, "6")
	l.ShowConfigs()
	if value, _ := l.config(3, brokerRes, "3", followerRate); value != "6" {
		t.Errorf("after all: %q", value)
	}
}

func TestConfigsThatMayNotBeRead(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1))
	l.DenyConfigs("t")
	req := kmsg.NewPtrDescribeConfigsRequest()
	r := kmsg.NewDescribeConfigsRequestResource()
	r.ResourceType, r.ResourceName = topicRes, "t"
	req.Resources = append(req.Resources, r)
	out := ask[*kmsg.DescribeConfigsResponse](l, 1, req).Resources[0]
	same(t, "code and configs", []any{out.ErrorCode, len(out.Configs)}, []any{int16(29), 0})
	if l.Snapshot().Topic("t").Config != nil {
		t.Error("the snapshot has its configs")
	}
}

func TestTheLogOfRequestsTellsWhatWasWritten(t *testing.T) {
	l := newLab(t)
	l.create("a", ids(1, 2))
	l.create("b", ids(1, 2))
	l.ForgetRequests()
	l.StallMove("a", 0)
	l.config(1, topicRes, "a", "retention.ms")
	dry := kmsg.NewPtrCreatePartitionsRequest()
	dry.ValidateOnly = true
	ask[*kmsg.CreatePartitionsResponse](l, 1, dry)
	if w := l.Writes(); len(w) != 0 {
		t.Fatalf("%+v", w)
	}
	l.move("a", 0, 1, 3)
	if code, text := l.grow("b", 2); code != 0 {
		t.Fatal(code, text)
	}
	w := l.Writes()
	if len(w) != 2 || w[0].Key != keyReassign || w[0].Broker != 2 || len(w[0].InFlight) != 0 || w[1].Key != keyGrow {
		t.Fatalf("%+v", w)
	}
	same(t, "topics in flight at the second", w[1].InFlight, []string{"a"})
	same(t, "what was asked", w[0].Message.(*kmsg.AlterPartitionAssignmentsRequest).Topics[0].Partitions[0].Replicas, ids(1, 3))
	same(t, "reads of configs", len(l.Requests(keyDescribeConfigs)), 1)
}

func TestAForeignReassignmentIsNobodysRequest(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1, 2))
	l.ForgetRequests()
	if err := l.ForeignReassignment("t", 0, 3, 4); err != nil {
		t.Fatal(err)
	}
	if err := l.ForeignReassignment("t", 0, 99); err == nil {
		t.Error("broker 99 was taken")
	}
	l.is("t", 0, ids(3, 4, 1, 2), ids(1, 2))
	same(t, "requests that write", len(l.Writes()), 0)
}

func TestDroppedConnectionsCanBeOpenedAgain(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1, 2))
	l.DropConnections(2)
	l.move("t", 0, 1, 3)
}

func TestWhatAnotherToolDoesIsDoneAndNotLogged(t *testing.T) {
	l := newLab(t)
	l.create("a", ids(1, 2))
	l.create("b", ids(1, 2))
	l.ForgetRequests()
	value := "7"
	for what, err := range map[string]error{
		"delete":             l.ForeignDelete("a"),
		"grow":               l.ForeignPartitions("b", 4),
		"a topic's config":   l.ForeignConfig(state.ConfigResource{Type: state.TopicResource, Name: "b"}, "retention.ms", &value),
		"a broker's config":  l.ForeignConfig(state.ConfigResource{Type: state.BrokerResource, Name: "4"}, leaderRate, &value),
		"everyone's config":  l.ForeignConfig(state.ConfigResource{Type: state.BrokerResource}, followerRate, &value),
		"start of a move":    l.ForeignReassignment("b", 0, 3, 4),
		"cancel of the move": l.ForeignReassignment("b", 0),
	} {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	if l.ForeignDelete("a") == nil || l.ForeignPartitions("b", 1) == nil || l.ForeignReassignment("b", 0) == nil {
		t.Error("what cannot be done was done")
	}
	same(t, "requests that write", len(l.Writes()), 0)
	snap := l.Snapshot()
	same(t, "topics and partitions", []int{len(snap.Topics), len(snap.Topics[0].Partitions)}, []int{1, 4})
	same(t, "the topic's config", snap.Topics[0].Config["retention.ms"], state.ConfigValue{Value: "7", Source: state.SourceTopic})
	same(t, "the broker's config", snap.Brokers[3].Config[leaderRate], state.ConfigValue{Value: "7", Source: state.SourceBroker})
	same(t, "everyone's config", snap.Brokers[3].Config[followerRate], state.ConfigValue{Value: "7", Source: state.SourceCluster})
}

func TestABrokerThatIsCutOffAnswersNothing(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1, 2))
	takeBack := l.Order(sandbox.Fault{Key: sandbox.AnyKey, Brokers: []state.BrokerID{3}, NoRequest: true})
	if _, err := try(l, 3, kmsg.NewPtrDescribeClusterRequest()); err == nil {
		t.Error("it answers")
	}
	takeBack()
	ask[*kmsg.DescribeClusterResponse](l, 3, kmsg.NewPtrDescribeClusterRequest())
}

func TestAnOrderlyShutdownIsKnownAtOnce(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(6, 1))
	if err := l.StopBroker(6); err != nil {
		t.Fatal(err)
	}
	l.is("t", 0, ids(6, 1), ids(1))
	l.leads("t", 0, 1)
	l.restart(6)
	l.is("t", 0, ids(6, 1), ids(1, 6))
}
