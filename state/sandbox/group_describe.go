package sandbox

import (
	"slices"
	"sort"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func describeGroups(c *call, req *kmsg.DescribeGroupsRequest) kmsg.Response {
	resp := kmsg.NewPtrDescribeGroupsResponse()
	for _, name := range req.Groups {
		out := kmsg.NewDescribeGroupsResponseGroup()
		out.Group, out.State = name, groupDead
		g, code := c.groupHere(name, false)
		switch {
		case code != 0:
			out.ErrorCode, out.State = code, ""
		case g == nil && req.Version >= 6:
			out.ErrorCode, out.ErrorMessage = 69, kmsg.StringPtr("Group "+name+" not found.")
		case g != nil:
			g.describe(&out)
		}
		resp.Groups = append(resp.Groups, out)
	}
	return resp
}

// describe tells of a group that is stable all, of any other who is in it.
func (g *group) describe(out *kmsg.DescribeGroupsResponseGroup) {
	out.State, out.ProtocolType = g.state, g.protocolType
	for _, m := range g.active() {
		x := kmsg.NewDescribeGroupsResponseGroupMember()
		x.MemberID, x.InstanceID, x.ClientID, x.ClientHost = m.id, m.instance, m.client, m.host
		if g.state == groupStable {
			x.ProtocolMetadata, x.MemberAssignment = m.metadata(g.protocol), m.assigned
		}
		out.Members = append(out.Members, x)
	}
	if g.state == groupStable {
		out.Protocol = g.protocol
	}
}

func listGroups(c *call, req *kmsg.ListGroupsRequest) kmsg.Response {
	resp := kmsg.NewPtrListGroupsResponse()
	for name, g := range c.sandbox.groups {
		if c.coordinator(name) != c.broker || !wanted(req.StatesFilter, g.state) || !wanted(req.TypesFilter, "classic") {
			continue
		}
		x := kmsg.NewListGroupsResponseGroup()
		x.Group, x.ProtocolType, x.GroupState, x.GroupType = name, g.protocolType, g.state, "classic"
		resp.Groups = append(resp.Groups, x)
	}
	sort.Slice(resp.Groups, func(i, j int) bool { return resp.Groups[i].Group < resp.Groups[j].Group })
	return resp
}

// wanted says whether a filter, where there is one, names value in any case.
func wanted(filter []string, value string) bool {
	return len(filter) == 0 || slices.ContainsFunc(filter, func(f string) bool { return strings.EqualFold(f, value) })
}

func deleteGroups(c *call, req *kmsg.DeleteGroupsRequest) kmsg.Response {
	resp := kmsg.NewPtrDeleteGroupsResponse()
	for _, name := range req.Groups {
		out := kmsg.NewDeleteGroupsResponseGroup()
		out.Group = name
		g, code := c.groupHere(name, false)
		switch {
		case code != 0:
			out.ErrorCode = code
		case g == nil:
			out.ErrorCode = 69
		case g.state != groupEmpty:
			out.ErrorCode = 68
		default:
			delete(c.sandbox.groups, name)
		}
		resp.Groups = append(resp.Groups, out)
	}
	return resp
}

// describeConsumerGroups answers for groups that the coordinator would assign
// (KIP-848): the sandbox has none, all of its groups are classic.
func describeConsumerGroups(c *call, req *kmsg.ConsumerGroupDescribeRequest) kmsg.Response {
	resp := kmsg.NewPtrConsumerGroupDescribeResponse()
	for _, name := range req.Groups {
		out := kmsg.NewConsumerGroupDescribeResponseGroup()
		out.Group = name
		g, code := c.groupHere(name, false)
		switch {
		case code != 0:
			out.ErrorCode = code
		case g == nil:
			out.ErrorCode, out.ErrorMessage = 69, kmsg.StringPtr("Group "+name+" not found.")
		default:
			out.ErrorCode, out.ErrorMessage = 69, kmsg.StringPtr("Group "+name+" is not a consumer group.")
		}
		resp.Groups = append(resp.Groups, out)
	}
	return resp
}
