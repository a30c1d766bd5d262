package sandbox

import (
	"context"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

func TestSmoke(t *testing.T) {
	s, err := Start(Options{Snapshot: Empty(6, 3), Speed: 10})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	cl, err := kgo.NewClient(kgo.SeedBrokers(s.Bootstrap()...), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	req := kmsg.NewPtrCreateTopicsRequest()
	x := kmsg.NewCreateTopicsRequestTopic()
	x.Topic, x.NumPartitions, x.ReplicationFactor = "orders", 3, 2
	req.Topics = append(req.Topics, x)
	resp, err := req.RequestWith(ctx, cl)
	if err != nil || resp.Topics[0].ErrorCode != 0 {
		t.Fatal(err, resp)
	}
	if err := cl.ProduceSync(ctx, &kgo.Record{Topic: "orders", Value: []byte("hello")}).FirstErr(); err != nil {
		t.Fatal(err)
	}
	con, _ := kgo.NewClient(kgo.SeedBrokers(s.Bootstrap()...), kgo.ConsumerGroup("g"), kgo.ConsumeTopics("orders"))
	f := con.PollFetches(ctx)
	if f.Err() != nil || string(f.Records()[0].Value) != "hello" {
		t.Fatal(f.Err())
	}
	con.CommitUncommittedOffsets(ctx)
	con.Close()
	a := kmsg.NewPtrAlterPartitionAssignmentsRequest()
	at := kmsg.NewAlterPartitionAssignmentsRequestTopic()
	at.Topic = "orders"
	ap := kmsg.NewAlterPartitionAssignmentsRequestTopicPartition()
	ap.Replicas = []int32{1, 3, 5}
	at.Partitions = append(at.Partitions, ap)
	a.Topics = append(a.Topics, at)
	ar, err := a.RequestWith(ctx, cl)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(ar.Topics[0].Partitions, s.Snapshot().Topics[0].Partitions[0])
	time.Sleep(50 * time.Millisecond)
	t.Log(s.Snapshot().Topics[0].Partitions[0])
}
