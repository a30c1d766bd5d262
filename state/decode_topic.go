package state

import (
	"errors"
	"math"
)

// topics reads the list of topics.
func (d *decoder) topics(s *Snapshot) {
	met := map[string]bool{}
	d.list("a list of topics", func() {
		d.space()
		at := d.pos
		t := d.topic()
		if d.err == nil && met[t.Name] {
			d.fail(at, "the topic %q is listed twice", t.Name)
		}
		met[t.Name] = true
		s.Topics = append(s.Topics, t)
	})
	sortTopics(s.Topics)
}

func (d *decoder) topic() Topic {
	var t Topic
	at := d.pos
	seen := d.record("a topic", d.fields.topic, func(key []byte, _ int) {
		switch string(key) {
		case "name":
			t.Name = d.str("a topic's name in quotes")
		case "internal":
			t.Internal = d.boolean()
		case "partitions":
			t.Partitions = d.partitions()
		case "config":
			t.Config = d.config()
		}
	})
	d.require("a topic", seen, d.fields.topic, "name", "partitions")
	d.settle(&t, at)
	return t
}

// settle normalises a topic that was read, and puts an error about one of its
// partitions at that partition.
func (d *decoder) settle(t *Topic, at int) {
	if d.err != nil {
		return
	}
	order := d.order(t)
	err := t.normalize()
	var flaw *partitionError
	if errors.As(err, &flaw) {
		if spot, ok := order[flaw.id]; ok {
			at = spot
		}
	}
	if err != nil {
		d.fail(at, "%w", err)
	}
}

// order has where each partition was met last; nil where the ids are 0 to n-1
// in order, since then nothing can be wrong with them.
func (d *decoder) order(t *Topic) map[int32]int {
	sorted := true
	for i := range t.Partitions {
		sorted = sorted && t.Partitions[i].ID == int32(i)
	}
	if sorted {
		return nil
	}
	spots := make(map[int32]int, len(t.Partitions))
	for i := range t.Partitions {
		spots[t.Partitions[i].ID] = d.spots[i]
	}
	return spots
}

// partitions reads a topic's partitions.
func (d *decoder) partitions() []Partition {
	d.spots = d.spots[:0]
	d.parts = d.parts[:0]
	d.list("a list of partitions", d.nextPartition)
	return append([]Partition(nil), d.parts...)
}

// partition reads one partition and checks it where it stands.
func (d *decoder) partition() {
	d.space()
	at := d.pos
	d.part = Partition{}
	seen := d.record("a partition", d.fields.partition, d.partField)
	d.require("a partition", seen, d.fields.partition, "id", "replicas", "isr", "leader")
	if d.err != nil {
		return
	}
	if err := d.part.normalize(); err != nil {
		d.fail(at, "partition %d: %w", d.part.ID, err)
	}
	d.spots = append(d.spots, at)
	d.parts = append(d.parts, d.part)
}

func (d *decoder) partitionField(key []byte, _ int) {
	p := &d.part
	switch string(key) {
	case "id":
		p.ID = int32(d.integer(0, math.MaxInt32, "a partition's id (a whole number from 0)"))
	case "leader":
		p.Leader = BrokerID(d.integer(int64(NoLeader), math.MaxInt32, "a leader's id (-1 where there is none)"))
	case "bytes":
		p.Size = d.size()
	case "replicas":
		p.Replicas = d.brokerIDs()
	case "isr":
		p.ISR = d.brokerIDs()
	case "adding":
		p.Adding = d.brokerIDs()
	case "removing":
		p.Removing = d.brokerIDs()
	case "offline":
		p.Offline = d.brokerIDs()
	case "elr":
		p.ELR = d.brokerIDs()
	}
}

// brokerIDs reads a list of broker ids; an empty one is nil.
func (d *decoder) brokerIDs() []BrokerID {
	d.ids.scratch = d.ids.scratch[:0]
	d.list("a list of broker ids", d.nextID)
	return d.ids.keep()
}
