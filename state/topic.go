package state

import (
	"strconv"
	"strings"
)

// MinISRConfig is Kafka's config for the replicas that must be in sync for a
// write with acks=all.
const MinISRConfig = "min.insync.replicas"

// MinISR is the min.insync.replicas in effect for the topic, inherited or not;
// false where its configs are unknown or do not tell it.
func (t *Topic) MinISR() (int, bool) {
	v, ok := t.Config[MinISRConfig]
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(strings.TrimSpace(v.Value))
	if err != nil || n < 1 {
		return 0, false
	}
	return n, true
}

// Overrides has the values that are set on the topic itself, in a map of the
// caller's own; nil where the topic's configs are unknown.
func (t *Topic) Overrides() map[string]string {
	if t.Config == nil {
		return nil
	}
	own := map[string]string{}
	for name, v := range t.Config {
		if v.Source == SourceTopic {
			own[name] = v.Value
		}
	}
	return own
}

// Size is the topic's size: one replica's, the leader's, summed over its
// partitions, in bytes. It is unknown where any of them is.
func (t *Topic) Size() Size {
	sum := KnownSize(0)
	for i := range t.Partitions {
		size := t.Partitions[i].Size
		if !size.Known {
			return Size{}
		}
		sum.Bytes += size.Bytes
	}
	return sum
}

// ReplicationFactor is the most replicas that a partition of the topic has
// once moves in flight have ended; 0 where it has no partitions.
func (t *Topic) ReplicationFactor() int {
	most := 0
	for i := range t.Partitions {
		most = max(most, len(t.Partitions[i].Target()))
	}
	return most
}
