package clustertest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/planner/consumer"
	"ballast/state"
	"ballast/state/clustertest/realkafka"
	"ballast/state/kafka"
	"ballast/state/sandbox"
)

func TestGroupsInTheSandbox(t *testing.T) {
	s, err := sandbox.Start(sandbox.Options{Snapshot: sandbox.Empty(6, 3), Speed: 1, SessionTimeout: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	groups(t, s.Bootstrap(), func(context.Context, ...string) error { return nil })
}

func TestGroupsInApacheKafka(t *testing.T) {
	c := realkafka.Shared(t)
	groups(t, c.Bootstrap(), c.AwaitTopics)
}

// balancers are a client's assignors, under the names of Kafka's.
var balancers = map[consumer.Assignor]kgo.GroupBalancer{
	consumer.Range:             kgo.RangeBalancer(),
	consumer.RoundRobin:        kgo.RoundRobinBalancer(),
	consumer.Sticky:            kgo.StickyBalancer(),
	consumer.CooperativeSticky: kgo.CooperativeStickyBalancer(),
}

// groups checks that groups which a client has joined are read as they are, and
// that what is foreseen for a growth is what they get.
func groups(t *testing.T, bootstrap []string, known func(context.Context, ...string) error) {
	c := dial(t, bootstrap)
	for _, a := range consumer.Assignors {
		t.Run(string(a), func(t *testing.T) {
			topic, name := "gt-"+string(a), "group-"+string(a)
			create(t, c, topic, 5, known)
			members := join(t, bootstrap, name, topic, 2, kgo.Balancers(balancers[a]))
			now := stable(t, c, name, 5)
			if now.Type != state.ClassicGroup || now.ProtocolType != state.ConsumerProtocol || now.Assignor != string(a) || len(now.Members) != 2 {
				t.Fatalf("the group is %+v", now)
			}
			for _, m := range now.Members {
				if !slices.Equal(m.Topics, []string{topic}) || m.ClientID != "client" || m.Malformed != "" || m.Host == "" {
					t.Errorf("a member is %+v", m)
				}
			}
			grows(t, c, topic, a, now)
			leave(t, c, name, members)
		})
	}
	t.Run("listed, empty and unknown ones", func(t *testing.T) { others(t, c) })
	t.Run("one that rebalances", func(t *testing.T) { rebalancing(t, c, bootstrap) })
}

// grows adds partitions, and holds what the group then gets against what was foreseen.
func grows(t *testing.T, c *kafka.Client, topic string, a consumer.Assignor, now state.Group) {
	t.Helper()
	foreseen, err := consumer.Foresee(a, map[string]int32{topic: 8}, &now)
	if err != nil {
		t.Fatal(err)
	}
	errs, err := c.AddPartitions(t.Context(), []state.NewPartitions{{Topic: topic, Count: 8, Assignments: [][]state.BrokerID{{1}, {2}, {3}}}})
	if err != nil || errs[0] != nil {
		t.Fatal(err, errs)
	}
	after := stable(t, c, now.Name, 8)
	want, got := consumer.Assignment{}, consumer.Present(&after)
	for _, x := range foreseen.Changes {
		want[x.Member] = x.After
	}
	if a == consumer.Range || a == consumer.RoundRobin {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("foreseen, but not so: %s", diff)
		}
		return
	}
	if g, w := moved(consumer.Present(&now), got), len(foreseen.Moved); g != w {
		t.Errorf("%d partitions changed hands, and %d were foreseen", g, w)
	}
}

// moved counts the partitions that one has lost.
func moved(before, after consumer.Assignment) (n int) {
	for _, x := range consumer.Compare(before, after) {
		n += len(x.Lost)
	}
	return n
}

func others(t *testing.T, c *kafka.Client) {
	list, unread, err := c.ListGroups(t.Context())
	if err != nil || len(unread) > 0 {
		t.Fatal(err, unread)
	}
	var found []string
	for _, l := range list {
		if l.ProtocolType == state.ConsumerProtocol && l.Type == state.ClassicGroup && l.State == state.GroupEmpty {
			found = append(found, l.Name)
		}
	}
	for _, a := range consumer.Assignors {
		if !slices.Contains(found, "group-"+string(a)) {
			t.Errorf("the empty group of %s is not in %+v", a, list)
		}
	}
	got, errs, err := c.DescribeGroups(t.Context(), []state.GroupListing{{Name: "group-range"}, {Name: "nobody"}, {Name: "nobody", Type: state.ConsumerGroup}, {Name: "group-range", Type: state.ConsumerGroup}})
	if err != nil || errs[0] != nil || got[0].State != state.GroupEmpty || len(got[0].Members) > 0 {
		t.Errorf("an empty group is %+v: %v %v", got, errs, err)
	}
	for _, err := range errs[1:] {
		var of *state.Error
		if !errors.As(err, &of) || of.Code != state.CodeGroupNotFound {
			t.Errorf("a group that is not there: %v", err)
		}
	}
}

// rebalancing: while a group's leader has not assigned anything yet, no more is
// told of its members than who they are.
func rebalancing(t *testing.T, c *kafka.Client, bootstrap []string) {
	m, err := kgo.NewClient(kgo.SeedBrokers(bootstrap...), kgo.ClientID("client"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	req := kmsg.NewPtrJoinGroupRequest()
	req.Group, req.ProtocolType, req.SessionTimeoutMillis, req.RebalanceTimeoutMillis = "half", state.ConsumerProtocol, 30_000, 30_000
	words := kmsg.NewConsumerMemberMetadata()
	words.Topics = []string{"t"}
	p := kmsg.NewJoinGroupRequestProtocol()
	p.Name, p.Metadata = "range", words.AppendTo(nil)
	req.Protocols = append(req.Protocols, p)
	for range 2 { // the first answer has the member's id (KIP-394)
		resp, err := req.RequestWith(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		req.MemberID = resp.MemberID
	}
	g := awaitGroup(t, c, "half", func(g *state.Group) bool { return g.State != state.GroupEmpty })
	if g.State != "CompletingRebalance" || g.Assignor != "" || len(g.Members) != 1 || g.Members[0].ID != req.MemberID || g.Members[0].Topics != nil || g.Members[0].Malformed != "" {
		t.Errorf("the group is %+v", g)
	}
}

func TestAGroupThatTheCoordinatorAssignsInApacheKafka(t *testing.T) {
	k := realkafka.Shared(t)
	c := dial(t, k.Bootstrap())
	create(t, c, "gt-next", 5, k.AwaitTopics)
	members := join(t, k.Bootstrap(), "group-next", "gt-next", 2, kgo.Balancers(kgo.StickyBalancer()), kgo.ServerSideBalancer())
	g := stable(t, c, "group-next", 5)
	if g.Type != state.ConsumerGroup || g.Assignor != "uniform" || len(g.Members) != 2 || g.Members[0].Topics[0] != "gt-next" {
		t.Errorf("the group is %+v", g)
	}
	listed, _, err := c.ListGroups(t.Context())
	if err != nil || !slices.ContainsFunc(listed, func(l state.GroupListing) bool { return l.Name == "group-next" && l.Type == state.ConsumerGroup }) {
		t.Errorf("it is listed as %+v: %v", listed, err)
	}
	leave(t, c, "group-next", members)
}

// create makes a topic, each partition with one replica, and deletes it at the end.
func create(t *testing.T, c *kafka.Client, topic string, partitions int, known func(context.Context, ...string) error) {
	t.Helper()
	n := state.NewTopic{Name: topic}
	for i := range partitions {
		n.Assignments = append(n.Assignments, []state.BrokerID{state.BrokerID(i%6 + 1)})
	}
	errs, err := c.CreateTopics(t.Context(), []state.NewTopic{n})
	if err != nil || errs[0] != nil {
		t.Fatal(err, errs)
	}
	t.Cleanup(func() { remove(t, c, topic) })
	if err := known(t.Context(), topic); err != nil {
		t.Fatal(err)
	}
}

// join lets clients join a group, one after another.
func join(t *testing.T, bootstrap []string, group, topic string, n int, more ...kgo.Opt) (members []*kgo.Client) {
	t.Helper()
	for range n {
		m, err := kgo.NewClient(append([]kgo.Opt{
			kgo.SeedBrokers(bootstrap...), kgo.ConsumerGroup(group), kgo.ConsumeTopics(topic), kgo.ClientID("client"),
			kgo.HeartbeatInterval(200 * time.Millisecond), kgo.MetadataMinAge(200 * time.Millisecond), kgo.MetadataMaxAge(500 * time.Millisecond),
		}, more...)...)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(m.Close)
		members = append(members, m)
	}
	return members
}

// stable waits until a group of two has all partitions of its topic.
func stable(t *testing.T, c *kafka.Client, name string, partitions int) state.Group {
	t.Helper()
	return awaitGroup(t, c, name, func(g *state.Group) bool {
		n := 0
		for _, m := range g.Members {
			n += len(m.Assigned)
		}
		return g.State == state.GroupStable && len(g.Members) == 2 && n == partitions
	})
}

func awaitGroup(t *testing.T, c *kafka.Client, name string, as func(*state.Group) bool) state.Group {
	t.Helper()
	last := ""
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		got, errs, err := c.DescribeGroups(t.Context(), []state.GroupListing{{Name: name}})
		if err != nil {
			t.Fatal(err)
		}
		if errs[0] == nil && as(&got[0]) {
			return got[0]
		}
		last = fmt.Sprintf("%+v %v", got[0], errs[0])
	}
	t.Fatalf("waited 30 seconds, and still the group is %s", last)
	return state.Group{}
}

// leave lets all members leave, and waits until the group is empty.
func leave(t *testing.T, c *kafka.Client, name string, members []*kgo.Client) {
	t.Helper()
	for _, m := range members {
		m.LeaveGroup()
		m.Close()
	}
	awaitGroup(t, c, name, func(g *state.Group) bool { return g.State == state.GroupEmpty })
}
