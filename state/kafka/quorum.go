package kafka

import (
	"context"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
)

// metadataTopic is the log that a KRaft quorum keeps.
const metadataTopic = "__cluster_metadata"

// Voters lists the nodes that vote in the KRaft metadata quorum, brokers among
// them where these have both roles. A cluster that has no quorum has none.
func (c *Client) Voters(ctx context.Context) ([]state.BrokerID, error) {
	req := kmsg.NewPtrDescribeQuorumRequest()
	t := kmsg.NewDescribeQuorumRequestTopic()
	t.Topic = metadataTopic
	t.Partitions = append(t.Partitions, kmsg.NewDescribeQuorumRequestTopicPartition())
	req.Topics = append(req.Topics, t)
	resp, err := c.readAny(ctx, req)
	if isUnsupported(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return votersOf(resp.(*kmsg.DescribeQuorumResponse))
}

func votersOf(r *kmsg.DescribeQuorumResponse) ([]state.BrokerID, error) {
	if err := kafkaError(r.ErrorCode, r.ErrorMessage); err != nil {
		return nil, err
	}
	var out []state.BrokerID
	for i := range r.Topics {
		for j := range r.Topics[i].Partitions {
			p := &r.Topics[i].Partitions[j]
			if err := kafkaError(p.ErrorCode, p.ErrorMessage); err != nil {
				return nil, err
			}
			for _, v := range p.CurrentVoters {
				out = append(out, state.BrokerID(v.ReplicaID))
			}
		}
	}
	slices.Sort(out)
	return out, nil
}
