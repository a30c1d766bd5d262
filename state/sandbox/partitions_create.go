package sandbox

import (
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func createPartitions(c *call, req *kmsg.CreatePartitionsRequest) kmsg.Response {
	resp := kmsg.NewPtrCreatePartitionsResponse()
	times := map[string]int{}
	for _, t := range req.Topics {
		times[t.Topic]++
	}
	for i := range req.Topics {
		t := &req.Topics[i]
		out := kmsg.NewCreatePartitionsResponseTopic()
		out.Topic = t.Topic
		err := errorf(42, "Duplicate topic name.")
		if times[t.Topic] == 1 {
			err = c.addPartitions(t, req.ValidateOnly)
		}
		if err != nil {
			out.ErrorCode, out.ErrorMessage = err.code, err.message()
		}
		resp.Topics = append(resp.Topics, out)
	}
	return resp
}

// addPartitions grows a topic. The replication factor of the new partitions
// is the length of partition 0's list as it stands: adding and removing
// replicas of a move in flight count.
func (c *call) addPartitions(r *kmsg.CreatePartitionsRequestTopic, dry bool) *kafkaError {
	t := c.topics[r.Topic]
	if t == nil {
		return &kafkaError{3, ""}
	}
	have := int32(len(t.partitions))
	switch {
	case r.Count == have:
		return errorf(37, "Topic already has %d partition(s).", have)
	case r.Count < have:
		return errorf(37, "The topic %s currently has %d partition(s); %d would not be an increase.", r.Topic, have, r.Count)
	case r.Count-have > maxEntries:
		return &kafkaError{-1, ""}
	}
	lists, err := c.newLists(t, r)
	if err != nil || dry {
		return err
	}
	for _, list := range lists {
		c.addPartition(t, list)
	}
	return nil
}

// newLists returns the replicas of the partitions that are to be added: those
// of the request, checked, or those that the cluster picks.
func (c *call) newLists(t *topic, r *kmsg.CreatePartitionsRequestTopic) ([][]int32, *kafkaError) {
	have, rf := len(t.partitions), len(t.partitions[0].replicas)
	added := int(r.Count) - have
	if r.Assignment == nil {
		return c.spread(t, added, rf)
	}
	if len(r.Assignment) != added {
		return nil, errorf(39, "Attempted to add %d additional partition(s), but only %d assignment(s) were specified.", added, len(r.Assignment))
	}
	var lists [][]int32
	for i, a := range r.Assignment {
		if err := c.checkNew(int32(have+i), a.Replicas, rf); err != nil {
			return nil, err
		}
		lists = append(lists, slices.Clone(a.Replicas))
	}
	return lists, nil
}
