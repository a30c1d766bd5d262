package apply

import (
	"context"
	"slices"
	"time"

	"ballast/state"
)

// look is the cluster at one moment, as far as gates and polls need it.
type look struct {
	at     time.Time
	meta   *state.Snapshot
	flight map[state.TopicPartition]state.OngoingReassignment
	alive  map[state.BrokerID]bool
}

// look reads the named topics (nil: all) and the moves in flight. Moves are
// read first: a move that ends between the two reads is then still seen as in
// flight, never as ended with old metadata.
func (r *run) look(topics []string) (*look, error) {
	var out *look
	err := r.read("the cluster's metadata", func(ctx context.Context) error {
		var err error
		out, err = takeLook(ctx, r.cluster, topics)
		return err
	})
	if err != nil {
		return nil, err
	}
	out.at = r.clock.Now()
	if id := out.meta.ClusterID; id != "" && id != r.journal.ClusterID() {
		return nil, stopf("the brokers now answer as cluster %s, not as %s", id, r.journal.ClusterID())
	}
	return out, nil
}

func takeLook(ctx context.Context, c Cluster, topics []string) (*look, error) {
	flight, err := c.Reassignments(ctx)
	if err != nil {
		return nil, err
	}
	meta, err := c.Metadata(ctx, topics)
	if err != nil {
		return nil, err
	}
	return newLook(meta, flight), nil
}

func newLook(meta *state.Snapshot, flight []state.OngoingReassignment) *look {
	l := &look{meta: meta, flight: map[state.TopicPartition]state.OngoingReassignment{}, alive: map[state.BrokerID]bool{}}
	for _, f := range flight {
		l.flight[f.TopicPartition] = f
	}
	for _, b := range meta.Brokers {
		if b.Alive {
			l.alive[b.ID] = true
		}
	}
	return l
}

// partition returns a partition, or nil where there is none.
func (l *look) partition(tp state.TopicPartition) *state.Partition {
	t := l.meta.Topic(tp.Topic)
	if t == nil || tp.Partition < 0 || int(tp.Partition) >= len(t.Partitions) {
		return nil
	}
	return &t.Partitions[tp.Partition]
}

// target is what the partition's move in flight leads to; nil where none is.
// ListPartitionReassignments runs ahead of metadata, so either may show it.
func (l *look) target(tp state.TopicPartition) []state.BrokerID {
	if f, ok := l.flight[tp]; ok {
		p := state.Partition{Replicas: f.Replicas, Adding: f.Adding, Removing: f.Removing}
		return p.Target()
	}
	if p := l.partition(tp); p != nil && p.InFlight() {
		return p.Target()
	}
	return nil
}

// without returns the brokers of a that b lacks, in a's order.
func without(a, b []state.BrokerID) []state.BrokerID {
	var out []state.BrokerID
	for _, x := range a {
		if !state.Contains(b, x) {
			out = append(out, x)
		}
	}
	return out
}

// classOf says how a partition stands to a move of the plan.
type class int

const (
	classTodo    class = iota // as it was planned from: to be submitted
	classDone                 // as it is wanted
	classAdopt                // moving to what is wanted
	classForeign              // moving to something else
	classGone                 // no such topic or partition
	classStale                // neither as planned nor as wanted
)

func (l *look) classOf(m Moving) class {
	p := l.partition(m.Key())
	if p == nil {
		return classGone
	}
	if t := l.target(m.Key()); t != nil {
		if slices.Equal(t, m.After) {
			return classAdopt
		}
		return classForeign
	}
	switch {
	case slices.Equal(p.Replicas, m.After):
		return classDone
	case slices.Equal(p.Replicas, m.Before):
		return classTodo
	}
	return classStale
}
