package kafka_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"ballast/state"
	"ballast/state/kafka"
	"ballast/state/sandbox"
)

// Keys of the requests about groups.
const (
	findCoordinatorKey = 10
	describeGroupsKey  = 15
	listGroupsKey      = 16
)

// withGroup starts a sandbox in which a real client is the only member of a group.
func withGroup(t *testing.T) (*sandbox.Sandbox, *kafka.Client) {
	t.Helper()
	s := start(t, topics([]string{"t"}, 3))
	m, err := kgo.NewClient(kgo.SeedBrokers(s.Bootstrap()...), kgo.ConsumerGroup("g"), kgo.ConsumeTopics("t"), kgo.Balancers(kgo.RangeBalancer()), kgo.InstanceID("i"), kgo.Rack("r1"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	c := connect(t, s)
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if got, errs := describe(t, c, "g"); errs[0] == nil && got[0].State == state.GroupStable {
			return s, c
		} else if time.Now().After(deadline) {
			t.Fatal("the group does not settle", got, errs)
		}
	}
}

func describe(t *testing.T, c *kafka.Client, names ...string) ([]state.Group, []error) {
	t.Helper()
	var list []state.GroupListing
	for _, name := range names {
		list = append(list, state.GroupListing{Name: name})
	}
	got, errs, err := c.DescribeGroups(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	return got, errs
}

func TestAGroupIsReadWithItsMembers(t *testing.T) {
	_, c := withGroup(t)
	got, _ := describe(t, c, "g")
	m := got[0].Members[0]
	if got[0].Assignor != "range" || m.InstanceID != "i" || len(m.Assigned) != 3 || !slices.Equal(m.Topics, []string{"t"}) {
		t.Errorf("%+v", got[0])
	}
}

func TestAGroupThatMayNotBeReadSaysSo(t *testing.T) {
	for name, key := range map[string]int16{"its coordinator": findCoordinatorKey, "the group": describeGroupsKey} {
		s, c := withGroup(t)
		s.FailNext(key, state.CodeGroupAuthorization, 0)
		_, errs := describe(t, c, "g")
		var of *state.Error
		if !errors.As(errs[0], &of) || of.Code != state.CodeGroupAuthorization {
			t.Errorf("%s: %v", name, errs[0])
		}
	}
}

// A coordinator that is loading, or has moved, is asked again.
func TestACoordinatorThatIsNotReadyIsAskedAgain(t *testing.T) {
	for name, fault := range map[string][2]int16{
		"none is known": {findCoordinatorKey, 15}, "it has moved": {describeGroupsKey, 16},
		"it loads": {describeGroupsKey, 14}, "it loads, asked for its list": {listGroupsKey, 14},
	} {
		s, c := withGroup(t)
		s.FailNext(fault[0], fault[1], 1)
		list, unread, err := c.ListGroups(t.Context())
		if err != nil || len(unread) > 0 || len(list) != 1 || list[0].Name != "g" {
			t.Errorf("%s: %v %v %v", name, list, unread, err)
		}
		if _, errs := describe(t, c, "g"); errs[0] != nil {
			t.Errorf("%s: %v", name, errs[0])
		}
	}
}

func TestABrokerThatDoesNotListItsGroupsIsSaid(t *testing.T) {
	s, c := withGroup(t)
	s.Order(sandbox.Fault{Key: listGroupsKey, Brokers: []state.BrokerID{2}, Code: 31})
	_, unread, err := c.ListGroups(t.Context())
	if err != nil || len(unread) != 1 || unread[0].Name != "2" || !strings.Contains(unread[0].Reason, "CLUSTER_AUTHORIZATION_FAILED") {
		t.Errorf("%v %v", unread, err)
	}
}

// To look for the coordinator of a group makes Kafka create the topic for groups.
func TestNobodyIsAskedForACoordinatorWhereThereAreNoGroups(t *testing.T) {
	s := start(t, nil)
	s.FailNext(findCoordinatorKey, 15, 0)
	_, errs := describe(t, connect(t, s), "g")
	var of *state.Error
	if !errors.As(errs[0], &of) || of.Code != state.CodeGroupNotFound {
		t.Errorf("%v", errs[0])
	}
}
