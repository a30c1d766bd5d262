package sandbox

import (
	"encoding/binary"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// fetch answers when there are enough bytes, an error, or the wait is over.
// It keeps no fetch sessions: every request names all its partitions.
func fetch(c *call, req *kmsg.FetchRequest) kmsg.Response {
	deadline := time.NewTimer(time.Duration(req.MaxWaitMillis) * time.Millisecond)
	defer deadline.Stop()
	for waited := false; ; {
		_, done := c.sandbox.live()
		resp, enough := c.read(req)
		changed := c.sandbox.changed
		done()
		if enough || waited {
			return resp
		}
		select {
		case <-changed:
		case <-deadline.C:
			waited = true
		case <-c.gone:
			return resp
		case <-c.sandbox.ctx.Done():
			return resp
		}
	}
}

// wake lets those that wait for records look again.
func (s *Sandbox) wake() {
	close(s.changed)
	s.changed = make(chan struct{})
}

func (c *call) read(req *kmsg.FetchRequest) (*kmsg.FetchResponse, bool) {
	resp := kmsg.NewPtrFetchResponse()
	size, enough := 0, false
	for _, t := range req.Topics {
		out := kmsg.NewFetchResponseTopic()
		out.Topic, out.TopicID = t.Topic, t.TopicID
		found := c.named(req.Version >= 13, t.Topic, t.TopicID)
		for _, p := range t.Partitions {
			item := c.readPartition(found, p, req, size)
			size += len(item.RecordBatches)
			enough = enough || item.ErrorCode != 0
			out.Partitions = append(out.Partitions, item)
		}
		resp.Topics = append(resp.Topics, out)
	}
	return resp, enough || size >= int(req.MinBytes) || len(req.Topics) == 0
}

func (c *call) readPartition(t *topic, want kmsg.FetchRequestTopicPartition, req *kmsg.FetchRequest, before int) kmsg.FetchResponseTopicPartition {
	item := kmsg.NewFetchResponseTopicPartition()
	item.Partition, item.HighWatermark, item.LastStableOffset, item.PreferredReadReplica = want.Partition, -1, -1, -1
	item.RecordBatches = []byte{}
	p, code := c.led(t, want.Partition, req.Version >= 13)
	if item.ErrorCode = code; code != 0 {
		return item
	}
	item.HighWatermark, item.LastStableOffset, item.LogStartOffset = p.log.end, p.log.end, p.log.start
	if want.FetchOffset < p.log.start || want.FetchOffset > p.log.end {
		item.ErrorCode = 1
		return item
	}
	for _, b := range p.log.from(want.FetchOffset) {
		size := len(item.RecordBatches) + len(b.data)
		first := before == 0 && len(item.RecordBatches) == 0
		if !first && (size > int(want.PartitionMaxBytes) || before+size > int(req.MaxBytes)) {
			break
		}
		item.RecordBatches = append(item.RecordBatches, b.data...)
	}
	return item
}

func listOffsets(c *call, req *kmsg.ListOffsetsRequest) kmsg.Response {
	resp := kmsg.NewPtrListOffsetsResponse()
	for _, t := range req.Topics {
		out := kmsg.NewListOffsetsResponseTopic()
		out.Topic = t.Topic
		for _, p := range t.Partitions {
			item := kmsg.NewListOffsetsResponseTopicPartition()
			item.Partition, item.Offset, item.Timestamp, item.LeaderEpoch = p.Partition, -1, -1, -1
			led, code := c.led(c.topics[t.Topic], p.Partition, false)
			if item.ErrorCode = code; code == 0 {
				item.LeaderEpoch = led.epoch
				item.Offset, item.Timestamp = led.log.at(p.Timestamp)
			}
			out.Partitions = append(out.Partitions, item)
		}
		resp.Topics = append(resp.Topics, out)
	}
	return resp
}

// at returns the offset of a timestamp in milliseconds, or of one of Kafka's
// special ones: -1 latest, -2 and -4 earliest, -3 that of the newest record.
func (l *log) at(timestamp int64) (offset, time int64) {
	switch timestamp {
	case -1:
		return l.end, -1
	case -2, -4:
		return l.start, -1
	}
	newest := int64(-1)
	for _, b := range l.batches {
		t := int64(binary.BigEndian.Uint64(b.data[atMaxTime:]))
		if timestamp >= 0 && t >= timestamp {
			return b.first, t
		}
		if timestamp == -3 && t > newest {
			offset, newest = b.last, t
		}
	}
	if newest >= 0 {
		return offset, newest
	}
	return -1, -1
}

func offsetForLeaderEpoch(c *call, req *kmsg.OffsetForLeaderEpochRequest) kmsg.Response {
	resp := kmsg.NewPtrOffsetForLeaderEpochResponse()
	for _, t := range req.Topics {
		out := kmsg.NewOffsetForLeaderEpochResponseTopic()
		out.Topic = t.Topic
		for _, p := range t.Partitions {
			item := kmsg.NewOffsetForLeaderEpochResponseTopicPartition()
			item.Partition, item.LeaderEpoch, item.EndOffset = p.Partition, -1, -1
			led, code := c.led(c.topics[t.Topic], p.Partition, false)
			if item.ErrorCode = code; code == 0 {
				item.LeaderEpoch, item.EndOffset = min(led.epoch, p.LeaderEpoch), led.log.end
			}
			out.Partitions = append(out.Partitions, item)
		}
		resp.Topics = append(resp.Topics, out)
	}
	return resp
}
