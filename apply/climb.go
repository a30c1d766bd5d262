package apply

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize"

	"ballast/state"
)

// climb is a throttle that finds its own rate between two shares of what a
// broker's network carries.
type climb struct {
	start, max int64 // bytes per second; max 0: the rate is fixed
}

// climbEvery is the time between two steps: long enough for a rate to show in
// the ISRs, since Kafka averages a rate over 11 s.
const climbEvery = 30 * time.Second

// climbed is the next rate: a quarter more while in-sync replicas hold (a jump
// would release a burst), half where they do not, and never below the floor.
func (c climb) climbed(now int64, hold bool) int64 {
	if hold {
		return min(now+now/4, c.max)
	}
	return max(now/2, min(rateFloor, c.start))
}

// adjust moves the rate of a batch in flight one step.
func (r *run) adjust(b *batch) error {
	if r.set.climb.max == 0 || r.set.limit <= 0 {
		return nil
	}
	l, err := r.look(nil)
	if err != nil {
		return err
	}
	troubled, where := r.isrTrouble(b, l)
	next := r.set.climb.climbed(r.set.limit, !troubled)
	if next == r.set.limit {
		return nil
	}
	was := r.set.limit
	r.set.limit = next
	if troubled {
		r.emit(Event{Kind: EventWarning, Topic: where.Topic, Partitions: []state.TopicPartition{where},
			Message: fmt.Sprintf("in-sync replicas shrink (%s): the throttle falls from %s/s to %s/s a broker", where, humanize.Bytes(uint64(was)), humanize.Bytes(uint64(next)))})
	}
	return r.setThrottles(r.copiesOf(b.moves, l), l)
}

// isrTrouble looks for a partition with a replica on the batch's brokers that
// was in sync before the batch and is not, or for one anywhere that came to
// its min.insync.replicas since.
func (r *run) isrTrouble(b *batch, l *look) (bool, state.TopicPartition) {
	s := r.scene(l, b.moves)
	for _, h := range s.underReplicated(func(tp state.TopicPartition, _ []state.BrokerID) bool { return b.urp[tp] }) {
		return true, state.TopicPartition{Topic: h.Topic, Partition: h.Partition}
	}
	var where state.TopicPartition
	found := false
	l.each(func(tp state.TopicPartition, p *state.Partition) {
		if !found && !b.near[tp] && r.nearMinISR(tp, p) {
			found, where = true, tp
		}
	})
	return found, where
}

// nearMinISR says whether a partition has no in-sync replica to spare although
// it has more replicas than it needs.
func (r *run) nearMinISR(tp state.TopicPartition, p *state.Partition) bool {
	least, known := r.minISR[tp.Topic]
	return known && len(p.ISR) <= least && len(p.Replicas)-len(p.Adding) > least
}
