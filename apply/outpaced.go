package apply

import (
	"fmt"
	"strconv"
	"time"

	"github.com/dustin/go-humanize"

	"ballast/state"
)

// A copy fetches what is produced meanwhile too, under the same throttle. Where
// that alone is nearly the throttle's rate the copy never ends.
const (
	produceWindow = 30 * time.Second // over which it is measured
	noRoom        = 0.9              // of the throttle's rate
)

// growth is how large the leader's replicas of a batch were at a time.
type growth struct {
	at    time.Time
	bytes map[state.TopicPartition]int64
}

// tellOutpaced warns, with figures, of brokers to which more is produced than
// their throttle has room for, once a batch.
func (r *run) tellOutpaced(b *batch, copies []copyOf) {
	now := r.clock.Now()
	if g := &b.meter.grown; g.bytes != nil && now.Sub(g.at) < produceWindow {
		return
	}
	produced := producedTo(copies, b.meter.grown, now)
	b.meter.grown = growth{at: now, bytes: map[state.TopicPartition]int64{}}
	for _, c := range copies {
		b.meter.grown.bytes[c.Key()] = c.bytes
	}
	for _, broker := range sortedFloats(produced) {
		rate := r.rateOn(broker)
		if rate <= 0 || produced[broker] < noRoom*float64(rate) || b.meter.outpaced[broker] {
			continue
		}
		b.meter.outpaced[broker] = true
		r.emit(Event{Kind: EventWarning, Brokers: []state.BrokerID{broker}, Message: fmt.Sprintf(
			"what is copied to broker %d grows by %s/s, and its throttle lets %s/s through: the copy has no room and may never end; give it more with `ballast apply -resume -throttle RATE` after an interrupt",
			broker, humanize.Bytes(uint64(produced[broker])), humanize.Bytes(uint64(rate)))})
	}
}

// producedTo is by how many bytes a second the partitions grow that each
// broker copies.
func producedTo(copies []copyOf, since growth, now time.Time) map[state.BrokerID]float64 {
	out := map[state.BrokerID]float64{}
	seconds := now.Sub(since.at).Seconds()
	for _, c := range copies {
		before, ok := since.bytes[c.Key()]
		if !ok || before < 0 || c.bytes <= before || seconds <= 0 {
			continue // a log that shrinks was cut by its retention
		}
		for _, b := range without(c.After, c.Before) {
			out[b] += float64(c.bytes-before) / seconds
		}
	}
	return out
}

func sortedFloats(m map[state.BrokerID]float64) []state.BrokerID {
	set := map[state.BrokerID]bool{}
	for b := range m {
		set[b] = true
	}
	return sortedIDs(set)
}

// rateOn is the follower's throttle that is ours on a broker; 0: none.
func (r *run) rateOn(b state.BrokerID) int64 {
	v := r.mem.throttles[brokerKey(b, followerRate)].latest()
	if v == nil {
		return 0
	}
	n, _ := strconv.ParseInt(*v, 10, 64)
	return n
}
