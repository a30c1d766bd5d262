package planner

import (
	"fmt"
	"math"

	"github.com/dustin/go-humanize"

	"ballast/config"
	"ballast/planner/placement"
	"ballast/state"
)

// traffic is the bytes that arrive at and leave each broker, by index.
type traffic struct{ in, out []int64 }

func newTraffic(brokers int) *traffic {
	return &traffic{make([]int64, brokers), make([]int64, brokers)}
}

// add counts a move: the leader sends a copy to each broker added.
func (f *traffic) add(n *network, v *move) (bytes int64) {
	if !v.size.Known {
		return 0
	}
	for _, b := range v.added {
		f.in[n.index[b]] += v.size.Bytes
		bytes += v.size.Bytes
	}
	if v.leader != state.NoLeader {
		f.out[n.index[v.leader]] += bytes
	}
	return bytes
}

// busiest is the most that any broker has to take or send, and which one it is.
func (f *traffic) busiest() (bytes int64, broker int) {
	broker = -1
	for i := range f.in {
		if n := max(f.in[i], f.out[i]); n > bytes {
			bytes, broker = n, i
		}
	}
	return bytes, broker
}

// cost fills in what a reassign step copies and how long that takes at the
// highest rate of the throttle.
func (m *maker) cost(step *Step, b *batch) {
	f := newTraffic(len(m.net.ids))
	for _, v := range b.moves {
		step.Bytes += f.add(m.net, v)
	}
	step.Throttle = m.d.Apply.Throttle.Highest()
	busiest, _ := f.busiest()
	step.Seconds = seconds(busiest, step.Throttle)
}

// seconds is how long bytes take at a rate, rounded up; 0 where there is no rate.
func seconds(bytes, rate int64) int64 {
	if rate <= 0 || bytes <= 0 {
		return 0
	}
	return int64(math.Ceil(float64(bytes) / float64(rate)))
}

// tellPacking reports what the batches could not be: in time, or at all for
// want of disk space.
func (m *maker) tellPacking(r *placement.PackResult, moves []*move) {
	if b := r.Blocked; b != nil {
		var names []string
		for _, i := range b.Moves {
			names = append(names, partitionName(moves[i].Topic, moves[i].Partition))
		}
		m.fail("disk_full", "", config.Source{}, fmt.Sprintf("Broker %d has no room for what is to be moved there", m.net.ids[b.Broker]),
			fmt.Sprintf("%d bytes are free and %d are wanted with disk_headroom = %g, so %d are missing, and no order of the moves makes room. What waits: %s. Free space there, or allow other brokers.",
				b.Free, b.Wanted, m.d.Apply.DiskHeadroom, max(0, b.Wanted-b.Free), partitionsOf(names)))
	}
	if r.Loose {
		m.tellLoose(r)
	}
}

// tellLoose reports batches that take longer than the busiest broker needs.
func (m *maker) tellLoose(r *placement.PackResult) {
	sum := int64(0)
	for _, n := range r.BatchBytes {
		sum += n
	}
	took := fmt.Sprintf("Their busiest ends carry %s one after another, and broker %d alone carries %s", size(sum), m.net.ids[r.BusiestBroker], size(r.Busiest))
	if rate := m.d.Apply.Throttle.Highest(); rate > 0 {
		took = fmt.Sprintf("They take %d s, and broker %d alone needs %d s at %s/s", seconds(sum, rate), m.net.ids[r.BusiestBroker], seconds(r.Busiest, rate), size(rate))
	}
	m.warn("batches_not_tight", "", config.Source{}, fmt.Sprintf("The batches take %.2f times as long as the busiest broker needs", float64(sum)/float64(r.Busiest)),
		fmt.Sprintf("%s. The cause is %s.", took, m.looseCause(r.Cause)))
}

func (m *maker) looseCause(c placement.LooseCause) string {
	a := &m.d.Apply
	switch c {
	case placement.LooseBatchBytes:
		return fmt.Sprintf("max_batch_bytes, %s", size(a.MaxBatchBytes))
	case placement.LooseBrokerMoves:
		return fmt.Sprintf("max_moves_per_broker = %d", a.MaxMovesPerBroker)
	case placement.LooseBatchMoves:
		return fmt.Sprintf("max_batch_partitions = %d", a.MaxBatchPartitions)
	case placement.LooseDisk:
		return "free disk space, which dictates the order"
	case placement.LooseUrgency:
		return "that partitions short of replicas go first"
	}
	return fmt.Sprintf("max_batch_bytes (%s), max_moves_per_broker = %d and max_batch_partitions = %d together", size(a.MaxBatchBytes), a.MaxMovesPerBroker, a.MaxBatchPartitions)
}

// size is a number of bytes for a person.
func size(n int64) string { return humanize.Bytes(uint64(max(n, 0))) }
