package planner

import (
	"fmt"
	"slices"
	"sort"

	"ballast/config"
	"ballast/state"
)

// checkPins: an exact list has to be possible as it stands. All that is wrong is
// reported at once.
func (m *maker) checkPins(t *subject) {
	if t.failed || t.role != declared {
		return
	}
	count := m.count(t)
	var wrong []misplaced
	for _, p := range sortedPins(t.want.Replicas.Pin) {
		pin := t.want.Replicas.Pin[p]
		at := t.want.At("replicas.pin")
		if int(p) >= count || p < 0 {
			m.reject(t, "pin_no_partition", at, fmt.Sprintf("Topic %q pins partition %d, which it does not have", t.name, p),
				fmt.Sprintf("It has partitions 0 to %d.", count-1))
		}
		if rf := t.want.ReplicationFactor; rf > 0 && len(pin) != rf || len(pin) == 0 {
			m.reject(t, "pin_length", at, fmt.Sprintf("The pin of %s-%d has %d %s, replication_factor is %d", t.name, p, len(pin), replicas(len(pin)), rf),
				"A pin is the partition's whole replica list.")
		}
		wrong = m.checkPin(t, p, pin, at, wrong)
	}
	for _, w := range wrong {
		m.reject(t, "pin_not_eligible", t.want.At("replicas.pin"), w.words(),
			"A pin may only name brokers that the topic's replicas may be on: alive, not draining, and allowed by racks, brokers and class.")
	}
}

// misplaced is a broker that pins may not name, and the partitions whose pins do.
type misplaced struct {
	broker     state.BrokerID
	why        string
	partitions []string
}

func (w *misplaced) words() string {
	if len(w.partitions) == 1 {
		return fmt.Sprintf("The pin of %s names broker %d, which %s", w.partitions[0], w.broker, w.why)
	}
	return fmt.Sprintf("The pins of %s name broker %d, which %s", partitionsOf(w.partitions), w.broker, w.why)
}

// checkPin reports a broker that a pin names twice, and adds those that it may not
// name.
func (m *maker) checkPin(t *subject, p int32, pin []state.BrokerID, at config.Source, wrong []misplaced) []misplaced {
	for i, b := range pin {
		if state.Contains(pin[:i], b) {
			m.reject(t, "pin_repeats", at, fmt.Sprintf("The pin of %s-%d names broker %d twice", t.name, p, b), "A broker holds one replica of a partition.")
			continue
		}
		why := m.ineligible(t.want, b)
		if why == "" {
			continue
		}
		k := slices.IndexFunc(wrong, func(w misplaced) bool { return w.broker == b })
		if k < 0 {
			k, wrong = len(wrong), append(wrong, misplaced{broker: b, why: why})
		}
		wrong[k].partitions = append(wrong[k].partitions, partitionName(t.name, p))
	}
	return wrong
}

func sortedPins(pins map[int32][]state.BrokerID) []int32 {
	out := make([]int32, 0, len(pins))
	for p := range pins {
		out = append(out, p)
	}
	sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })
	return out
}

// pinned says whether every partition is pinned, so that no rack rule matters.
func (m *maker) pinned(t *subject) bool {
	return t.want != nil && len(t.want.Replicas.Pin) > 0 && len(t.want.Replicas.Pin) >= m.count(t)
}
