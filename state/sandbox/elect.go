package sandbox

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// The types of election.
const (
	preferred = 0
	unclean   = 1
)

func electLeaders(c *call, req *kmsg.ElectLeadersRequest) kmsg.Response {
	resp := kmsg.NewPtrElectLeadersResponse()
	wrong := (*kafkaError)(nil)
	if req.ElectionType != preferred && req.ElectionType != unclean {
		wrong = errorf(42, "Unknown election type %d", req.ElectionType)
		resp.ErrorCode = 42
	}
	elect := func(name string, ids []int32, all bool) {
		out := kmsg.NewElectLeadersResponseTopic()
		out.Topic = name
		for _, id := range ids {
			err := wrong
			if err == nil {
				err = c.elect(name, id, req.ElectionType)
			}
			if all && err != nil && err.code == 84 {
				continue
			}
			item := kmsg.NewElectLeadersResponseTopicPartition()
			item.Partition = id
			if err != nil {
				item.ErrorCode, item.ErrorMessage = err.code, err.message()
			}
			out.Partitions = append(out.Partitions, item)
		}
		if len(out.Partitions) > 0 || !all {
			resp.Topics = append(resp.Topics, out)
		}
	}
	if req.Topics == nil {
		for _, name := range c.names {
			ids := make([]int32, len(c.topics[name].partitions))
			for i := range ids {
				ids[i] = int32(i)
			}
			elect(name, ids, true)
		}
	}
	for _, t := range req.Topics {
		elect(t.Topic, t.Partitions, false)
	}
	return resp
}

func (c *cluster) elect(name string, id int32, kind int8) *kafkaError {
	if c.topics[name] == nil {
		return errorf(3, "No such topic as %s", name)
	}
	p := c.partition(name, id)
	if p == nil {
		return &kafkaError{3, fmt.Sprintf("No such partition as %s-%d", name, id)}
	}
	if kind == unclean {
		return c.electUnclean(p)
	}
	first := p.replicas[0]
	switch {
	case p.leader == first:
		return errorf(84, "Leader election not needed for topic partition.")
	case !c.usable(p, first) || !has(p.isr, first) && !(len(p.isr) == 0 && has(p.elr, first)):
		return errorf(80, "The preferred leader was not available.")
	}
	if !has(p.isr, first) {
		c.leadAlone(p, first)
	}
	c.setLeader(p, first)
	return nil
}

// electUnclean makes the first live replica lead a partition without leader,
// whatever it holds: an adding replica without a byte too, and then all is
// lost, as in Kafka.
func (c *cluster) electUnclean(p *partition) *kafkaError {
	if p.leader >= 0 {
		return errorf(84, "Leader election not needed for topic partition.")
	}
	for _, id := range p.replicas {
		if c.usable(p, id) {
			c.leadAlone(p, id)
			c.setLeader(p, id)
			c.complete(p)
			return nil
		}
	}
	return errorf(83, "No eligible leader was found for the partition.")
}
