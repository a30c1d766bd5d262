package sandbox_test

import (
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
	"ballast/state/sandbox"
)

// MB is a million bytes.
const MB = 1_000_000

// lab is a sandbox with a clock that the test drives, and a client of it.
type lab struct {
	*testing.T
	*sandbox.Sandbox
	clock  *sandbox.Manual
	client *kgo.Client
}

// newLab starts six brokers in three racks, a session of 6 s, and copies at
// 100 MB/s where nothing throttles them.
func newLab(t *testing.T, change ...func(*sandbox.Options)) *lab {
	t.Helper()
	clock := sandbox.NewManual(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	o := sandbox.Options{Snapshot: sandbox.Empty(6, 3), Clock: clock, CopyRate: 100 * MB, SessionTimeout: 6 * time.Second}
	for _, f := range change {
		f(&o)
	}
	s, err := sandbox.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	l := &lab{T: t, Sandbox: s, clock: clock}
	l.client = l.connect()
	return l
}

func (l *lab) connect(opts ...kgo.Opt) *kgo.Client {
	l.Helper()
	return connect(l.T, l.Sandbox, opts...)
}

// connect makes a client of a sandbox.
func connect(t testing.TB, s *sandbox.Sandbox, opts ...kgo.Opt) *kgo.Client {
	t.Helper()
	client, err := kgo.NewClient(append([]kgo.Opt{kgo.SeedBrokers(s.Bootstrap()...), kgo.RetryTimeout(5 * time.Second)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

// ask sends one request to a broker and returns its answer.
func ask[T kmsg.Response](l *lab, broker int, req kmsg.Request) T {
	l.Helper()
	resp, err := try(l, broker, req)
	if errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) || errors.Is(err, syscall.ECONNRESET) {
		resp, err = try(l, broker, req) // the broker was restarted: the connection was the old one
	}
	if err != nil {
		l.Fatalf("%s: %v", kmsg.NameForKey(req.Key()), err)
	}
	return resp.(T)
}

func try(l *lab, broker int, req kmsg.Request) (kmsg.Response, error) {
	ctx, cancel := context.WithTimeout(l.Context(), 10*time.Second)
	defer cancel()
	return l.client.Broker(broker).Request(ctx, req)
}

func ids(list ...int32) []int32 { return list }

// create creates a topic with these replicas; each partition gets 10 MB.
func (l *lab) create(name string, lists ...[]int32) {
	l.Helper()
	if code, text := l.tryCreate(name, lists...); code != 0 {
		l.Fatalf("creating %s: %d %s", name, code, text)
	}
	for p := range lists {
		l.fill(name, int32(p), 10*MB)
	}
}

func (l *lab) tryCreate(name string, lists ...[]int32) (int16, string) {
	l.Helper()
	req := kmsg.NewPtrCreateTopicsRequest()
	t := kmsg.NewCreateTopicsRequestTopic()
	t.Topic, t.NumPartitions, t.ReplicationFactor = name, -1, -1
	for i, list := range lists {
		a := kmsg.NewCreateTopicsRequestTopicReplicaAssignment()
		a.Partition, a.Replicas = int32(i), list
		t.ReplicaAssignment = append(t.ReplicaAssignment, a)
	}
	req.Topics = append(req.Topics, t)
	out := ask[*kmsg.CreateTopicsResponse](l, 1, req).Topics[0]
	return out.ErrorCode, text(out.ErrorMessage)
}

func (l *lab) fill(topic string, p int32, bytes int64) {
	l.Helper()
	if err := l.Fill(topic, p, bytes); err != nil {
		l.Fatal(err)
	}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// reassign asks for a reassignment of one partition (nil cancels) and returns
// the error's code and text.
func (l *lab) reassign(topic string, p int32, replicas []int32) (int16, string) {
	l.Helper()
	out := ask[*kmsg.AlterPartitionAssignmentsResponse](l, 2, reassignment(topic, p, replicas)).Topics[0].Partitions[0]
	return out.ErrorCode, text(out.ErrorMessage)
}

func reassignment(topic string, p int32, replicas []int32) *kmsg.AlterPartitionAssignmentsRequest {
	req := kmsg.NewPtrAlterPartitionAssignmentsRequest()
	t := kmsg.NewAlterPartitionAssignmentsRequestTopic()
	t.Topic = topic
	x := kmsg.NewAlterPartitionAssignmentsRequestTopicPartition()
	x.Partition, x.Replicas = p, replicas
	t.Partitions = append(t.Partitions, x)
	req.Topics = append(req.Topics, t)
	return req
}

// move is reassign where it has to be accepted.
func (l *lab) move(topic string, p int32, replicas ...int32) {
	l.Helper()
	if code, text := l.reassign(topic, p, replicas); code != 0 {
		l.Fatalf("moving %s-%d to %v: %d %s", topic, p, replicas, code, text)
	}
}

func (l *lab) cancel(topic string, p int32) {
	l.Helper()
	if code, text := l.reassign(topic, p, nil); code != 0 {
		l.Fatalf("cancelling %s-%d: %d %s", topic, p, code, text)
	}
}

// ongoing returns a move in flight as ListPartitionReassignments tells it.
func (l *lab) ongoing(topic string, p int32) (replicas, adding, removing []int32) {
	l.Helper()
	resp := ask[*kmsg.ListPartitionReassignmentsResponse](l, 3, kmsg.NewPtrListPartitionReassignmentsRequest())
	for _, t := range resp.Topics {
		for _, x := range t.Partitions {
			if t.Topic == topic && x.Partition == p {
				return x.Replicas, x.AddingReplicas, x.RemovingReplicas
			}
		}
	}
	return nil, nil, nil
}

// metadata returns a partition as a broker's metadata shows it.
func (l *lab) metadata(topic string, p int32) kmsg.MetadataResponseTopicPartition {
	l.Helper()
	req := kmsg.NewPtrMetadataRequest()
	t := kmsg.NewMetadataRequestTopic()
	t.Topic = &topic
	req.Topics = append(req.Topics, t)
	out := ask[*kmsg.MetadataResponse](l, int(l.aBroker()), req).Topics[0]
	if int(p) >= len(out.Partitions) {
		l.Fatalf("%s-%d is not in the metadata (%d)", topic, p, out.ErrorCode)
	}
	return out.Partitions[p]
}

func (l *lab) aBroker() state.BrokerID {
	for _, b := range l.Snapshot().Brokers {
		if b.Alive && b.LogDirs != nil {
			return b.ID
		}
	}
	l.Fatal("no broker lives")
	return 0
}

// is checks the replicas and the ISR of a partition.
func (l *lab) is(topic string, p int32, replicas, isr []int32) {
	l.Helper()
	m := l.metadata(topic, p)
	got := slices.Sorted(slices.Values(m.ISR))
	if !slices.Equal(m.Replicas, replicas) || !slices.Equal(got, isr) {
		l.Fatalf("%s-%d has replicas %v, ISR %v; want %v, %v", topic, p, m.Replicas, got, replicas, isr)
	}
}

func (l *lab) leads(topic string, p, leader int32) {
	l.Helper()
	if m := l.metadata(topic, p); m.Leader != leader {
		l.Fatalf("%s-%d is led by %d, want %d", topic, p, m.Leader, leader)
	}
}

// pass lets time pass.
func (l *lab) pass(d time.Duration) { l.clock.Advance(d) }

// kill kills a broker and lets its session expire.
func (l *lab) kill(id state.BrokerID) {
	l.Helper()
	if err := l.KillBroker(id); err != nil {
		l.Fatal(err)
	}
	l.pass(6 * time.Second)
}

func (l *lab) restart(id state.BrokerID) {
	l.Helper()
	if err := l.RestartBroker(id); err != nil {
		l.Fatal(err)
	}
	l.pass(time.Second)
}

// sizes returns the bytes of a partition on a broker by its DescribeLogDirs,
// -1 where it has no log there.
func (l *lab) size(topic string, p int32, broker int) int64 {
	l.Helper()
	resp := ask[*kmsg.DescribeLogDirsResponse](l, broker, kmsg.NewPtrDescribeLogDirsRequest())
	for _, d := range resp.Dirs {
		for _, t := range d.Topics {
			for _, x := range t.Partitions {
				if t.Topic == topic && x.Partition == p {
					return x.Size
				}
			}
		}
	}
	return -1
}

// set sets configs of a resource and returns the error's code and text.
func (l *lab) set(broker int, kind kmsg.ConfigResourceType, name string, pairs ...string) (int16, string) {
	l.Helper()
	return l.alter(broker, kind, name, kmsg.IncrementalAlterConfigOpSet, pairs...)
}

func (l *lab) alter(broker int, kind kmsg.ConfigResourceType, name string, op kmsg.IncrementalAlterConfigOp, pairs ...string) (int16, string) {
	l.Helper()
	req := kmsg.NewPtrIncrementalAlterConfigsRequest()
	r := kmsg.NewIncrementalAlterConfigsRequestResource()
	r.ResourceType, r.ResourceName = kind, name
	for i := 0; i < len(pairs); i += 2 {
		x := kmsg.NewIncrementalAlterConfigsRequestResourceConfig()
		x.Name, x.Op, x.Value = pairs[i], op, &pairs[i+1]
		r.Configs = append(r.Configs, x)
	}
	req.Resources = append(req.Resources, r)
	out := ask[*kmsg.IncrementalAlterConfigsResponse](l, broker, req).Resources[0]
	return out.ErrorCode, text(out.ErrorMessage)
}

const (
	topicRes  = kmsg.ConfigResourceTypeTopic
	brokerRes = kmsg.ConfigResourceTypeBroker
)

// mustSet is set where it has to be accepted.
func (l *lab) mustSet(broker int, kind kmsg.ConfigResourceType, name string, pairs ...string) {
	l.Helper()
	if code, text := l.set(broker, kind, name, pairs...); code != 0 {
		l.Fatalf("setting %v of %q: %d %s", pairs, name, code, text)
	}
}

// config reads a config as a broker shows it; source 0 where it is not there.
func (l *lab) config(broker int, kind kmsg.ConfigResourceType, name, key string) (value string, source kmsg.ConfigSource) {
	l.Helper()
	req := kmsg.NewPtrDescribeConfigsRequest()
	r := kmsg.NewDescribeConfigsRequestResource()
	r.ResourceType, r.ResourceName, r.ConfigNames = kind, name, []string{key}
	req.Resources = append(req.Resources, r)
	for _, c := range ask[*kmsg.DescribeConfigsResponse](l, broker, req).Resources[0].Configs {
		return text(c.Value), c.Source
	}
	return "", 0
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// refused checks an error's code and text.
func (l *lab) refused(what string, gotCode int16, gotText string, code int16, text string) {
	l.Helper()
	if gotCode != code || gotText != text {
		l.Errorf("%s: got %d %q, Kafka answers %d %q", what, gotCode, gotText, code, text)
	}
}

func lagging(d time.Duration) func(*sandbox.Options) {
	return func(o *sandbox.Options) { o.MetadataLag = d }
}

// from starts the lab with that snapshot.
func from(s *state.Snapshot) func(*sandbox.Options) {
	return func(o *sandbox.Options) { o.Snapshot = s }
}

// twoDirs is six brokers of which the first has two log dirs.
func twoDirs() *state.Snapshot {
	s := sandbox.Empty(6, 3)
	dir := state.LogDir{Path: "/a", Total: state.KnownSize(1e12), Usable: state.KnownSize(1e12)}
	s.Brokers[0].LogDirs = []state.LogDir{dir, dir}
	s.Brokers[0].LogDirs[1].Path = "/b"
	return s
}
