package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/twmb/franz-go/pkg/kgo"

	"ballast/state"
	"ballast/state/kafka"
)

// clientAssignors are a real client's assignors by name.
var clientAssignors = map[string]kgo.GroupBalancer{
	"range": kgo.RangeBalancer(), "roundrobin": kgo.RoundRobinBalancer(),
	"sticky": kgo.StickyBalancer(), "cooperative-sticky": kgo.CooperativeStickyBalancer(),
	coordinators: kgo.StickyBalancer(),
}

// coordinators is the assignor of groups that the coordinator assigns (KIP-848).
const coordinators = "uniform"

// joinGroup lets members i1, i2, … join a group, and waits until all that
// they subscribe to has a reader.
func joinGroup(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: join GROUP ASSIGNOR TOPIC,… N")
	}
	n, err := strconv.Atoi(args[3])
	ts.Check(err)
	leave, err := joinMembers(strings.Split(ts.Getenv("BALLAST_BOOTSTRAP"), ","), args[0], args[1], args[2], n)
	ts.Defer(leave)
	ts.Check(err)
}

// joinMembers lets members join a group that reads topics, and waits until it has settled.
func joinMembers(bootstrap []string, group, assignor, topics string, n int) (leave func(), err error) {
	var members []*kgo.Client
	leave = func() {
		for _, m := range members {
			m.Close()
		}
	}
	for i := range n {
		opts := []kgo.Opt{
			kgo.SeedBrokers(bootstrap...), kgo.ConsumerGroup(group), kgo.InstanceID(fmt.Sprintf("i%d", i+1)),
			kgo.ConsumeTopics(strings.Split(topics, ",")...), kgo.Balancers(clientAssignors[assignor]),
			kgo.HeartbeatInterval(100 * time.Millisecond), kgo.MetadataMinAge(100 * time.Millisecond), kgo.MetadataMaxAge(300 * time.Millisecond),
		}
		if assignor == coordinators {
			opts = append(opts, kgo.ServerSideBalancer())
		}
		m, err := kgo.NewClient(opts...)
		if err != nil {
			return leave, err
		}
		members = append(members, m)
	}
	return leave, awaitMembers(bootstrap, group, n)
}

func awaitMembers(bootstrap []string, group string, n int) error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	c, err := kafka.Dial(ctx, kafka.Options{Bootstrap: bootstrap})
	if err != nil {
		return err
	}
	defer c.Close()
	for {
		got, errs, err := c.DescribeGroups(ctx, []state.GroupListing{{Name: group}})
		if err != nil {
			return fmt.Errorf("the group %s has not settled: %w", group, err)
		}
		if errs[0] == nil && got[0].State == state.GroupStable && len(got[0].Members) == n {
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
}
