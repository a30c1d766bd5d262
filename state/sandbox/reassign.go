package sandbox

import "github.com/twmb/franz-go/pkg/kmsg"

// maxEntries is how many changes of partitions the controller takes at once.
const maxEntries = 10_000

func alterReassignments(c *call, req *kmsg.AlterPartitionAssignmentsRequest) kmsg.Response {
	resp := kmsg.NewPtrAlterPartitionAssignmentsResponse()
	resp.AllowReplicationFactorChange = true
	entries := 0
	for _, t := range req.Topics {
		out := kmsg.NewAlterPartitionAssignmentsResponseTopic()
		out.Topic = t.Topic
		for _, p := range t.Partitions {
			item := kmsg.NewAlterPartitionAssignmentsResponseTopicPartition()
			item.Partition = p.Partition
			entries++
			if err := c.alterReassignment(t.Topic, p.Partition, p.Replicas, entries); err != nil {
				item.ErrorCode, item.ErrorMessage = err.code, err.message()
			}
			out.Partitions = append(out.Partitions, item)
		}
		resp.Topics = append(resp.Topics, out)
	}
	return resp
}

func (c *call) alterReassignment(name string, id int32, replicas []int32, entry int) *kafkaError {
	if c.topics[name] == nil {
		return errorf(3, "Unable to find a topic named %s.", name)
	}
	p := c.partition(name, id)
	if p == nil {
		return errorf(3, "Unable to find partition %s:%d.", name, id)
	}
	if entry > maxEntries {
		return &kafkaError{-1, ""}
	}
	if replicas == nil {
		return c.cancel(p)
	}
	return c.reassign(p, replicas)
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
