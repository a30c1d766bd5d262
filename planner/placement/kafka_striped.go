package placement

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// StripedBroker is a broker as Kafka's striped placer sees it.
type StripedBroker struct {
	KafkaBroker
	Fenced bool // registered, but not alive
}

// Striped asks for what Kafka's striped placer would do: that of KRaft clusters
// (org.apache.kafka.metadata.placement.StripedReplicaPlacer). It sees no
// existing partitions, so new partitions of a topic are placed as if it were
// created (KAFKA-14437).
type Striped struct {
	Brokers    []StripedBroker
	Partitions int
	RF         int
	Seed       int64 // of java.util.Random; a controller's own is not known
}

// Place gives the lists of the partitions, the leader first, or the reason for
// which Kafka refuses.
func (s Striped) Place() ([][]int32, error) {
	alive := 0
	for _, b := range s.Brokers {
		if !b.Fenced {
			alive++
		}
	}
	switch {
	case s.Partitions < 1:
		return nil, ErrNoPartitions
	case s.RF < 1 || s.RF > len(s.Brokers):
		return nil, fmt.Errorf("the replication factor %d is not between 1 and the number of registered brokers, %d", s.RF, len(s.Brokers))
	case alive == 0:
		return nil, errors.New("all registered brokers are fenced")
	}
	p := newStripes(s, alive)
	lists := make([][]int32, 0, s.Partitions)
	for range s.Partitions {
		lists = append(lists, p.place(s.RF))
	}
	return lists, nil
}

// stripes are the racks, over which replicas are laid in turn.
type stripes struct {
	random javaRandom
	racks  []*stripe // in the order in which they are drawn at random: a Java hash map's
	turns  []*stripe // in the order of turns
	alive  int
	epoch  int // how many partitions were placed since brokers were shuffled
	offset int // whose turn it is to begin
}

// stripe is one rack.
type stripe struct {
	name          string
	alive, fenced carousel
}

func newStripes(s Striped, alive int) *stripes {
	p := &stripes{random: newJavaRandom(s.Seed), alive: alive}
	for _, b := range s.Brokers {
		rack := p.rack(b.Rack)
		if b.Fenced {
			rack.fenced.ids = append(rack.fenced.ids, b.ID)
		} else {
			rack.alive.ids = append(rack.alive.ids, b.ID)
		}
	}
	p.racks = hashMapOrder(p.turns)
	for _, rack := range p.racks {
		rack.fenced.begin(&p.random)
		rack.alive.begin(&p.random)
	}
	slices.SortFunc(p.turns, func(a, b *stripe) int { return cmp.Compare(a.name, b.name) })
	p.offset = p.random.intN(len(p.turns))
	return p
}

func (p *stripes) rack(name string) *stripe {
	i := slices.IndexFunc(p.turns, func(r *stripe) bool { return r.name == name })
	if i < 0 {
		p.turns = append(p.turns, &stripe{name: name})
		i = len(p.turns) - 1
	}
	return p.turns[i]
}

// place gives the next partition's list.
func (p *stripes) place(rf int) []int32 {
	if p.epoch == p.alive && p.alive > 1 {
		p.shuffle()
		p.epoch = 0
	}
	if p.offset == len(p.turns) {
		p.offset = 0
	}
	first := p.offset
	list := []int32{p.leader(&first)}
	for at := p.offset; len(list) < rf; at = (at + 1) % len(p.turns) {
		if at == first {
			first = -1 // the leader's rack is passed over once
		} else if id, ok := p.turns[at].next(p.epoch); ok {
			list = append(list, id)
		}
	}
	p.epoch++
	p.offset++
	return list
}

// leader is the next live broker, and the rack that it is in.
func (p *stripes) leader(rack *int) int32 {
	for {
		if id, ok := p.turns[*rack].alive.next(p.epoch); ok {
			return id
		}
		*rack = (*rack + 1) % len(p.turns)
	}
}

func (p *stripes) shuffle() {
	javaShuffle(&p.random, p.turns)
	for _, rack := range p.racks {
		javaShuffle(&p.random, rack.fenced.ids)
		javaShuffle(&p.random, rack.alive.ids)
	}
}

func (r *stripe) next(epoch int) (int32, bool) {
	if id, ok := r.alive.next(epoch); ok {
		return id, true
	}
	return r.fenced.next(epoch)
}

// carousel gives each of its brokers once in an epoch, beginning with another
// one each time.
type carousel struct {
	ids                  []int32
	epoch, index, offset int
}

func (c *carousel) begin(r *javaRandom) {
	if len(c.ids) > 0 {
		slices.Sort(c.ids)
		c.offset = r.intN(len(c.ids))
	}
}

func (c *carousel) next(epoch int) (int32, bool) {
	if len(c.ids) == 0 {
		return 0, false
	}
	if c.epoch != epoch {
		c.epoch, c.index, c.offset = epoch, 0, (c.offset+1)%len(c.ids)
	}
	if c.index >= len(c.ids) {
		return 0, false
	}
	id := c.ids[(c.index+c.offset)%len(c.ids)]
	c.index++
	return id, true
}
