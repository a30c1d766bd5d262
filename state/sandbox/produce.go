package sandbox

import (
	"encoding/binary"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// keepBytes is how much of what is produced stays readable; what comes after
// counts as bytes and offsets only.
const keepBytes = 256 << 20

// sequence is the last batch that an idempotent producer has sent.
type sequence struct {
	epoch int16
	first int32
	base  int64
}

// The places of a record batch's fields (magic 2).
const (
	batchHeader = 61
	atEpoch     = 12
	atMagic     = 16
	atLastDelta = 23
	atMaxTime   = 35
	atProducer  = 43
	atPEpoch    = 51
	atSequence  = 53
)

func produce(c *call, req *kmsg.ProduceRequest) kmsg.Response {
	resp := kmsg.NewPtrProduceResponse()
	for _, t := range req.Topics {
		out := kmsg.NewProduceResponseTopic()
		out.Topic, out.TopicID = t.Topic, t.TopicID
		found := c.named(req.Version >= 13, t.Topic, t.TopicID)
		for _, p := range t.Partitions {
			item := kmsg.NewProduceResponseTopicPartition()
			item.Partition, item.BaseOffset, item.LogAppendTime = p.Partition, -1, -1
			led, code := c.led(found, p.Partition, req.Version >= 13)
			if code == 0 {
				item.BaseOffset, code = c.append(led, p.Records, req.Acks)
				item.LogStartOffset = led.log.start
			}
			item.ErrorCode = code
			out.Partitions = append(out.Partitions, item)
		}
		resp.Topics = append(resp.Topics, out)
	}
	c.sandbox.wake()
	if req.Acks == 0 {
		return nil
	}
	return resp
}

// named returns the topic by name or id, nil where there is none.
func (c *cluster) named(byID bool, name string, id [16]byte) *topic {
	if byID {
		return c.topicIDs[id]
	}
	return c.topics[name]
}

// led returns a partition that the broker asked leads, or the error's code.
func (c *call) led(t *topic, id int32, byID bool) (*partition, int16) {
	switch {
	case t == nil && byID:
		return nil, 100
	case t == nil || id < 0 || int(id) >= len(t.partitions):
		return nil, 3
	case t.partitions[id].leader != c.broker.id:
		return nil, 6
	}
	return t.partitions[id], 0
}

// append takes a batch into the log and returns its first offset.
func (c *call) append(p *partition, records []byte, acks int16) (int64, int16) {
	if len(records) < batchHeader || records[atMagic] != 2 {
		return -1, 87
	}
	n := int64(int32(binary.BigEndian.Uint32(records[atLastDelta:]))) + 1
	if n <= 0 {
		return -1, 87
	}
	if acks == -1 && len(p.isr) < c.minISR(p.topic) {
		return -1, 19
	}
	producer := int64(binary.BigEndian.Uint64(records[atProducer:]))
	now := sequence{int16(binary.BigEndian.Uint16(records[atPEpoch:])), int32(binary.BigEndian.Uint32(records[atSequence:])), p.log.end}
	if last, ok := p.sequence[producer]; ok && producer >= 0 && last.epoch == now.epoch && last.first == now.first {
		return last.base, 0
	}
	if producer >= 0 {
		if p.sequence == nil {
			p.sequence = map[int64]sequence{}
		}
		p.sequence[producer] = now
	}
	binary.BigEndian.PutUint64(records, uint64(now.base))
	binary.BigEndian.PutUint32(records[atEpoch:], uint32(p.epoch))
	if c.kept+int64(len(records)) <= keepBytes {
		c.kept += int64(len(records))
		p.log.batches = append(p.log.batches, batch{now.base, now.base + n - 1, records})
	}
	p.log.end += n
	c.grow(p, int64(len(records)))
	return now.base, 0
}

func initProducer(c *call, req *kmsg.InitProducerIDRequest) kmsg.Response {
	resp := kmsg.NewPtrInitProducerIDResponse()
	if req.TransactionalID != nil {
		resp.ErrorCode = 53 // the sandbox has no transactions: not authorised
		return resp
	}
	c.sandbox.nextPID++
	resp.ProducerID = c.sandbox.nextPID
	return resp
}
