package sandbox_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// produce writes n records of so many bytes to a partition.
func (l *lab) produce(topic string, p int32, n, bytes int) {
	l.Helper()
	client := l.connect(kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.ProducerBatchCompression(kgo.NoCompression()))
	var records []*kgo.Record
	for i := range n {
		value := fmt.Appendf(make([]byte, 0, bytes), "%d-%d ", p, i)
		records = append(records, &kgo.Record{Topic: topic, Partition: p, Value: value[:max(len(value), bytes)]})
	}
	if err := client.ProduceSync(l.Context(), records...).FirstErr(); err != nil {
		l.Fatal(err)
	}
}

func TestWhatIsProducedIsReadBackAndTakesRoom(t *testing.T) {
	l := newLab(t)
	if code, text := l.tryCreate("t", ids(1, 2), ids(3, 4)); code != 0 {
		t.Fatal(code, text)
	}
	l.produce("t", 0, 100, 1000)
	l.produce("t", 1, 50, 1000)
	consumer := l.connect(kgo.ConsumeTopics("t"), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	values := map[string]bool{}
	for len(values) < 150 {
		fetches := consumer.PollFetches(t.Context())
		if err := fetches.Err(); err != nil {
			t.Fatal(err)
		}
		fetches.EachRecord(func(r *kgo.Record) { values[string(slices.Clone(r.Value[:8]))+fmt.Sprint(r.Partition)] = true })
	}
	for broker := 1; broker <= 2; broker++ {
		if got := l.size("t", 0, broker); got < 100_000 || got > 110_000 {
			t.Errorf("broker %d holds %d bytes", broker, got)
		}
	}
	earliest, latest := l.offsets("t", 0)
	same(t, "offsets", []int64{earliest, latest}, []int64{0, 100})
}

func (l *lab) offsets(topic string, p int32) (earliest, latest int64) {
	l.Helper()
	for timestamp, to := range map[int64]*int64{-2: &earliest, -1: &latest} {
		req := kmsg.NewPtrListOffsetsRequest()
		t := kmsg.NewListOffsetsRequestTopic()
		t.Topic = topic
		x := kmsg.NewListOffsetsRequestTopicPartition()
		x.Partition, x.Timestamp = p, timestamp
		t.Partitions = append(t.Partitions, x)
		req.Topics = append(req.Topics, t)
		out := ask[*kmsg.ListOffsetsResponse](l, int(l.metadata(topic, p).Leader), req).Topics[0].Partitions[0]
		if out.ErrorCode != 0 {
			l.Fatal(kerr.ErrorForCode(out.ErrorCode))
		}
		*to = out.Offset
	}
	return earliest, latest
}

func TestBytesThatWereFilledInAreAGapInTheOffsets(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1, 2))
	l.produce("t", 0, 1, 10)
	_, latest := l.offsets("t", 0)
	same(t, "latest", latest, int64(10_001))
	consumer := l.connect(kgo.ConsumeTopics("t"), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	fetches := consumer.PollFetches(t.Context())
	if err := fetches.Err(); err != nil {
		t.Fatal(err)
	}
	same(t, "the record's offset", fetches.Records()[0].Offset, int64(10_000))
}

func TestDeletedRecordsMoveTheEarliestOffsetAndFreeRoom(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1, 2))
	before := l.usable(2)
	req := kmsg.NewPtrDeleteRecordsRequest()
	req.Topics = []kmsg.DeleteRecordsRequestTopic{{Topic: "t", Partitions: []kmsg.DeleteRecordsRequestTopicPartition{{Offset: 2_500}}}}
	out := ask[*kmsg.DeleteRecordsResponse](l, 1, req).Topics[0].Partitions[0]
	same(t, "code and low watermark", []int64{int64(out.ErrorCode), out.LowWatermark}, []int64{0, 2_500})
	earliest, latest := l.offsets("t", 0)
	same(t, "offsets", []int64{earliest, latest}, []int64{2_500, 10_000})
	same(t, "bytes", l.size("t", 0, 2), int64(7_500_000))
	same(t, "usable", l.usable(2), before+2_500_000)
	if err := l.Expire("t", 0); err != nil {
		t.Fatal(err)
	}
	earliest, latest = l.offsets("t", 0)
	same(t, "offsets at the end", []int64{earliest, latest}, []int64{10_000, 10_000})
	same(t, "bytes at the end", l.size("t", 0, 2), int64(0))
}

func TestAPartitionUnderMinISRTakesNoRecordsOfAllAcks(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1, 2))
	l.mustSet(1, topicRes, "t", "min.insync.replicas", "2")
	l.kill(2)
	client := l.connect(kgo.RecordRetries(0), kgo.DisableIdempotentWrite(), kgo.RetryTimeout(time.Millisecond), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	err := client.ProduceSync(t.Context(), &kgo.Record{Topic: "t", Value: []byte("x")}).FirstErr()
	if !errors.Is(err, kerr.NotEnoughReplicas) {
		t.Error(err)
	}
}

func TestAConsumerFollowsItsPartitionThroughAMove(t *testing.T) {
	l := newLab(t)
	if code, text := l.tryCreate("t", ids(1, 2)); code != 0 {
		t.Fatal(code, text)
	}
	consumer := l.connect(kgo.ConsumeTopics("t"), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	for i, to := range [][]int32{{1, 2}, {3, 4}, {5}} {
		l.move("t", 0, to...)
		l.pass(time.Second)
		l.produce("t", 0, 1, 10)
		fetches := consumer.PollFetches(t.Context())
		if err := fetches.Err(); err != nil {
			t.Fatal(err)
		}
		same(t, "offset", fetches.Records()[0].Offset, int64(i))
	}
}

// consumerGroup is a member of group g on topic t.
func (l *lab) member(session time.Duration) *kgo.Client {
	return l.connect(kgo.ConsumerGroup("g"), kgo.ConsumeTopics("t"), kgo.SessionTimeout(session), kgo.HeartbeatInterval(session/10), kgo.DisableAutoCommit())
}

func (l *lab) group() kmsg.DescribeGroupsResponseGroup {
	l.Helper()
	req := kmsg.NewPtrDescribeGroupsRequest()
	req.Groups = []string{"g"}
	for b := 1; b <= 6; b++ {
		if g := ask[*kmsg.DescribeGroupsResponse](l, b, req).Groups[0]; g.ErrorCode != 16 {
			return g
		}
	}
	l.Fatal("no broker coordinates the group")
	return kmsg.DescribeGroupsResponseGroup{}
}

// until polls, as a client does, until holds or 10 s have passed.
func (l *lab) until(what string, holds func() bool) {
	l.Helper()
	for deadline := time.Now().Add(10 * time.Second); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			l.Fatalf("waited 10 s until %s", what)
		}
	}
}

func (l *lab) assigned() (members int, partitions []int32) {
	l.Helper()
	g := l.group()
	for _, m := range g.Members {
		var a kmsg.ConsumerMemberAssignment
		if err := a.ReadFrom(m.MemberAssignment); err == nil {
			for _, t := range a.Topics {
				partitions = append(partitions, t.Partitions...)
			}
		}
	}
	slices.Sort(partitions)
	return len(g.Members), partitions
}

func TestTheMembersOfAGroupShareItsPartitions(t *testing.T) {
	l := newLab(t)
	if code, text := l.tryCreate("t", ids(1), ids(2), ids(3), ids(4)); code != 0 {
		t.Fatal(code, text)
	}
	ctx, stop := context.WithCancel(t.Context())
	var polling sync.WaitGroup
	defer polling.Wait()
	defer stop()
	first, second := l.member(2*time.Second), l.member(2*time.Second)
	for _, c := range []*kgo.Client{first, second} {
		polling.Go(func() {
			for ctx.Err() == nil {
				c.PollFetches(ctx)
			}
		})
	}
	stable := func(members int) func() bool {
		return func() bool {
			n, partitions := l.assigned()
			return n == members && slices.Equal(partitions, ids(0, 1, 2, 3)) && l.group().State == "Stable"
		}
	}
	l.until("two members have four partitions", stable(2))
	l.produce("t", 2, 3, 10)
	l.until("an offset can be committed", func() bool {
		return first.CommitRecords(ctx, &kgo.Record{Topic: "t", Partition: 2, Offset: 2}) == nil
	})
	same(t, "what was committed", l.committed("t", 2), int64(3))
	first.Close()
	l.until("one member has four partitions", stable(1))
	second.Close()
	l.until("the group is empty", func() bool { return l.group().State == "Empty" })
	same(t, "what is committed still", l.committed("t", 2), int64(3))
}

func (l *lab) committed(topic string, p int32) int64 {
	l.Helper()
	req := kmsg.NewPtrOffsetFetchRequest()
	req.Group, req.Topics = "g", []kmsg.OffsetFetchRequestTopic{{Topic: topic, Partitions: ids(p)}}
	g := kmsg.NewOffsetFetchRequestGroup()
	g.Group = "g"
	g.Topics = []kmsg.OffsetFetchRequestGroupTopic{{Topic: topic, TopicID: l.topicID(topic), Partitions: ids(p)}}
	req.Groups = append(req.Groups, g)
	out := ask[*kmsg.OffsetFetchResponse](l, int(coordinator(l)), req)
	if len(out.Groups) > 0 {
		return out.Groups[0].Topics[0].Partitions[0].Offset
	}
	return out.Topics[0].Partitions[0].Offset
}

func (l *lab) topicID(topic string) [16]byte {
	l.Helper()
	req := kmsg.NewPtrMetadataRequest()
	t := kmsg.NewMetadataRequestTopic()
	t.Topic = &topic
	req.Topics = append(req.Topics, t)
	return ask[*kmsg.MetadataResponse](l, 1, req).Topics[0].TopicID
}

func TestAMemberThatFallsSilentIsRemoved(t *testing.T) {
	l := newLab(t)
	if code, text := l.tryCreate("t", ids(1)); code != 0 {
		t.Fatal(code, text)
	}
	join := kmsg.NewPtrJoinGroupRequest()
	join.Group, join.SessionTimeoutMillis, join.RebalanceTimeoutMillis, join.ProtocolType = "g", 50, 50, "consumer"
	join.Protocols = []kmsg.JoinGroupRequestProtocol{{Name: "range", Metadata: []byte{1}}}
	broker := int(coordinator(l))
	out := ask[*kmsg.JoinGroupResponse](l, broker, join)
	same(t, "an id is given first", out.ErrorCode, int16(79))
	join.MemberID = out.MemberID
	out = ask[*kmsg.JoinGroupResponse](l, broker, join)
	same(t, "then it joins and leads", []any{out.ErrorCode, out.Generation, out.LeaderID}, []any{int16(0), int32(1), out.MemberID})
	sync := kmsg.NewPtrSyncGroupRequest()
	sync.Group, sync.Generation, sync.MemberID = "g", 1, out.MemberID
	sync.GroupAssignment = []kmsg.SyncGroupRequestGroupAssignment{{MemberID: out.MemberID, MemberAssignment: []byte("mine")}}
	same(t, "its assignment", string(ask[*kmsg.SyncGroupResponse](l, broker, sync).MemberAssignment), "mine")
	beat := kmsg.NewPtrHeartbeatRequest()
	beat.Group, beat.Generation, beat.MemberID = "g", 0, out.MemberID
	same(t, "an old generation", ask[*kmsg.HeartbeatResponse](l, broker, beat).ErrorCode, int16(22))
	beat.Generation = 1
	same(t, "a heartbeat", ask[*kmsg.HeartbeatResponse](l, broker, beat).ErrorCode, int16(0))
	l.until("its session is over", func() bool { return l.group().State == "Empty" })
	same(t, "a heartbeat too late", ask[*kmsg.HeartbeatResponse](l, broker, beat).ErrorCode, int16(25))
	commit := kmsg.NewPtrOffsetCommitRequest()
	commit.Group, commit.Generation, commit.MemberID = "g", 1, out.MemberID
	x := kmsg.NewOffsetCommitRequestTopic()
	x.Topic, x.TopicID, x.Partitions = "t", l.topicID("t"), []kmsg.OffsetCommitRequestTopicPartition{{Offset: 1}}
	commit.Topics = append(commit.Topics, x)
	c := ask[*kmsg.OffsetCommitResponse](l, broker, commit)
	same(t, "a commit too late", c.Topics[0].Partitions[0].ErrorCode, int16(25))
}

func coordinator(l *lab) int32 {
	find := kmsg.NewPtrFindCoordinatorRequest()
	find.CoordinatorKeys = []string{"g"}
	return ask[*kmsg.FindCoordinatorResponse](l, 1, find).Coordinators[0].NodeID
}

// TestCloseEndsEverything: no goroutine waits for a broker that is gone.
func TestCloseEndsEverything(t *testing.T) {
	l := newLab(t)
	l.create("t", ids(1))
	l.Delay(keyReassign, time.Hour)
	ended := make(chan error)
	go func() {
		_, err := try(l, 1, reassignment("t", 0, ids(2)))
		ended <- err
	}()
	for l.clock.Sleeping() == 0 {
		time.Sleep(time.Millisecond)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err == nil {
		t.Error("the delayed request was answered")
	}
}
