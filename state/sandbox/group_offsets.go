package sandbox

import (
	"net"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func (c *call) hostOnly() string {
	host, _, err := net.SplitHostPort(c.host)
	if err != nil {
		return c.host
	}
	return host
}

func findCoordinator(c *call, req *kmsg.FindCoordinatorRequest) kmsg.Response {
	resp := kmsg.NewPtrFindCoordinatorResponse()
	keys := req.CoordinatorKeys
	if req.Version < 4 {
		keys = []string{req.CoordinatorKey}
	}
	for _, key := range keys {
		x := kmsg.NewFindCoordinatorResponseCoordinator()
		x.Key, x.NodeID = key, -1
		b := c.coordinator(key)
		switch {
		case req.CoordinatorType != 0:
			x.ErrorCode = 42
		case key == "":
			x.ErrorCode = 24
		case b == nil:
			x.ErrorCode = 15
		default:
			x.NodeID, x.Host, x.Port = b.id, b.host, b.port
		}
		resp.Coordinators = append(resp.Coordinators, x)
	}
	if req.Version < 4 {
		x := resp.Coordinators[0]
		resp.ErrorCode, resp.NodeID, resp.Host, resp.Port = x.ErrorCode, x.NodeID, x.Host, x.Port
	}
	return resp
}

func commitOffsets(c *call, req *kmsg.OffsetCommitRequest) kmsg.Response {
	resp := kmsg.NewPtrOffsetCommitResponse()
	g, code := c.committer(req)
	for _, t := range req.Topics {
		out := kmsg.NewOffsetCommitResponseTopic()
		out.Topic, out.TopicID = t.Topic, t.TopicID
		found := c.named(req.Version >= 10, t.Topic, t.TopicID)
		for _, p := range t.Partitions {
			item := kmsg.NewOffsetCommitResponseTopicPartition()
			item.Partition, item.ErrorCode = p.Partition, code
			switch {
			case code != 0:
			case found == nil && req.Version >= 10:
				item.ErrorCode = 100
			case found == nil || c.partition(found.name, p.Partition) == nil:
				item.ErrorCode = 3
			default:
				g.offsets[offsetKey{found.name, p.Partition}] = offset{p.Offset, p.LeaderEpoch, p.Metadata}
			}
			out.Partitions = append(out.Partitions, item)
		}
		resp.Topics = append(resp.Topics, out)
	}
	return resp
}

// committer returns the group whose offsets a request may set: as a member of
// the present generation, or as nobody in a group without members.
func (c *call) committer(req *kmsg.OffsetCommitRequest) (*group, int16) {
	if req.Generation >= 0 || req.MemberID != "" {
		g, _, code := c.memberIn(req.Group, req.MemberID, req.Generation)
		if code == 0 && g.state == groupCompleting {
			code = 27
		}
		return g, code
	}
	g, code := c.groupHere(req.Group, true)
	if code == 0 && g.state != groupEmpty {
		return nil, 25
	}
	return g, code
}

// forgetOffsets drops what groups have committed for a deleted topic.
func (s *Sandbox) forgetOffsets(topic string) {
	for _, g := range s.groups {
		for k := range g.offsets {
			if k.topic == topic {
				delete(g.offsets, k)
			}
		}
	}
}

func fetchOffsets(c *call, req *kmsg.OffsetFetchRequest) kmsg.Response {
	resp := kmsg.NewPtrOffsetFetchResponse()
	if req.Version >= 8 {
		for i := range req.Groups {
			resp.Groups = append(resp.Groups, c.offsetsOf(&req.Groups[i], req.Version >= 10))
		}
		return resp
	}
	r := kmsg.NewOffsetFetchRequestGroup()
	r.Group = req.Group
	for _, t := range req.Topics {
		x := kmsg.NewOffsetFetchRequestGroupTopic()
		x.Topic, x.Partitions = t.Topic, t.Partitions
		r.Topics = append(r.Topics, x)
	}
	if req.Topics != nil && r.Topics == nil {
		r.Topics = []kmsg.OffsetFetchRequestGroupTopic{}
	}
	one := c.offsetsOf(&r, false)
	resp.ErrorCode = one.ErrorCode
	for _, t := range one.Topics {
		out := kmsg.NewOffsetFetchResponseTopic()
		out.Topic = t.Topic
		for _, p := range t.Partitions {
			item := kmsg.NewOffsetFetchResponseTopicPartition()
			item.Partition, item.Offset, item.LeaderEpoch, item.Metadata, item.ErrorCode = p.Partition, p.Offset, p.LeaderEpoch, p.Metadata, p.ErrorCode
			out.Partitions = append(out.Partitions, item)
		}
		resp.Topics = append(resp.Topics, out)
	}
	return resp
}

func (c *call) offsetsOf(r *kmsg.OffsetFetchRequestGroup, byID bool) kmsg.OffsetFetchResponseGroup {
	out := kmsg.NewOffsetFetchResponseGroup()
	out.Group = r.Group
	g, code := c.groupHere(r.Group, false)
	if out.ErrorCode = code; code != 0 {
		return out
	}
	topics := r.Topics
	if topics == nil {
		topics = g.committed()
	}
	for _, t := range topics {
		x := kmsg.NewOffsetFetchResponseGroupTopic()
		x.Topic, x.TopicID = t.Topic, t.TopicID
		found := c.named(byID && t.Topic == "", t.Topic, t.TopicID)
		for _, id := range t.Partitions {
			item := kmsg.NewOffsetFetchResponseGroupTopicPartition()
			item.Partition, item.Offset, item.LeaderEpoch, item.Metadata = id, -1, -1, kmsg.StringPtr("")
			if found == nil && byID {
				item.ErrorCode = 100
			} else if found != nil {
				x.Topic, x.TopicID = found.name, found.id
				if o, ok := g.offset(found.name, id); ok {
					item.Offset, item.LeaderEpoch, item.Metadata = o.offset, o.epoch, o.metadata
				}
			}
			x.Partitions = append(x.Partitions, item)
		}
		out.Topics = append(out.Topics, x)
	}
	return out
}

func (g *group) offset(topic string, partition int32) (offset, bool) {
	if g == nil {
		return offset{}, false
	}
	o, ok := g.offsets[offsetKey{topic, partition}]
	return o, ok
}

// committed returns all partitions with an offset.
func (g *group) committed() []kmsg.OffsetFetchRequestGroupTopic {
	if g == nil {
		return nil
	}
	by := map[string][]int32{}
	for k := range g.offsets {
		by[k.topic] = append(by[k.topic], k.partition)
	}
	var out []kmsg.OffsetFetchRequestGroupTopic
	for _, name := range sortedKeys(by) {
		x := kmsg.NewOffsetFetchRequestGroupTopic()
		x.Topic, x.Partitions = name, by[name]
		slices.Sort(x.Partitions)
		out = append(out, x)
	}
	return out
}
