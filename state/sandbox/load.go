package sandbox

import (
	"fmt"
	"sort"
	"strconv"
	"time"

	"ballast/state"
)

func itoa(id int32) string { return strconv.Itoa(int(id)) }

// Empty returns a cluster without topics: so many brokers, with ids from 1, in
// racks r1, r2, … of neighbouring ids (6 brokers in 3 racks: r1 has 1 and 2),
// each with one disk of 1 TB. No racks at all with 0.
func Empty(brokers, racks int) *state.Snapshot {
	s := &state.Snapshot{ClusterID: "ballast-sandbox-000001"}
	for i := range brokers {
		b := state.Broker{ID: state.BrokerID(i + 1), Alive: true}
		if racks > 0 {
			b.Rack = fmt.Sprintf("r%d", 1+i*min(racks, brokers)/brokers)
		}
		b.LogDirs = []state.LogDir{{Path: fmt.Sprintf("/var/lib/kafka/broker-%d", b.ID), Total: state.KnownSize(1e12), Usable: state.KnownSize(1e12)}}
		s.Brokers = append(s.Brokers, b)
	}
	return s
}

// load makes a cluster of a snapshot. What the snapshot does not know is
// filled in: no bytes, no overrides, a directory of unknown size.
func load(o Options) (*cluster, error) {
	s := o.Snapshot
	c := &cluster{
		id: s.ClusterID, byID: map[int32]*broker{}, topics: map[string]*topic{}, topicIDs: map[[16]byte]*topic{}, moves: map[*partition]bool{},
		defaults: map[string]string{}, static: map[string]string{}, now: o.Clock.Now(), dirty: true, rate: float64(o.CopyRate),
		joinDelay: o.JoinDelay, logDelay: o.LogDelay, session: o.SessionTimeout, restart: o.RestartTime, controller: -1, lag: o.MetadataLag, copyDelay: o.CopyDelay, before43: o.Before43, sizeStep: max(1, o.SizeStep), voters: fromIDs(o.Voters),
	}
	if c.id == "" {
		c.id = "ballast-sandbox-000001"
	}
	for i := range s.Brokers {
		if err := c.loadBroker(&s.Brokers[i]); err != nil {
			return nil, err
		}
	}
	sort.Slice(c.brokers, func(i, j int) bool { return c.brokers[i].id < c.brokers[j].id })
	c.pickController()
	if c.controller < 0 {
		return nil, fmt.Errorf("sandbox: no broker of the snapshot is alive")
	}
	c.static["auto.create.topics.enable"], c.static["auto.leader.rebalance.enable"], c.static["process.roles"] = "false", "false", "broker"
	c.loadInherited(s)
	for i := range s.Topics {
		if err := c.loadTopic(&s.Topics[i]); err != nil {
			return nil, err
		}
	}
	sort.Strings(c.names)
	for _, tp := range o.Stalled {
		p := c.partition(tp.Topic, tp.Partition)
		if p == nil {
			return nil, fmt.Errorf("sandbox: no partition %s to stall", tp)
		}
		p.stalled = true
	}
	for _, b := range c.brokers {
		for _, d := range b.dirs {
			d.base = d.used
		}
	}
	return c, nil
}

func (c *cluster) loadBroker(from *state.Broker) error {
	b := &broker{id: int32(from.ID), rack: from.Rack, running: from.Alive, fenced: !from.Alive, dynamic: map[string]string{}, static: map[string]string{}}
	if b.id < 0 || c.byID[b.id] != nil {
		return fmt.Errorf("sandbox: broker id %d is negative or there twice", b.id)
	}
	for _, d := range from.LogDirs {
		b.dirs = append(b.dirs, &logDir{path: d.Path, total: sizeOr(d.Total, -1), usable: sizeOr(d.Usable, -1), offline: d.Offline})
	}
	if len(b.dirs) == 0 {
		b.dirs = []*logDir{{path: fmt.Sprintf("/var/lib/kafka/broker-%d", b.id), total: -1, usable: -1}}
	}
	if len(b.dirs) > 1 {
		b.dirOf = map[*partition]*logDir{}
	}
	b.static["node.id"], b.static["broker.rack"], b.static["log.dirs"] = itoa(b.id), b.rack, b.dirs[0].path
	if b.rack == "" {
		delete(b.static, "broker.rack")
	}
	for key, v := range from.Config {
		switch v.Source {
		case state.SourceBroker:
			b.dynamic[key] = v.Value
		case state.SourceCluster:
			c.defaults[key] = v.Value
		case state.SourceStatic:
			b.static[key] = v.Value
		}
	}
	c.brokers, c.byID[b.id] = append(c.brokers, b), b
	return nil
}

func sizeOr(s state.Size, unknown int64) int64 {
	if s.Known {
		return s.Bytes
	}
	return unknown
}

// loadInherited takes from the topics' configs what the brokers must have said
// for topics to inherit it. A fresh cluster of 4.3 carries a cluster-wide
// min.insync.replicas of 1.
func (c *cluster) loadInherited(s *state.Snapshot) {
	told := false
	for i := range s.Topics {
		for key, v := range s.Topics[i].Config {
			k := topicKeyOf[key]
			if k == nil || k.broker == "" {
				continue
			}
			told = told || key == "min.insync.replicas"
			switch {
			case v.Source == state.SourceCluster || v.Source == state.SourceBroker:
				c.defaults[k.broker] = v.Value
			case v.Source == state.SourceStatic || v.Source == state.SourceDefault && v.Value != k.value:
				c.static[k.broker] = v.Value
			}
		}
	}
	if _, ok := c.defaults["min.insync.replicas"]; !ok && !told {
		c.defaults["min.insync.replicas"] = "1"
	}
}

func (c *cluster) loadTopic(from *state.Topic) error {
	if c.topics[from.Name] != nil {
		return fmt.Errorf("sandbox: topic %q is there twice", from.Name)
	}
	t := c.newTopicState(from.Name)
	t.internal = t.internal || from.Internal
	for key, v := range from.Config {
		if v.Source == state.SourceTopic {
			t.overrides[key] = v.Value
		}
	}
	t.leaderSide, _ = parseThrottled(t.overrides[leaderList])
	t.followSide, _ = parseThrottled(t.overrides[followerList])
	t.partitions = make([]*partition, 0, len(from.Partitions))
	for i := range from.Partitions {
		if err := c.loadPartition(t, &from.Partitions[i]); err != nil {
			return err
		}
	}
	if len(t.partitions) == 0 {
		return fmt.Errorf("sandbox: topic %q has no partition", from.Name)
	}
	return nil
}

func (c *cluster) loadPartition(t *topic, from *state.Partition) error {
	if int(from.ID) != len(t.partitions) {
		return fmt.Errorf("sandbox: partitions of topic %q are not 0, 1, 2, …: found %d in place of %d", t.name, from.ID, len(t.partitions))
	}
	p := &partition{
		topic: t, id: from.ID, replicas: fromIDs(from.Replicas), isr: fromIDs(from.ISR), elr: fromIDs(from.ELR), leader: int32(from.Leader),
		adding: fromIDs(from.Adding), removing: fromIDs(from.Removing), size: sizeOr(from.Size, 0),
	}
	if err := c.checkAssignment(p.replicas, -1); err != nil {
		return fmt.Errorf("sandbox: %s-%d: %s", t.name, p.id, err.text)
	}
	p.isr, p.elr = without(p.isr, without(p.isr, p.replicas)), without(p.elr, without(p.elr, p.replicas))
	t.partitions = append(t.partitions, p)
	if p.size > 0 {
		p.log.fill(p.size)
	}
	for _, id := range p.replicas {
		c.placeLog(p, id)
		if state.Contains(from.Offline, state.BrokerID(id)) {
			c.byID[id].moveOffline(p)
		}
		if !has(p.adding, id) || has(p.isr, id) {
			c.useDisk(p, id, float64(p.size))
		}
	}
	c.settleLoaded(p)
	return nil
}

// settleLoaded gives a partition its followers and takes dead brokers out of
// its ISR. Replicas out of sync are taken to have all but nothing to catch up
// with, and those being added to have nothing.
func (c *cluster) settleLoaded(p *partition) {
	if p.inFlight() {
		c.moves[p] = true
	}
	c.follow(p, float64(p.size))
	for _, f := range p.behind {
		f.appears, f.begins = time.Time{}, time.Time{}
		if has(p.adding, f.broker) {
			f.bytes = 0
		}
	}
	for _, id := range p.isr {
		if !c.usable(p, id) {
			c.leaveISR(p, id)
		}
	}
	c.electAny(p)
	c.complete(p)
	p.epoch = 0
}

// newTopicState is addTopic without keeping the names sorted.
func (c *cluster) newTopicState(name string) *topic {
	names := c.names
	c.names = nil
	t := c.addTopic(name)
	c.names = append(names, name)
	return t
}
