package sandbox

import "github.com/twmb/franz-go/pkg/kmsg"

func describeLogDirs(c *call, req *kmsg.DescribeLogDirsRequest) kmsg.Response {
	resp := kmsg.NewPtrDescribeLogDirsResponse()
	at := map[*logDir]int{}
	for _, d := range c.broker.dirs {
		out := kmsg.NewDescribeLogDirsResponseDir()
		out.Dir, out.TotalBytes = d.path, d.total
		out.UsableBytes, _ = d.free()
		if d.offline {
			out.ErrorCode, out.TotalBytes, out.UsableBytes = 56, -1, -1
		}
		at[d] = len(resp.Dirs)
		resp.Dirs = append(resp.Dirs, out)
	}
	each := func(name string, ids []int32) {
		t := c.topics[name]
		if t == nil {
			return
		}
		found := map[*logDir][]kmsg.DescribeLogDirsResponseDirTopicPartition{}
		for _, p := range t.chosen(ids) {
			d, item, ok := c.replicaHere(p)
			if ok {
				found[d] = append(found[d], item)
			}
		}
		for _, d := range c.broker.dirs {
			if len(found[d]) > 0 {
				out := kmsg.NewDescribeLogDirsResponseDirTopic()
				out.Topic, out.Partitions = name, found[d]
				resp.Dirs[at[d]].Topics = append(resp.Dirs[at[d]].Topics, out)
			}
		}
	}
	if req.Topics == nil {
		for _, name := range c.names {
			each(name, nil)
		}
	}
	for _, t := range req.Topics {
		each(t.Topic, notNil(t.Partitions))
	}
	return resp
}

// chosen returns the partitions of the ids, or all for nil.
func (t *topic) chosen(ids []int32) []*partition {
	if ids == nil {
		return t.partitions
	}
	var out []*partition
	for _, id := range ids {
		if id >= 0 && int(id) < len(t.partitions) {
			out = append(out, t.partitions[id])
		}
	}
	return out
}

// replicaHere returns a partition's replica on the broker that is asked. The
// lag is 0, as it was in every measurement of a copy under way.
func (c *call) replicaHere(p *partition) (*logDir, kmsg.DescribeLogDirsResponseDirTopicPartition, bool) {
	item := kmsg.NewDescribeLogDirsResponseDirTopicPartition()
	d := c.broker.dir(p)
	if d == nil || d.offline || !has(p.replicas, c.broker.id) {
		return nil, item, false
	}
	item.Partition, item.Size = p.id, p.bytesAt(c.broker.id)
	if f := p.follower(c.broker.id); f != nil {
		if c.now.Before(f.appears) {
			return nil, item, false
		}
		if !f.caught {
			item.Size -= item.Size % c.sizeStep
		}
	}
	return d, item, true
}
