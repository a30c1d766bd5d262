package sandbox

import (
	"sort"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// metadataNow is an answer to Metadata from what the cluster is at present.
func metadataNow(c *call, req *kmsg.MetadataRequest) kmsg.Response {
	resp := kmsg.NewPtrMetadataResponse()
	resp.ClusterID, resp.ControllerID = kmsg.StringPtr(c.cluster.id), c.controller
	for _, b := range c.live() {
		m := kmsg.NewMetadataResponseBroker()
		m.NodeID, m.Host, m.Port, m.Rack = b.id, b.host, b.port, b.rackPtr()
		resp.Brokers = append(resp.Brokers, m)
	}
	if req.Topics == nil || req.Version == 0 && len(req.Topics) == 0 {
		resp.Topics = make([]kmsg.MetadataResponseTopic, 0, len(c.names))
		for _, name := range c.names {
			resp.Topics = append(resp.Topics, c.metadataOf(c.topics[name]))
		}
		return resp
	}
	for _, want := range req.Topics {
		resp.Topics = append(resp.Topics, c.metadataNamed(want))
	}
	return resp
}

func (c *call) metadataNamed(want kmsg.MetadataRequestTopic) kmsg.MetadataResponseTopic {
	if want.Topic == nil {
		if t := c.topicIDs[want.TopicID]; t != nil {
			return c.metadataOf(t)
		}
		out := kmsg.NewMetadataResponseTopic()
		out.ErrorCode, out.TopicID = 100, want.TopicID
		return out
	}
	if t := c.topics[*want.Topic]; t != nil {
		return c.metadataOf(t)
	}
	out := kmsg.NewMetadataResponseTopic()
	out.ErrorCode, out.Topic = 3, want.Topic
	if invalidName(*want.Topic) != "" {
		out.ErrorCode = 17
	}
	return out
}

func (c *call) metadataOf(t *topic) kmsg.MetadataResponseTopic {
	out := kmsg.NewMetadataResponseTopic()
	out.Topic, out.TopicID, out.IsInternal = &t.name, t.id, t.internal
	out.Partitions = make([]kmsg.MetadataResponseTopicPartition, len(t.partitions))
	for i, p := range t.partitions {
		m := &out.Partitions[i]
		m.Default()
		v := c.seen(p)
		m.Partition, m.Leader, m.LeaderEpoch = p.id, v.leader, v.epoch
		m.Replicas, m.ISR, m.OfflineReplicas = v.replicas, v.isr, c.offline(p, v.replicas)
		if v.leader < 0 {
			m.ErrorCode = 5
		}
	}
	return out
}

// view is a partition as a broker's metadata shows it.
type view struct {
	leader, epoch      int32
	replicas, isr, elr []int32
}

func (p *partition) view() view { return view{p.leader, p.epoch, p.replicas, p.isr, p.elr} }

// past is what a partition was until a change that metadata shows only later.
type past struct {
	view
	until time.Time
}

// seen returns what metadata shows of a partition: what it was MetadataLag ago.
func (c *cluster) seen(p *partition) view {
	for len(p.past) > 0 && !c.now.Before(p.past[0].until) {
		p.past = p.past[1:]
	}
	if len(p.past) > 0 {
		return p.past[0].view
	}
	return p.view()
}

// touch is called before a partition changes.
func (c *cluster) touch(p *partition) {
	until := c.now.Add(c.lag)
	if c.lag > 0 && (len(p.past) == 0 || p.past[len(p.past)-1].until.Before(until)) {
		p.past = append(p.past, past{p.view(), until})
	}
}

// offline returns those of the replicas that are on brokers that are not
// alive, or on a log directory that has failed.
func (c *cluster) offline(p *partition, replicas []int32) []int32 {
	var out []int32
	for _, id := range replicas {
		if !c.usable(p, id) {
			out = append(out, id)
		}
	}
	return out
}

// usable says whether a broker is alive and the log directory of its replica
// of p, where it has one, is online.
func (c *cluster) usable(p *partition, id int32) bool {
	if !c.alive(id) {
		return false
	}
	d := c.byID[id].dir(p)
	return d == nil || !d.offline
}

func (b *broker) rackPtr() *string {
	if b.rack == "" {
		return nil
	}
	return &b.rack
}

func describeCluster(c *call, req *kmsg.DescribeClusterRequest) kmsg.Response {
	resp := kmsg.NewPtrDescribeClusterResponse()
	resp.ClusterID, resp.ControllerID = c.cluster.id, c.controller
	if req.Version >= 1 {
		resp.EndpointType = 1
		if req.EndpointType != 1 {
			resp.ErrorCode, resp.ErrorMessage = 114, kmsg.StringPtr("The given endpoint type is not served here.")
			return resp
		}
	}
	for _, b := range c.brokers {
		if b.fenced && !req.IncludeFencedBrokers {
			continue
		}
		m := kmsg.NewDescribeClusterResponseBroker()
		m.NodeID, m.Host, m.Port, m.Rack, m.IsFenced = b.id, b.host, b.port, b.rackPtr(), b.fenced
		resp.Brokers = append(resp.Brokers, m)
	}
	return resp
}

// pageLimit is how many partitions one answer holds at most, Kafka's
// max.request.partition.size.limit.
const pageLimit = 2000

func describeTopicPartitions(c *call, req *kmsg.DescribeTopicPartitionsRequest) kmsg.Response {
	resp := kmsg.NewPtrDescribeTopicPartitionsResponse()
	var names []string
	for _, t := range req.Topics {
		names = append(names, t.Topic)
	}
	if len(names) == 0 {
		names = append(names, c.names...)
	}
	sort.Strings(names)
	left := int32(pageLimit)
	if req.ResponsePartitionLimit > 0 {
		left = min(left, req.ResponsePartitionLimit)
	}
	for i, name := range names {
		from := int32(0)
		if req.Cursor != nil {
			if name < req.Cursor.Topic {
				continue
			}
			if name == req.Cursor.Topic {
				from = max(0, req.Cursor.Partition)
			}
		}
		if i > 0 && names[i-1] == name {
			continue
		}
		if left == 0 {
			resp.NextCursor = cursor(name, 0)
			break
		}
		out, next := c.describePartitions(name, from, left)
		resp.Topics = append(resp.Topics, out)
		left -= int32(len(out.Partitions))
		if next >= 0 {
			resp.NextCursor = cursor(name, next)
			break
		}
	}
	return resp
}

func cursor(name string, partition int32) *kmsg.DescribeTopicPartitionsResponseNextCursor {
	c := kmsg.NewDescribeTopicPartitionsResponseNextCursor()
	c.Topic, c.Partition = name, partition
	return &c
}

// describePartitions describes at most limit partitions from one on; next is
// the first that did not fit, or -1.
func (c *call) describePartitions(name string, from, limit int32) (kmsg.DescribeTopicPartitionsResponseTopic, int32) {
	out := kmsg.NewDescribeTopicPartitionsResponseTopic()
	out.Topic = &name
	t := c.topics[name]
	if t == nil {
		out.ErrorCode = 3
		return out, -1
	}
	out.TopicID, out.IsInternal = t.id, t.internal
	for i := from; i < int32(len(t.partitions)); i++ {
		if i-from == limit {
			return out, i
		}
		of := t.partitions[i]
		v := c.seen(of)
		p := kmsg.NewDescribeTopicPartitionsResponseTopicPartition()
		p.Partition, p.LeaderID, p.LeaderEpoch = i, v.leader, v.epoch
		p.Replicas, p.ISR, p.OfflineReplicas = v.replicas, v.isr, c.offline(of, v.replicas)
		p.EligibleLeaderReplicas, p.LastKnownELR = notNil(v.elr), []int32{}
		if v.leader < 0 {
			p.ErrorCode = 5
		}
		out.Partitions = append(out.Partitions, p)
	}
	return out, -1
}

func notNil(list []int32) []int32 {
	if list == nil {
		return []int32{}
	}
	return list
}
