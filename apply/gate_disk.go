package apply

import (
	"sort"

	"github.com/dustin/go-humanize"

	"ballast/state"
)

// gateDisk wants headroom times what arrives free on every online log dir of a
// broker: Kafka itself chooses the one with fewest partitions, whatever its
// space. A broker whose log dirs or whose partitions' sizes could not be read
// holds nothing up: the plan has said that it could not be checked.
func gateDisk(s *scene) []Hold {
	var out []Hold
	for _, b := range sortedKeys(s.arriving) {
		want := int64(float64(s.arriving[b]) * s.run.set.headroom)
		for _, d := range s.disks[b] {
			if d.Offline || !d.Usable.Known || d.Usable.Bytes >= want {
				continue
			}
			out = append(out, hold(state.TopicPartition{}, b, "free space on it, or plan smaller batches (apply.max_batch_bytes)",
				"log dir %s of broker %d has %s free, and %s are wanted for the %s that arrive", d.Path, b,
				humanize.Bytes(uint64(max(d.Usable.Bytes, 0))), humanize.Bytes(uint64(want)), humanize.Bytes(uint64(s.arriving[b]))))
		}
	}
	return out
}

func sortedKeys(m map[state.BrokerID]int64) []state.BrokerID {
	out := make([]state.BrokerID, 0, len(m))
	for b := range m {
		out = append(out, b)
	}
	sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })
	return out
}
