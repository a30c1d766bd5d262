package sandbox

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"sort"
	"time"
)

// cluster is the state of the whole cluster. It has no lock of its own: the
// Sandbox's guards it.
type cluster struct {
	id         string
	brokers    []*broker // by id
	byID       map[int32]*broker
	topics     map[string]*topic
	topicIDs   map[[16]byte]*topic
	names      []string            // sorted
	defaults   map[string]string   // DYNAMIC_DEFAULT_BROKER_CONFIG
	static     map[string]string   // STATIC_BROKER_CONFIG of every broker
	lagging    []*follower         // every follower, the gone ones until the next sharing out
	moves      map[*partition]bool // with a reassignment in flight
	busy       []*partition        // partitions with traffic
	now        time.Time
	dirty      bool // rates have to be shared out anew
	created    int  // topics so far
	rate       float64
	joinDelay  time.Duration
	logDelay   time.Duration
	session    time.Duration
	lag        time.Duration
	copyDelay  time.Duration
	before43   bool
	sizeStep   int64
	restart    time.Duration
	controller int32
	voters     []int32 // brokers that vote in the metadata quorum
	kept       int64   // bytes of batches in memory
}

func (c *cluster) alive(id int32) bool {
	b := c.byID[id]
	return b != nil && !b.fenced
}

func (c *cluster) running(id int32) bool {
	b := c.byID[id]
	return b != nil && b.running
}

// live returns the brokers that the controller believes alive.
func (c *cluster) live() []*broker {
	out := make([]*broker, 0, len(c.brokers))
	for _, b := range c.brokers {
		if !b.fenced {
			out = append(out, b)
		}
	}
	return out
}

func (c *cluster) addTopic(name string) *topic {
	c.created++
	t := &topic{name: name, internal: name == "__consumer_offsets" || name == "__transaction_state" || name == "__share_group_state", overrides: map[string]string{}}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %d", c.id, name, c.created))
	copy(t.id[:], sum[:16])
	c.topics[name], c.topicIDs[t.id] = t, t
	at := sort.SearchStrings(c.names, name)
	c.names = slices.Insert(c.names, at, name)
	return t
}

func (c *cluster) removeTopic(t *topic) {
	for _, p := range t.partitions {
		c.forget(p.log.batches)
		delete(c.moves, p)
		for _, id := range p.replicas {
			c.dropLog(p, id)
		}
		for _, f := range p.behind {
			f.gone = true
		}
	}
	c.busy = slices.DeleteFunc(c.busy, func(p *partition) bool { return p.topic == t })
	delete(c.topics, t.name)
	delete(c.topicIDs, t.id)
	if at, ok := slices.BinarySearch(c.names, t.name); ok {
		c.names = slices.Delete(c.names, at, at+1)
	}
	c.dirty = true
}

func (c *cluster) partition(name string, id int32) *partition {
	t := c.topics[name]
	if t == nil || id < 0 || int(id) >= len(t.partitions) {
		return nil
	}
	return t.partitions[id]
}

// addPartition adds a new, empty partition: its live replicas are in sync.
func (c *cluster) addPartition(t *topic, replicas []int32) *partition {
	p := &partition{topic: t, id: int32(len(t.partitions)), replicas: replicas, leader: -1}
	for _, id := range replicas {
		if c.alive(id) {
			p.isr = with(p.isr, id)
		}
		c.placeLog(p, id)
	}
	if len(p.isr) > 0 {
		p.leader = p.isr[0]
	}
	t.partitions = append(t.partitions, p)
	c.follow(p, 0)
	return p
}

// placeLog gives a replica a log directory: the broker's online one with the
// fewest replicas, as Kafka picks it.
func (c *cluster) placeLog(p *partition, id int32) {
	b := c.byID[id]
	if b == nil || len(b.dirs) == 0 {
		return
	}
	best := b.dirs[0]
	for _, d := range b.dirs[1:] {
		if best.offline || !d.offline && d.count < best.count {
			best = d
		}
	}
	best.count++
	if b.dirOf != nil {
		b.dirOf[p] = best
	}
}

func (b *broker) dir(p *partition) *logDir {
	if b.dirOf != nil {
		return b.dirOf[p]
	}
	if len(b.dirs) == 0 {
		return nil
	}
	return b.dirs[0]
}

// moveOffline places a replica on a failed directory, where the broker has one.
func (b *broker) moveOffline(p *partition) {
	for _, d := range b.dirs {
		if d.offline && b.dirOf != nil {
			b.dirOf[p].count--
			b.dirOf[p], d.count = d, d.count+1
			return
		}
	}
}

func (c *cluster) useDisk(p *partition, id int32, bytes float64) {
	if b := c.byID[id]; b != nil {
		if d := b.dir(p); d != nil {
			d.used += bytes
		}
	}
}

// dropLog takes a replica's log away from its broker.
func (c *cluster) dropLog(p *partition, id int32) {
	b := c.byID[id]
	if b == nil {
		return
	}
	if d := b.dir(p); d != nil {
		d.used -= float64(p.bytesAt(id))
		d.count--
		c.dirty = true
	}
	delete(b.dirOf, p)
}

// grow adds bytes to the log of every replica that is in sync.
func (c *cluster) grow(p *partition, bytes int64) {
	for _, id := range p.replicas {
		if f := p.follower(id); f == nil || f.caught {
			c.useDisk(p, id, float64(bytes))
		}
	}
	p.size += bytes
}

// forget gives back the memory of batches that nobody reads again.
func (c *cluster) forget(batches []batch) {
	for _, b := range batches {
		c.kept -= int64(len(b.data))
	}
}

// free returns the bytes left on a directory, and false where that is unknown.
func (d *logDir) free() (int64, bool) {
	if d.usable < 0 {
		return -1, false
	}
	return max(0, d.usable-int64(d.used-d.base)), true
}
