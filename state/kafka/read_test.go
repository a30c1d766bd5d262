package kafka_test

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"ballast/state"
	"ballast/state/kafka"
	"ballast/state/sandbox"
)

// Keys of requests, for the sandbox's faults and log.
const (
	metadataKey     = 3
	apiVersionsKey  = 18
	createTopicsKey = 19
	configsKey      = 32
	logDirsKey      = 35
	alterConfigsKey = 44
	reassignKey     = 45
)

func TestWhatMayNotBeReadIsAbsentAndSaid(t *testing.T) {
	s := start(t, topics([]string{"a", "secret"}, 1))
	s.DenyConfigs("secret")
	c := connect(t, s)
	snap, err := c.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if snap.Topic("secret").Config != nil || snap.Topic("a").Config == nil {
		t.Errorf("the configs are %v and %v", snap.Topic("secret").Config, snap.Topic("a").Config)
	}
	if len(snap.Unread) != 1 || snap.Unread[0].What != "topic_config" || snap.Unread[0].Name != "secret" || !strings.Contains(snap.Unread[0].Reason, "needs DescribeConfigs") {
		t.Errorf("what was not read is said to be %v", snap.Unread)
	}
}

func TestRefusedClusterReadingsAreSaid(t *testing.T) {
	s := start(t, topics([]string{"a"}, 1))
	s.FailNext(logDirsKey, 31, 0)
	s.FailNext(46, 31, 0) // ListPartitionReassignments
	snap, err := connect(t, s).Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]int{}
	for _, u := range snap.Unread {
		if strings.Contains(u.Reason, "CLUSTER_AUTHORIZATION_FAILED") && strings.Contains(u.Reason, "needs Describe on the cluster") {
			reasons[u.What]++
		}
	}
	if reasons["log_dirs"] != 6 || reasons["reassignments"] != 1 || snap.Brokers[0].LogDirs != nil || snap.Topics[0].Partitions[0].Size.Known {
		t.Errorf("%v; %+v", snap.Unread, snap.Brokers[0])
	}
}

func TestABrokerThatDoesNotAnswerHoldsUpASnapshotNoLongerThanItsTimeout(t *testing.T) {
	s := start(t, topics([]string{"a"}, 6))
	s.Order(sandbox.Fault{Key: logDirsKey, Brokers: []state.BrokerID{3}, Delay: time.Hour})
	c := dial(t, kafka.Options{Bootstrap: s.Bootstrap(), Timeout: time.Second})
	began := time.Now()
	snap, err := c.Snapshot(t.Context())
	if err != nil || time.Since(began) > time.Minute {
		t.Fatalf("after %v: %v", time.Since(began), err)
	}
	if len(snap.Unread) != 1 || snap.Unread[0].Name != "3" || !strings.Contains(snap.Unread[0].Reason, "no answer in time") {
		t.Errorf("what was not read is said to be %v", snap.Unread)
	}
	ps := snap.Topics[0].Partitions
	if ps[2].Leader != 3 || ps[2].Size.Known || !ps[0].Size.Known {
		t.Errorf("the sizes are %+v", ps)
	}
}

func TestABrokerThatDoesNotAnswerIsWaitedForOnce(t *testing.T) {
	s := start(t, topics([]string{"a"}, 6))
	for _, key := range []int16{configsKey, logDirsKey} {
		s.Order(sandbox.Fault{Key: key, Brokers: []state.BrokerID{3}, Delay: time.Hour})
	}
	c := dial(t, kafka.Options{Bootstrap: s.Bootstrap()[:1], Timeout: 2 * time.Second})
	snap, err := c.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range s.Requests() {
		if r.Key == logDirsKey && r.Broker == 3 {
			t.Error("the broker is asked for its log dirs too")
		}
	}
	if len(snap.Unread) != 2 || !strings.Contains(snap.Unread[0].Reason, "no answer in time") || snap.Unread[1].Reason != snap.Unread[0].Reason {
		t.Errorf("what was not read is said to be %v", snap.Unread)
	}
}

func TestRequestsDoNotGrowWithTopics(t *testing.T) {
	count := func(n int) int {
		var names []string
		for i := range n {
			names = append(names, fmt.Sprintf("t%03d", i))
		}
		s := start(t, topics(names, 3))
		c := connect(t, s)
		if _, err := c.Snapshot(t.Context()); err != nil { // opens the connections
			t.Fatal(err)
		}
		s.ForgetRequests()
		if _, err := c.Snapshot(t.Context()); err != nil {
			t.Fatal(err)
		}
		n = 0
		for _, r := range s.Requests() {
			if r.Key != apiVersionsKey { // of a further connection, where answers come late
				n++
			}
		}
		return n
	}
	if few, many := count(1), count(200); few != many {
		t.Errorf("1 topic takes %d requests, 200 topics take %d", few, many)
	}
}

func TestReadingsGoOnAtAnotherBroker(t *testing.T) {
	s := start(t, topics([]string{"a"}, 1))
	c := connect(t, s)
	for id := state.BrokerID(1); id <= 6; id++ {
		s.DropConnections(id)
		if _, err := c.Metadata(t.Context(), nil); err != nil {
			t.Fatalf("with its connections to %d cut: %v", id, err)
		}
	}
	s.Order(sandbox.Fault{Key: metadataKey, NoRequest: true, Times: 2})
	if _, err := c.Metadata(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for id := state.BrokerID(1); id <= 5; id++ {
		if err := s.KillBroker(id); err != nil {
			t.Fatal(err)
		}
	}
	snap, err := c.Snapshot(t.Context())
	if err != nil || snap.Broker(1) == nil {
		t.Fatal(snap, err)
	}
}

func TestThrottleListsAreGivenWhenAllBrokersAgree(t *testing.T) {
	const key = "follower.replication.throttled.replicas"
	s := start(t, topics([]string{"a"}, 1))
	c := connect(t, s)
	// The first three readers, of six, still see what was before.
	s.HideConfig(key, 0, 3)
	value := "0:1"
	res := state.ConfigResource{Type: state.TopicResource, Name: "a"}
	errs, err := c.AlterConfigs(t.Context(), []state.AlterConfigs{{Resource: res, Changes: []state.ConfigChange{{Name: key, Value: &value}}}})
	if err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
	values, errs, err := c.Configs(t.Context(), []state.ConfigResource{res}, []string{key})
	if err != nil || errs[0] != nil || values[0][key].Value != value {
		t.Errorf("%v %v %v", values, errs, err)
	}
}

func TestAnAnswerThatIsNotKafkasIsRefused(t *testing.T) {
	for name, answer := range map[string]string{
		"too long": "\xff\xff\xff\xff", "too short": "\x00\x00\x00\x00", "another correlation id": "\x00\x00\x00\x06\x7f\x00\x00\x00\x00\x00", "cut off": "\x00\x00\x00\x0a\x00\x00",
		"nothing but an id": "\x00\x00\x00\x04\x00\x00\x00\x01",
	} {
		addr := serve(t, func(c net.Conn) {
			c.Read(make([]byte, 100))
			c.Write([]byte(answer))
			c.Close()
		})
		if _, err := kafka.Dial(t.Context(), kafka.Options{Bootstrap: []string{addr}, Timeout: 2 * time.Second}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// BenchmarkSnapshot reads 100,000 partitions: two seconds are promised.
func BenchmarkSnapshot(b *testing.B) {
	var names []string
	for i := range 2000 {
		names = append(names, fmt.Sprintf("topic-%04d", i))
	}
	s := start(b, topics(names, 50))
	c := dial(b, kafka.Options{Bootstrap: s.Bootstrap()})
	for b.Loop() {
		snap, err := c.Snapshot(b.Context())
		if err != nil || len(snap.Topics) != 2000 || len(snap.Unread) > 0 {
			b.Fatal(err)
		}
	}
}
