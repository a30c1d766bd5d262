package kafka

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
)

// groupDead is the state of a group that is not there, in answers older than
// version 6 of DescribeGroups.
const groupDead = "Dead"

// askClassic reads groups whose members assign among themselves.
func (d *describing) askClassic(ctx context.Context, id state.BrokerID, groups []int) error {
	req := kmsg.NewPtrDescribeGroupsRequest()
	for _, i := range groups {
		req.Groups = append(req.Groups, d.out[i].Name)
	}
	resp, err := d.client.readBroker(ctx, id, req)
	if err != nil {
		return err
	}
	answers := map[string]groupAnswer{}
	r := resp.(*kmsg.DescribeGroupsResponse)
	for i := range r.Groups {
		a := &r.Groups[i]
		err := kafkaError(a.ErrorCode, a.ErrorMessage)
		if err == nil && a.State == groupDead && len(a.Members) == 0 {
			err = noSuchGroup(a.Group)
		}
		answers[a.Group] = groupAnswer{classicOf(a), err}
	}
	d.take("DescribeGroups", groups, answers)
	return nil
}

// classicOf is a classic group. Of a protocol type that is not consumers' it
// has no more than who its members are.
func classicOf(a *kmsg.DescribeGroupsResponseGroup) state.Group {
	g := state.Group{
		GroupListing: state.GroupListing{Name: a.Group, Type: state.ClassicGroup, ProtocolType: a.ProtocolType, State: a.State},
		Assignor:     a.Protocol,
	}
	for i := range a.Members {
		m := &a.Members[i]
		member := state.GroupMember{ID: m.MemberID, InstanceID: text(m.InstanceID), ClientID: m.ClientID, Host: m.ClientHost}
		if a.ProtocolType == state.ConsumerProtocol && a.State == state.GroupStable {
			readMember(&member, m.ProtocolMetadata, m.MemberAssignment)
		}
		g.Members = append(g.Members, member)
	}
	sortMembers(g.Members)
	return g
}

// readMember reads what a consumer has told the group of itself, and what it was
// told (ConsumerProtocolSubscription and ConsumerProtocolAssignment, versions
// 0 to 3). These are bytes of another client's: anything may be in them.
func readMember(m *state.GroupMember, subscription, assignment []byte) {
	var s kmsg.ConsumerMemberMetadata
	if err := s.ReadFrom(subscription); err != nil || s.Version < 0 {
		m.Malformed = fmt.Sprintf("its subscription of %d bytes is not one of consumers'", len(subscription))
		return
	}
	m.Topics = eachOnce(s.Topics)
	m.Rack = text(s.Rack)
	if len(assignment) == 0 {
		return // it was given nothing
	}
	var a kmsg.ConsumerMemberAssignment
	if err := a.ReadFrom(assignment); err != nil || a.Version < 0 {
		m.Malformed = fmt.Sprintf("its assignment of %d bytes is not one of consumers'", len(assignment))
		return
	}
	for _, t := range a.Topics {
		m.Assigned = addPartitions(m.Assigned, t.Topic, t.Partitions)
	}
	m.Assigned = sortPartitions(m.Assigned)
}

// eachOnce sorts names, each once.
func eachOnce(names []string) []string { return slices.Compact(slices.Sorted(slices.Values(names))) }

// addPartitions adds partitions of a topic to a list.
func addPartitions(list []state.TopicPartition, topic string, numbers []int32) []state.TopicPartition {
	for _, n := range numbers {
		list = append(list, state.TopicPartition{Topic: topic, Partition: n})
	}
	return list
}

// sortPartitions sorts partitions by topic and number, each once.
func sortPartitions(list []state.TopicPartition) []state.TopicPartition {
	slices.SortFunc(list, state.TopicPartition.Compare)
	return slices.Compact(list)
}

func sortMembers(list []state.GroupMember) {
	slices.SortStableFunc(list, func(a, b state.GroupMember) int { return cmp.Compare(a.ID, b.ID) })
}
