package sizing

import "ballast/state"

// Kafka deletes whole segments: one more than retention asks for stays, which is
// rolled at segment.bytes or segment.ms, whichever comes first.
const (
	segmentBytes   = 1 << 30       // segment.bytes by default
	segmentSeconds = 7 * 24 * 3600 // segment.ms by default
)

// diskGauge holds what the topic's replicas keep against the space of a log dir:
// that which is free, and that which the topic has now. Kafka puts a replica into
// the dir with fewest partitions, so that each gets as many.
func diskGauge(in *Input, r *Report) gauge {
	one := r.rate()*float64(in.Retention) + min(segmentBytes, r.rate()*segmentSeconds)
	return gauge{code: "disk", unit: Bytes, missing: "the free space of log dirs is not known of every broker", read: func(b *Broker, h held, _ int) (int64, int64, bool) {
		space, dirs, known := smallestSpace(b.LogDirs)
		if !known {
			return 0, 0, false
		}
		arriving := one * float64(ceilDiv(h.replicas, dirs))
		return whole(arriving * in.DiskHeadroom), space + b.Held/dirs, true
	}}
}

// smallestSpace is the free space of the fullest log dir that is online, in
// bytes, and how many there are.
func smallestSpace(list []state.LogDir) (least, dirs int64, known bool) {
	for _, d := range list {
		if d.Offline {
			continue
		}
		if !d.Usable.Known {
			return 0, 0, false
		}
		if dirs++; dirs == 1 || d.Usable.Bytes < least {
			least = d.Usable.Bytes
		}
	}
	return least, dirs, dirs > 0
}
