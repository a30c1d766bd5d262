package sandbox

import (
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func createTopics(c *call, req *kmsg.CreateTopicsRequest) kmsg.Response {
	resp := kmsg.NewPtrCreateTopicsResponse()
	times := map[string]int{}
	for i := range req.Topics {
		times[req.Topics[i].Topic]++
	}
	partitions := 0
	for i := range req.Topics {
		t := &req.Topics[i]
		out := kmsg.NewCreateTopicsResponseTopic()
		out.Topic, out.NumPartitions, out.ReplicationFactor = t.Topic, -1, -1
		var lists [][]int32
		err := errorf(42, "Duplicate topic name.")
		if times[t.Topic] == 1 {
			lists, err = c.newTopic(t, &partitions)
		}
		if err != nil {
			out.ErrorCode, out.ErrorMessage = err.code, err.message()
		} else {
			c.create(t, lists, req.ValidateOnly, &out)
		}
		resp.Topics = append(resp.Topics, out)
	}
	return resp
}

// newTopic checks a new topic and returns the replicas of its partitions.
func (c *call) newTopic(t *kmsg.CreateTopicsRequestTopic, partitions *int) ([][]int32, *kafkaError) {
	if wrong := invalidName(t.Topic); wrong != "" {
		return nil, errorf(17, "Topic name is invalid: %s", wrong)
	}
	if c.topics[t.Topic] != nil {
		return nil, errorf(36, "Topic '%s' already exists.", t.Topic)
	}
	if other := c.collision(t.Topic); other != "" {
		return nil, errorf(17, "Topic '%s' collides with existing topic: %s", t.Topic, other)
	}
	for _, x := range t.Configs {
		if x.Value == nil {
			return nil, errorf(40, "Null value not supported for topic configs: %s", x.Name)
		}
		if err := checkTopicConfig(x.Name, *x.Value); err != nil {
			return nil, err
		}
	}
	*partitions += max(int(t.NumPartitions), len(t.ReplicaAssignment), 1)
	if *partitions > maxEntries {
		return nil, errorf(44, "Excessively large number of partitions per request.")
	}
	if len(t.ReplicaAssignment) > 0 {
		return c.manualTopic(t)
	}
	return c.autoTopic(t)
}

func (c *call) autoTopic(t *kmsg.CreateTopicsRequestTopic) ([][]int32, *kafkaError) {
	n, rf := int(t.NumPartitions), int(t.ReplicationFactor)
	switch {
	case n == -1:
		n = 1
	case n <= 0:
		return nil, errorf(37, "Number of partitions was set to an invalid non-positive value.")
	}
	switch {
	case rf == -1:
		rf = 1
	case rf <= 0:
		return nil, errorf(38, "Replication factor must be larger than 0, or -1 to use the default value.")
	}
	return c.spread(nil, n, rf)
}

func (c *call) manualTopic(t *kmsg.CreateTopicsRequestTopic) ([][]int32, *kafkaError) {
	if t.ReplicationFactor != -1 {
		return nil, errorf(42, "A manual partition assignment was specified, but replication factor was not set to -1.")
	}
	if t.NumPartitions != -1 {
		return nil, errorf(42, "A manual partition assignment was specified, but numPartitions was not set to -1.")
	}
	lists := map[int32][]int32{}
	rf := -1
	for _, a := range t.ReplicaAssignment {
		if _, twice := lists[a.Partition]; twice {
			return nil, errorf(39, "Found multiple manual partition assignments for partition %d", a.Partition)
		}
		if err := c.checkNew(a.Partition, a.Replicas, rf); err != nil {
			return nil, err
		}
		rf, lists[a.Partition] = len(a.Replicas), slices.Clone(a.Replicas)
	}
	out := make([][]int32, len(lists))
	for i := range out {
		list, ok := lists[int32(i)]
		if !ok {
			return nil, errorf(39, "partitions should be a consecutive 0-based integer sequence")
		}
		out[i] = list
	}
	return out, nil
}

// checkNew checks the replicas of a new partition: one of them has to live.
func (c *cluster) checkNew(id int32, list []int32, rf int) *kafkaError {
	if err := c.checkAssignment(list, rf); err != nil {
		return err
	}
	if !slices.ContainsFunc(list, c.alive) {
		return errorf(39, "All brokers specified in the manual partition assignment for partition %d are fenced or in controlled shutdown.", id)
	}
	return nil
}

func (c *call) create(t *kmsg.CreateTopicsRequestTopic, lists [][]int32, dry bool, out *kmsg.CreateTopicsResponseTopic) {
	made := &topic{name: t.Topic, overrides: map[string]string{}}
	if !dry {
		made = c.addTopic(t.Topic)
	}
	for _, x := range t.Configs {
		c.setTopic(made, x.Name, x.Value)
	}
	if !dry {
		for _, list := range lists {
			c.addPartition(made, list)
		}
	}
	out.TopicID, out.NumPartitions, out.ReplicationFactor = made.id, int32(len(lists)), int16(len(lists[0]))
	for _, e := range c.topicConfigs(made) {
		x := kmsg.NewCreateTopicsResponseTopicConfig()
		x.Name, x.Value, x.Source = e.Name, e.Value, int8(e.Source)
		out.Configs = append(out.Configs, x)
	}
}
