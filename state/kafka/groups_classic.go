package kafka

import (
	"cmp"
	"context"
	"errors"
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
	answers := map[string]*kmsg.DescribeGroupsResponseGroup{}
	r := resp.(*kmsg.DescribeGroupsResponse)
	for i := range r.Groups {
		answers[r.Groups[i].Group] = &r.Groups[i]
	}
	for _, i := range groups {
		a := answers[d.out[i].Name]
		switch {
		case a == nil:
			d.errs[i] = errors.New("the answer to DescribeGroups does not name the group")
		case a.ErrorCode != 0:
			d.errs[i] = kafkaError(a.ErrorCode, a.ErrorMessage)
		case a.State == groupDead && len(a.Members) == 0:
			d.errs[i] = noSuchGroup(a.Group)
		default:
			d.out[i], d.errs[i] = classicOf(a), nil
		}
	}
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
	m.Topics = slices.Compact(slices.Sorted(slices.Values(s.Topics)))
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
		for _, n := range t.Partitions {
			m.Assigned = append(m.Assigned, state.TopicPartition{Topic: t.Topic, Partition: n})
		}
	}
	m.Assigned = sortPartitions(m.Assigned)
}

// sortPartitions sorts partitions by topic and number, each once.
func sortPartitions(list []state.TopicPartition) []state.TopicPartition {
	slices.SortFunc(list, func(a, b state.TopicPartition) int {
		return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition))
	})
	return slices.Compact(list)
}

func sortMembers(list []state.GroupMember) {
	slices.SortStableFunc(list, func(a, b state.GroupMember) int { return cmp.Compare(a.ID, b.ID) })
}
