package sandbox

import "github.com/twmb/franz-go/pkg/kmsg"

// maxEntries is how many changes of partitions the controller takes at once.
const maxEntries = 10_000

// alterReassignments judges every entry by the state before the request, as
// the controller does, and of the accepted ones for a partition carries out
// the last.
func alterReassignments(c *call, req *kmsg.AlterPartitionAssignmentsRequest) kmsg.Response {
	resp := kmsg.NewPtrAlterPartitionAssignmentsResponse()
	resp.AllowReplicationFactorChange = true
	var accepted []*partition
	targets := map[*partition][]int32{}
	entries := 0
	for _, t := range req.Topics {
		out := kmsg.NewAlterPartitionAssignmentsResponseTopic()
		out.Topic = t.Topic
		for _, entry := range t.Partitions {
			entries++
			item := kmsg.NewAlterPartitionAssignmentsResponseTopicPartition()
			item.Partition = entry.Partition
			p, err := c.judge(t.Topic, entry, entries)
			if err != nil {
				item.ErrorCode, item.ErrorMessage = err.code, err.message()
			} else {
				if _, twice := targets[p]; !twice {
					accepted = append(accepted, p)
				}
				targets[p] = entry.Replicas
			}
			out.Partitions = append(out.Partitions, item)
		}
		resp.Topics = append(resp.Topics, out)
	}
	for _, p := range accepted {
		if targets[p] == nil {
			c.cancel(p)
		} else {
			c.reassign(p, targets[p])
		}
	}
	return resp
}

// judge returns the partition of an entry, or why the entry is refused.
func (c *call) judge(name string, entry kmsg.AlterPartitionAssignmentsRequestTopicPartition, n int) (*partition, *kafkaError) {
	if c.topics[name] == nil {
		return nil, errorf(3, "Unable to find a topic named %s.", name)
	}
	p := c.partition(name, entry.Partition)
	switch {
	case p == nil:
		return nil, errorf(3, "Unable to find partition %s:%d.", name, entry.Partition)
	case n > maxEntries:
		return nil, &kafkaError{-1, ""}
	case entry.Replicas == nil:
		_, _, err := c.reverted(p)
		return p, err
	}
	return p, c.checkAssignment(entry.Replicas, -1)
}

func listReassignments(c *call, req *kmsg.ListPartitionReassignmentsRequest) kmsg.Response {
	resp := kmsg.NewPtrListPartitionReassignmentsResponse()
	list := func(name string, partitions []*partition) {
		out := kmsg.NewListPartitionReassignmentsResponseTopic()
		out.Topic = name
		for _, p := range partitions {
			if p == nil || !p.inFlight() {
				continue
			}
			item := kmsg.NewListPartitionReassignmentsResponseTopicPartition()
			item.Partition, item.Replicas = p.id, p.replicas
			item.AddingReplicas, item.RemovingReplicas = notNil(p.adding), notNil(p.removing)
			out.Partitions = append(out.Partitions, item)
		}
		if len(out.Partitions) > 0 {
			resp.Topics = append(resp.Topics, out)
		}
	}
	if req.Topics == nil {
		for _, name := range c.names {
			list(name, c.topics[name].partitions)
		}
	}
	for _, t := range req.Topics {
		var some []*partition
		for _, id := range t.Partitions {
			some = append(some, c.partition(t.Topic, id))
		}
		list(t.Topic, some)
	}
	return resp
}
