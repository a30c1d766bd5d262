package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
)

// askConsumer reads groups whose coordinator assigns (KIP-848). A broker that
// knows no such groups has none.
func (d *describing) askConsumer(ctx context.Context, id state.BrokerID, groups []int) error {
	req := kmsg.NewPtrConsumerGroupDescribeRequest()
	for _, i := range groups {
		req.Groups = append(req.Groups, d.out[i].Name)
	}
	resp, err := d.client.readBroker(ctx, id, req)
	if isUnsupported(err) {
		for _, i := range groups {
			d.errs[i] = noSuchGroup(d.out[i].Name)
		}
		return nil
	}
	if err != nil {
		return err
	}
	answers := map[string]groupAnswer{}
	r := resp.(*kmsg.ConsumerGroupDescribeResponse)
	for i := range r.Groups {
		a := &r.Groups[i]
		err := kafkaError(a.ErrorCode, a.ErrorMessage)
		if a.ErrorCode == state.CodeGroupNotFound {
			err = noSuchGroup(a.Group)
		}
		answers[a.Group] = groupAnswer{consumerOf(a), err}
	}
	d.take("ConsumerGroupDescribe", groups, answers)
	return nil
}

// consumerOf is a consumer group.
func consumerOf(a *kmsg.ConsumerGroupDescribeResponseGroup) state.Group {
	g := state.Group{
		GroupListing: state.GroupListing{Name: a.Group, Type: state.ConsumerGroup, ProtocolType: state.ConsumerProtocol, State: a.State},
		Assignor:     a.AssignorName,
	}
	for i := range a.Members {
		m := &a.Members[i]
		g.Members = append(g.Members, state.GroupMember{
			ID: m.MemberID, InstanceID: text(m.InstanceID), ClientID: m.ClientID, Host: m.ClientHost, Rack: text(m.RackID),
			Topics: eachOnce(m.SubscribedTopics), Pattern: text(m.SubscribedTopicRegex),
			Assigned: given(&m.Assignment), Target: given(&m.TargetAssignment),
		})
	}
	sortMembers(g.Members)
	return g
}

func given(a *kmsg.Assignment) []state.TopicPartition {
	var out []state.TopicPartition
	for _, t := range a.TopicPartitions {
		out = addPartitions(out, t.Topic, t.Partitions)
	}
	return sortPartitions(out)
}
