package drift

import (
	"fmt"

	"ballast/state"
)

// transient is what of a cluster passes by itself, or with a broker's return.
func transient(s *state.Snapshot) (items []Item) {
	for _, b := range s.Brokers {
		if !b.Alive {
			items = append(items, Item{Kind: DeadBroker, Detail: fmt.Sprintf("broker %d is dead", b.ID)})
		}
	}
	for i := range s.Topics {
		items = append(items, ofTopic(&s.Topics[i])...)
	}
	return items
}

// signs are what is looked for in each partition, in the order of a report.
var signs = []struct {
	kind Kind
	is   func(p *state.Partition, minISR int) bool
	what string
}{
	{Offline, func(p *state.Partition, _ int) bool { return p.Leader == state.NoLeader }, "without a leader"},
	{UnderMinISR, func(p *state.Partition, minISR int) bool { return len(p.ISR) < minISR }, "under min ISR"},
	{UnderReplicated, func(p *state.Partition, _ int) bool { return outOfSync(p) }, "under-replicated"},
	{InFlight, func(p *state.Partition, _ int) bool { return p.InFlight() }, "being reassigned"},
	{Leader, away, "not led by the preferred leader"},
}

func ofTopic(t *state.Topic) (items []Item) {
	minISR, _ := t.MinISR()
	for _, s := range signs {
		n := 0
		for i := range t.Partitions {
			if s.is(&t.Partitions[i], minISR) {
				n++
			}
		}
		if n > 0 {
			items = append(items, Item{Kind: s.kind, Topic: t.Name, Count: n, Detail: fmt.Sprintf("%d of %d partitions %s", n, len(t.Partitions), s.what)})
		}
	}
	return items
}

// outOfSync says whether a replica that stays is not in sync.
func outOfSync(p *state.Partition) bool {
	for _, b := range p.Replicas {
		if !state.Contains(p.Adding, b) && !state.Contains(p.Removing, b) && !state.Contains(p.ISR, b) {
			return true
		}
	}
	return false
}

// away says whether another than the preferred leader leads.
func away(p *state.Partition, _ int) bool {
	to := p.Target()
	return p.Leader != state.NoLeader && !p.InFlight() && len(to) > 0 && p.Leader != to[0]
}
