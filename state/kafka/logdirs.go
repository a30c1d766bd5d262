package kafka

import (
	"context"
	"fmt"
	"strconv"

	"github.com/twmb/franz-go/pkg/kmsg"
	"golang.org/x/sync/errgroup"

	"ballast/state"
)

// LogDirs reads disks and replica sizes, each broker's from itself, at once. A
// broker that does not answer within the client's timeout is an error of its
// own item.
func (c *Client) LogDirs(ctx context.Context, brokers []state.BrokerID) ([]state.BrokerLogDirs, []error, error) {
	out := make([]state.BrokerLogDirs, len(brokers))
	errs := make([]error, len(brokers))
	err := c.eachBrokersDirs(ctx, brokers, func(i int, d *kmsg.DescribeLogDirsResponse, err error) {
		out[i].Broker, errs[i] = brokers[i], err
		if err == nil {
			out[i].Dirs, out[i].Replicas = dirsOf(d), replicasOf(brokers[i], d)
		}
	})
	return out, errs, err
}

// eachBrokersDirs asks all brokers at once and hands on each answer, from
// several goroutines.
func (c *Client) eachBrokersDirs(ctx context.Context, brokers []state.BrokerID, take func(i int, d *kmsg.DescribeLogDirsResponse, err error)) error {
	var g errgroup.Group
	g.SetLimit(32)
	for i, id := range brokers {
		g.Go(func() error {
			d, err := c.askLogDirs(ctx, id)
			take(i, d, err)
			return nil
		})
	}
	g.Wait()
	return ctx.Err()
}

func (c *Client) askLogDirs(ctx context.Context, id state.BrokerID) (*kmsg.DescribeLogDirsResponse, error) {
	req := kmsg.NewPtrDescribeLogDirsRequest()
	req.Topics = nil // all
	resp, err := c.readBroker(ctx, id, req)
	if err != nil {
		return nil, err
	}
	d := resp.(*kmsg.DescribeLogDirsResponse)
	if err := kafkaError(d.ErrorCode, nil); err != nil {
		return nil, err
	}
	if len(d.Dirs) == 0 { // how versions below 3 say that one may not know
		return nil, kafkaError(codeClusterAuthorization, nil)
	}
	return d, nil
}

// dirsOf gives a broker's log directories.
func dirsOf(d *kmsg.DescribeLogDirsResponse) []state.LogDir {
	out := make([]state.LogDir, 0, len(d.Dirs))
	for i := range d.Dirs {
		dir := &d.Dirs[i]
		out = append(out, state.LogDir{Path: dir.Dir, Total: sizeOf(dir.TotalBytes), Usable: sizeOf(dir.UsableBytes), Offline: dir.ErrorCode != 0})
	}
	return out
}

// sizeOf is a size of which -1 says that it is not known.
func sizeOf(n int64) state.Size {
	if n < 0 {
		return state.Size{}
	}
	return state.KnownSize(n)
}

func replicasOf(id state.BrokerID, d *kmsg.DescribeLogDirsResponse) []state.ReplicaSize {
	var out []state.ReplicaSize
	for i := range d.Dirs {
		dir := &d.Dirs[i]
		for j := range dir.Topics {
			t := &dir.Topics[j]
			for k := range t.Partitions {
				p := &t.Partitions[k]
				out = append(out, state.ReplicaSize{TopicPartition: state.TopicPartition{Topic: t.Topic, Partition: p.Partition}, Broker: id, Dir: dir.Dir, Bytes: p.Size, Future: p.IsFuture})
			}
		}
	}
	return out
}

// addLogDirs reads the live brokers' log dirs, and each partition's size from
// its leader's. The silent brokers are not asked.
func (c *Client) addLogDirs(ctx context.Context, s *state.Snapshot, silent map[state.BrokerID]error, f *finding) error {
	var live []int
	var ids []state.BrokerID
	for i := range s.Brokers {
		b := &s.Brokers[i] // not a copy: its configs are being read meanwhile
		switch {
		case !b.Alive:
			f.add("log_dirs", strconv.Itoa(int(b.ID)), fmt.Sprintf("broker %d is not alive", b.ID))
		case silent[b.ID] != nil:
			f.add("log_dirs", strconv.Itoa(int(b.ID)), silent[b.ID].Error())
		default:
			live, ids = append(live, i), append(ids, b.ID)
		}
	}
	topics := make(map[string]*state.Topic, len(s.Topics))
	for i := range s.Topics {
		topics[s.Topics[i].Name] = &s.Topics[i]
	}
	errs := make([]error, len(ids))
	err := c.eachBrokersDirs(ctx, ids, func(i int, d *kmsg.DescribeLogDirsResponse, err error) {
		if errs[i] = err; err == nil {
			s.Brokers[live[i]].LogDirs = dirsOf(d)
			addSizes(topics, ids[i], d)
		}
	})
	for i, err := range errs {
		if err != nil {
			f.add("log_dirs", strconv.Itoa(int(ids[i])), needs(err, "Describe on the cluster"))
		}
	}
	return err
}

// addSizes takes the sizes of the replicas that lead. Each partition has one
// leader, so that the brokers' answers do not meet.
func addSizes(topics map[string]*state.Topic, id state.BrokerID, d *kmsg.DescribeLogDirsResponse) {
	for i := range d.Dirs {
		for j := range d.Dirs[i].Topics {
			in := &d.Dirs[i].Topics[j]
			t := topics[in.Topic]
			if t == nil {
				continue
			}
			for k := range in.Partitions {
				p := &in.Partitions[k]
				if p.Partition < 0 || int(p.Partition) >= len(t.Partitions) || p.IsFuture {
					continue
				}
				if q := &t.Partitions[p.Partition]; q.Leader == id {
					q.Size = sizeOf(p.Size)
				}
			}
		}
	}
}
