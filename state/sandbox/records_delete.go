package sandbox

import (
	"fmt"
	"sort"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func deleteRecords(c *call, req *kmsg.DeleteRecordsRequest) kmsg.Response {
	resp := kmsg.NewPtrDeleteRecordsResponse()
	for _, t := range req.Topics {
		out := kmsg.NewDeleteRecordsResponseTopic()
		out.Topic = t.Topic
		for _, p := range t.Partitions {
			item := kmsg.NewDeleteRecordsResponseTopicPartition()
			item.Partition, item.LowWatermark = p.Partition, -1
			led, code := c.led(c.topics[t.Topic], p.Partition, false)
			if code == 0 {
				code = c.deleteBefore(led, p.Offset)
				item.LowWatermark = led.log.start
			}
			item.ErrorCode = code
			out.Partitions = append(out.Partitions, item)
		}
		resp.Topics = append(resp.Topics, out)
	}
	return resp
}

// deleteBefore takes away the records before an offset, or all for -1, and as
// many of the bytes.
func (c *cluster) deleteBefore(p *partition, offset int64) int16 {
	if offset == -1 {
		offset = p.log.end
	}
	if offset < 0 || offset > p.log.end {
		return 1
	}
	if offset <= p.log.start {
		return 0
	}
	left := int64(float64(p.size) * float64(p.log.end-offset) / float64(p.log.end-p.log.start))
	for _, f := range p.behind {
		if !f.caught {
			kept := min(f.bytes, float64(left))
			c.useDisk(p, f.broker, kept-f.bytes)
			f.bytes = kept
		}
	}
	c.grow(p, left-p.size)
	p.log.start = offset
	at := sort.Search(len(p.log.batches), func(i int) bool { return p.log.batches[i].last >= offset })
	c.forget(p.log.batches[:at])
	p.log.batches = p.log.batches[at:]
	c.dirty = true
	return 0
}

// Expire lets retention delete all records of a partition: its earliest offset
// becomes its latest.
func (s *Sandbox) Expire(topic string, partition int32) error {
	c, done := s.live()
	defer done()
	p := c.partition(topic, partition)
	if p == nil {
		return fmt.Errorf("no partition %s-%d", topic, partition)
	}
	c.deleteBefore(p, -1)
	return nil
}
