package sandbox

import "github.com/twmb/franz-go/pkg/kmsg"

// separateController is the id of the controller of a sandbox without voters
// among its brokers.
const separateController = 1000

// describeQuorum tells who votes in the metadata quorum: the brokers of
// Options.Voters, or one controller that is no broker.
func describeQuorum(c *call, req *kmsg.DescribeQuorumRequest) kmsg.Response {
	resp := kmsg.NewPtrDescribeQuorumResponse()
	for _, t := range req.Topics {
		out := kmsg.NewDescribeQuorumResponseTopic()
		out.Topic = t.Topic
		for _, p := range t.Partitions {
			item := kmsg.NewDescribeQuorumResponseTopicPartition()
			item.Partition = p.Partition
			if t.Topic != "__cluster_metadata" || p.Partition != 0 {
				item.ErrorCode = 3
			} else {
				c.tellQuorum(&item)
			}
			out.Partitions = append(out.Partitions, item)
		}
		resp.Topics = append(resp.Topics, out)
	}
	return resp
}

func (c *call) tellQuorum(item *kmsg.DescribeQuorumResponseTopicPartition) {
	voters := c.voters
	if len(voters) == 0 {
		voters = []int32{separateController}
	}
	member := func(id int32) kmsg.DescribeQuorumResponseTopicPartitionReplicaState {
		m := kmsg.NewDescribeQuorumResponseTopicPartitionReplicaState()
		m.ReplicaID, m.LastFetchTimestamp, m.LastCaughtUpTimestamp = id, c.now.UnixMilli(), c.now.UnixMilli()
		return m
	}
	item.LeaderID, item.LeaderEpoch = voters[0], 1
	for _, id := range voters {
		item.CurrentVoters = append(item.CurrentVoters, member(id))
	}
	for _, b := range c.live() {
		if !has(voters, b.id) {
			item.Observers = append(item.Observers, member(b.id))
		}
	}
}
