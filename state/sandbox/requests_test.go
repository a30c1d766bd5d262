package sandbox_test

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
	"ballast/state/sandbox"
)

func TestTopicsThatAreRefused(t *testing.T) {
	l := newLab(t)
	l.create("ct.x", ids(1, 2))
	l.kill(6)
	for _, c := range []struct {
		what, name string
		lists      [][]int32
		code       int16
		text       string
	}{
		{"exists", "ct.x", [][]int32{{1}}, 36, "Topic 'ct.x' already exists."},
		{"collides", "ct_x", [][]int32{{1}}, 17, "Topic 'ct_x' collides with existing topic: ct.x"},
		{"bad name", "a b", [][]int32{{1}}, 17, "Topic name is invalid: 'a b' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'"},
		{"uneven", "n", [][]int32{{1, 2}, {3}}, 39, "The manual partition assignment includes a partition with 1 replica(s), but this is not consistent with previous partitions, which have 2 replica(s)."},
		{"unknown broker", "n", [][]int32{{1, 77}}, 39, "The manual partition assignment includes broker 77, but no such broker is registered."},
		{"only dead ones", "n", [][]int32{{6}}, 39, "All brokers specified in the manual partition assignment for partition 0 are fenced or in controlled shutdown."},
	} {
		code, text := l.tryCreate(c.name, c.lists...)
		l.refused(c.what, code, text, c.code, c.text)
	}
	if code, text := l.tryCreate("dead-first", ids(6, 1)); code != 0 {
		t.Fatal(code, text)
	}
	l.is("dead-first", 0, ids(6, 1), ids(1))
	l.leads("dead-first", 0, 1)
}

func TestATopicIsSpreadOverRacks(t *testing.T) {
	l := newLab(t)
	req := kmsg.NewPtrCreateTopicsRequest()
	x := kmsg.NewCreateTopicsRequestTopic()
	x.Topic, x.NumPartitions, x.ReplicationFactor = "t", 6, 3
	req.Topics = append(req.Topics, x)
	if out := ask[*kmsg.CreateTopicsResponse](l, 1, req).Topics[0]; out.ErrorCode != 0 || len(out.Configs) != 33 || out.NumPartitions != 6 || out.ReplicationFactor != 3 {
		t.Fatalf("%+v", out)
	}
	leaders := map[int32]int{}
	for _, p := range l.Snapshot().Topic("t").Partitions {
		racks := map[int32]bool{}
		for _, b := range p.Replicas {
			racks[(int32(b)-1)/2] = true
		}
		if len(racks) != 3 {
			t.Errorf("partition %d on %v", p.ID, p.Replicas)
		}
		leaders[int32(p.Leader)]++
	}
	same(t, "leaders a broker", leaders, map[int32]int{1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1})
	x.Topic, x.ReplicationFactor = "seven", 7
	req.Topics[0] = x
	out := ask[*kmsg.CreateTopicsResponse](l, 1, req).Topics[0]
	l.refused("seven replicas", out.ErrorCode, text(out.ErrorMessage), 38, "Unable to replicate the partition 7 time(s): The target replication factor of 7 cannot be reached because only 6 broker(s) are registered or some brokers have all their log directories cordoned.")
}

func (l *lab) grow(name string, count int32, lists ...[]int32) (int16, string) {
	l.Helper()
	req := kmsg.NewPtrCreatePartitionsRequest()
	x := kmsg.NewCreatePartitionsRequestTopic()
	x.Topic, x.Count = name, count
	for _, list := range lists {
		a := kmsg.NewCreatePartitionsRequestTopicAssignment()
		a.Replicas = list
		x.Assignment = append(x.Assignment, a)
	}
	req.Topics = append(req.Topics, x)
	out := ask[*kmsg.CreatePartitionsResponse](l, 4, req).Topics[0]
	return out.ErrorCode, text(out.ErrorMessage)
}

func TestPartitionsAddedInFlightTakeTheRawListsLength(t *testing.T) {
	l := newLab(t)
	l.create("p", ids(1, 2))
	l.StallMove("p", 0)
	l.move("p", 0, 3, 4)
	code, text := l.grow("p", 2, ids(1, 2))
	l.refused("an explicit RF of 2", code, text, 39, "The manual partition assignment includes a partition with 2 replica(s), but this is not consistent with previous partitions, which have 4 replica(s).")
	if code, text := l.grow("p", 3); code != 0 {
		t.Fatal(code, text)
	}
	l.cancel("p", 0)
	l.is("p", 0, ids(1, 2), ids(1, 2))
	if code, text := l.grow("p", 4); code != 0 {
		t.Fatal(code, text)
	}
	var rf []int
	for _, p := range l.Snapshot().Topic("p").Partitions {
		rf = append(rf, len(p.Replicas))
	}
	same(t, "replication factors", rf, []int{2, 4, 4, 2})
}

func TestGrowthThatIsRefused(t *testing.T) {
	l := newLab(t)
	l.create("p", ids(1, 2))
	l.kill(5)
	for _, c := range []struct {
		what  string
		topic string
		count int32
		lists [][]int32
		code  int16
		text  string
	}{
		{"same", "p", 1, nil, 37, "Topic already has 1 partition(s)."},
		{"fewer", "p", 0, nil, 37, "The topic p currently has 1 partition(s); 0 would not be an increase."},
		{"unknown", "nosuch", 5, nil, 3, ""},
		{"too few lists", "p", 3, [][]int32{{1, 2}}, 39, "Attempted to add 2 additional partition(s), but only 1 assignment(s) were specified."},
		{"too many", "p", 10_002, nil, -1, ""},
		{"only dead ones", "p", 2, [][]int32{{5, 5}}, 39, "The manual partition assignment includes the broker 5 more than once."},
	} {
		code, text := l.grow(c.topic, c.count, c.lists...)
		l.refused(c.what, code, text, c.code, c.text)
	}
	if code, text := l.grow("p", 2, ids(1, 5)); code != 0 {
		t.Fatal(code, text)
	}
	l.is("p", 1, ids(1, 5), ids(1))
}

func TestConfigsThatAreRefused(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1, 2))
	malformed := "Value must be the literal '*' or a list of replicas in the following format: [partitionId]:[brokerId],[partitionId]:[brokerId],..."
	for _, c := range []struct {
		kind             kmsg.ConfigResourceType
		name, key, value string
		code             int16
		text             string
	}{
		{topicRes, "t", "no.such.key", "1", 40, "Unknown topic config name: no.such.key"},
		{topicRes, "t", "retention.ms", "abc", 40, "Invalid value abc for configuration retention.ms: Not a number of type LONG"},
		{topicRes, "t", "min.insync.replicas", "0", 40, "Invalid value 0 for configuration min.insync.replicas: Value must be at least 1"},
		{topicRes, "nosuch", "retention.ms", "1", 3, "The topic 'nosuch' does not exist."},
		{topicRes, "t", leaderList, "0:1:2", 40, "Invalid value 0:1:2 for configuration " + leaderList + ": " + malformed},
		{topicRes, "t", leaderList, "none", 40, "Invalid value none for configuration " + leaderList + ": " + malformed},
		{topicRes, "t", leaderList, "*,0:1", 40, "Invalid value *,0:1 for configuration " + leaderList + ": " + malformed},
		{brokerRes, "1", "broker.rack", "r9", 42, "Cannot update these configs dynamically: [broker.rack]"},
		{brokerRes, "", "listeners", "x", 42, "Cannot update these configs at default cluster level, broker id must be specified: [listeners]"},
		{brokerRes, "1", leaderRate, "abc", 42, "Invalid value abc for configuration leader.replication.throttled.rate: Not a number of type LONG"},
		{brokerRes, "1", leaderRate, "-1", 42, "Invalid value -1 for configuration leader.replication.throttled.rate: Value must be at least 0"},
		{brokerRes, "1", "min.insync.replicas", "2", 40, "Broker-level min.insync.replicas cannot be altered while ELR is enabled."},
		{brokerRes, "3", leaderRate, "1", 42, "Unexpected broker id, expected 1, but received 3"},
	} {
		code, text := l.set(1, c.kind, c.name, c.key, c.value)
		l.refused(c.key+"="+c.value, code, text, c.code, c.text)
	}
	code, text := l.set(1, topicRes, "t", "retention.ms", "5", "no.such.key", "1")
	l.refused("one good, one bad", code, text, 40, "Unknown topic config name: no.such.key")
	if _, source := l.config(1, topicRes, "t", "retention.ms"); source != 5 {
		t.Error("the good one was taken")
	}
	code, text = l.set(1, topicRes, "t", "retention.ms", "5", "retention.ms", "6")
	l.refused("twice", code, text, 42, "Error due to duplicate config keys")
	l.mustSet(1, topicRes, "t", "min.insync.replicas", "5") // above RF: Kafka takes it
	l.mustSet(1, topicRes, "t", leaderList, "77:99")
}

func TestListsAreAppendedAndSubtracted(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1, 2))
	const set, remove, add, subtract = 0, 1, 2, 3
	step := func(op kmsg.IncrementalAlterConfigOp, value, want string, source kmsg.ConfigSource) {
		t.Helper()
		if code, text := l.alter(1, topicRes, "t", op, leaderList, value); code != 0 {
			t.Fatal(code, text)
		}
		got, from := l.config(2, topicRes, "t", leaderList)
		same(t, "value and source", []any{got, from}, []any{want, source})
	}
	step(add, "0:1,1:2", "0:1,1:2", 1)
	step(add, "1:2,2:3", "0:1,1:2,2:3", 1)
	step(subtract, "0:1,1:2,2:3", "", 1)
	step(remove, "", "", 5)
	step(remove, "", "", 5)
	step(set, "*", "*", 1)
	code, text := l.alter(1, topicRes, "t", add, leaderList, "0:1")
	if code != 40 || !strings.Contains(text, "must be the literal '*'") {
		t.Error(code, text)
	}
	code, text = l.alter(1, topicRes, "t", add, "retention.ms", "1")
	l.refused("append to a number", code, text, 40, "Can't APPEND to key retention.ms because its type is not LIST.")
	long := strings.Repeat("100000:100000,", 2340)
	code, text = l.alter(1, topicRes, "t", set, followerList, long[:len(long)-1])
	if code != 0 {
		t.Fatal(code, text)
	}
	code, text = l.alter(1, topicRes, "t", add, followerList, "1:1,2:2,3:3")
	l.refused("too long", code, text, 40, "The configuration value cannot be added because it exceeds the maximum value size of 32767 bytes.")
}

func TestAnUnknownBrokerConfigIsKeptAndNotShown(t *testing.T) {
	l := newLab(t)
	l.mustSet(2, brokerRes, "2", "ballast.lock", "x")
	req := kmsg.NewPtrDescribeConfigsRequest()
	r := kmsg.NewDescribeConfigsRequestResource()
	r.ResourceType, r.ResourceName, r.ConfigNames = brokerRes, "2", []string{"ballast.lock"}
	req.Resources = append(req.Resources, r)
	c := ask[*kmsg.DescribeConfigsResponse](l, 2, req).Resources[0].Configs
	if len(c) != 1 || c[0].Value != nil || !c[0].IsSensitive || !c[0].ReadOnly {
		t.Errorf("%+v", c)
	}
	out := ask[*kmsg.DescribeConfigsResponse](l, 1, req).Resources[0]
	l.refused("of another broker", out.ErrorCode, text(out.ErrorMessage), 42, "Unexpected broker id, expected 1 or empty string, but received 2")
}

func (l *lab) elect(kind int8, topic string, p int32) (int16, string) {
	l.Helper()
	req := kmsg.NewPtrElectLeadersRequest()
	req.ElectionType = kind
	x := kmsg.NewElectLeadersRequestTopic()
	x.Topic, x.Partitions = topic, ids(p)
	req.Topics = append(req.Topics, x)
	out := ask[*kmsg.ElectLeadersResponse](l, int(l.aBroker()), req).Topics[0].Partitions[0]
	return out.ErrorCode, text(out.ErrorMessage)
}

func TestElections(t *testing.T) {
	l := newLab(t)
	l.create("e", ids(1, 2))
	code, text := l.elect(0, "e", 0)
	l.refused("leads already", code, text, 84, "Leader election not needed for topic partition.")
	l.move("e", 0, 2, 1)
	l.leads("e", 0, 1)
	code, text = l.elect(0, "e", 0)
	l.refused("reordered", code, text, 0, "")
	l.leads("e", 0, 2)
	code, text = l.elect(0, "e", 9)
	l.refused("unknown partition", code, text, 3, "No such partition as e-9")
	code, text = l.elect(0, "nosuch", 0)
	l.refused("unknown topic", code, text, 3, "No such topic as nosuch")
	code, text = l.elect(7, "e", 0)
	l.refused("unknown type", code, text, 42, "Unknown election type 7")
	code, text = l.elect(1, "e", 0)
	l.refused("unclean on a healthy one", code, text, 84, "Leader election not needed for topic partition.")
	l.kill(2)
	l.leads("e", 0, 1)
	code, text = l.elect(0, "e", 0)
	l.refused("preferred dead", code, text, 80, "The preferred leader was not available.")
	l.restart(2)
	l.leads("e", 0, 1) // it does not come back by itself
	code, text = l.elect(0, "e", 0)
	l.refused("preferred back", code, text, 0, "")
	l.leads("e", 0, 2)
}

func TestAnUncleanElectionOfAnEmptyReplicaLosesAll(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(5))
	l.StallMove("t", 0)
	l.move("t", 0, 4)
	l.kill(5)
	code, text := l.elect(1, "t", 0)
	l.refused("unclean", code, text, 0, "")
	l.is("t", 0, ids(4), ids(4))
	same(t, "bytes", l.size("t", 0, 4), int64(0))
}

func TestABrokersDeathIsSeenWhenItsSessionExpires(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(6, 1))
	if err := l.KillBroker(6); err != nil {
		t.Fatal(err)
	}
	l.pass(5999 * time.Millisecond)
	l.is("t", 0, ids(6, 1), ids(1, 6))
	l.leads("t", 0, 6)
	same(t, "offline", len(l.metadata("t", 0).OfflineReplicas), 0)
	l.pass(time.Millisecond)
	l.is("t", 0, ids(6, 1), ids(1))
	l.leads("t", 0, 1)
	same(t, "offline", l.metadata("t", 0).OfflineReplicas, ids(6))
	m := ask[*kmsg.MetadataResponse](l, 1, kmsg.NewPtrMetadataRequest())
	same(t, "brokers in metadata", len(m.Brokers), 5)
	req := kmsg.NewPtrDescribeClusterRequest()
	req.IncludeFencedBrokers = true
	d := ask[*kmsg.DescribeClusterResponse](l, 1, req)
	same(t, "brokers with fenced ones", len(d.Brokers), 6)
	same(t, "the dead one's rack", []any{*d.Brokers[5].Rack, d.Brokers[5].IsFenced}, []any{"r3", true})
	l.restart(6)
	l.is("t", 0, ids(6, 1), ids(1, 6))
	l.leads("t", 0, 1)
}

func TestAFailedLogDirTakesItsReplicasOffline(t *testing.T) {
	snap := twoDirs()
	l := newLab(t, from(snap))
	l.create("t", ids(1, 2), ids(1, 2))
	if err := l.FailLogDir(1, "/a"); err != nil {
		t.Fatal(err)
	}
	l.is("t", 0, ids(1, 2), ids(2))
	l.is("t", 1, ids(1, 2), ids(1, 2))
	same(t, "offline", l.metadata("t", 0).OfflineReplicas, ids(1))
	resp := ask[*kmsg.DescribeLogDirsResponse](l, 1, kmsg.NewPtrDescribeLogDirsRequest())
	same(t, "the dir's code", resp.Dirs[0].ErrorCode, int16(56))
}

func TestTheQuorumIsOfTheVotersThatWereNamed(t *testing.T) {
	voters := func(change ...func(*sandbox.Options)) (out []int32) {
		req := kmsg.NewPtrDescribeQuorumRequest()
		req.Topics = []kmsg.DescribeQuorumRequestTopic{{Topic: "__cluster_metadata", Partitions: []kmsg.DescribeQuorumRequestTopicPartition{{}}}}
		for _, v := range ask[*kmsg.DescribeQuorumResponse](newLab(t, change...), 1, req).Topics[0].Partitions[0].CurrentVoters {
			out = append(out, v.ReplicaID)
		}
		return out
	}
	same(t, "by default", voters(), ids(1000))
	same(t, "named", voters(func(o *sandbox.Options) { o.Voters = []state.BrokerID{2, 3} }), ids(2, 3))
}

func TestARequestThatOnlyValidatesChangesNothing(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1, 2))
	alter := kmsg.NewPtrIncrementalAlterConfigsRequest()
	alter.ValidateOnly = true
	value := "99"
	good := kmsg.IncrementalAlterConfigsRequestResourceConfig{Name: "retention.ms", Value: &value}
	null := kmsg.IncrementalAlterConfigsRequestResourceConfig{Name: "segment.ms"}
	for _, configs := range [][]kmsg.IncrementalAlterConfigsRequestResourceConfig{{good}, {good, null}} {
		alter.Resources = append(alter.Resources, kmsg.IncrementalAlterConfigsRequestResource{ResourceType: topicRes, ResourceName: "t", Configs: configs})
	}
	out := ask[*kmsg.IncrementalAlterConfigsResponse](l, 1, alter).Resources
	l.refused("a value", out[0].ErrorCode, text(out[0].ErrorMessage), 0, "")
	alter.Resources = alter.Resources[1:]
	out = ask[*kmsg.IncrementalAlterConfigsResponse](l, 1, alter).Resources
	l.refused("a null", out[0].ErrorCode, text(out[0].ErrorMessage), 42, "Null value not supported for : segment.ms")
	if _, source := l.config(1, topicRes, "t", "retention.ms"); source != 5 {
		t.Error("the value was taken")
	}

	create := kmsg.NewPtrCreateTopicsRequest()
	create.ValidateOnly = true
	x := kmsg.NewCreateTopicsRequestTopic()
	x.Topic, x.NumPartitions, x.ReplicationFactor = "n", 2, 2
	create.Topics = append(create.Topics, x)
	made := ask[*kmsg.CreateTopicsResponse](l, 1, create).Topics[0]
	same(t, "what would be made", []any{made.ErrorCode, made.NumPartitions, made.ReplicationFactor, len(made.Configs)}, []any{int16(0), int32(2), int16(2), 33})

	grow := kmsg.NewPtrCreatePartitionsRequest()
	grow.ValidateOnly = true
	grow.Topics = []kmsg.CreatePartitionsRequestTopic{{Topic: "t", Count: 5}}
	same(t, "growth", ask[*kmsg.CreatePartitionsResponse](l, 1, grow).Topics[0].ErrorCode, int16(0))
	snap := l.Snapshot()
	same(t, "topics and partitions", []int{len(snap.Topics), len(snap.Topics[0].Partitions)}, []int{1, 1})
}

// tcp sends raw bytes to broker 1 and returns what comes back before it cuts
// the connection.
func (l *lab) tcp(raw []byte) []byte {
	l.Helper()
	conn, err := net.Dial("tcp", l.Bootstrap()[0])
	if err != nil {
		l.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := conn.Write(raw); err != nil {
		l.Fatal(err)
	}
	out, _ := io.ReadAll(io.LimitReader(conn, 20))
	return out
}

func TestWhatIsNotKafkaIsCutOff(t *testing.T) {
	l := newLab(t)
	same(t, "answer to HTTP", len(l.tcp([]byte("GET / HTTP/1.1\r\n\r\n"))), 0)
	same(t, "answer to a short frame", len(l.tcp([]byte{0, 0, 0, 3, 1, 2, 3})), 0)
	same(t, "answer to a request of a version that is not served", len(l.tcp([]byte{0, 0, 0, 10, 0, 3, 0, 99, 0, 0, 0, 1, 255, 255})), 0)
	newer := l.tcp([]byte{0, 0, 0, 10, 0, 18, 0, 99, 0, 0, 0, 7, 255, 255})
	same(t, "correlation and error of an ApiVersions that is too new", newer[4:10], []byte{0, 0, 0, 7, 0, 35})
}
