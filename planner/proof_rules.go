package planner

import (
	"slices"

	"ballast/state"
)

// rules holds the end of the steps against what is declared, apart from the
// optimiser: numbers, eligible brokers, racks, pins and drains. It is what stands
// for the second plan where that would cost too much.
func (p *proof) rules() {
	for _, t := range p.m.subjects {
		if !t.planned() || t.problem == nil {
			continue
		}
		end := p.r.topic(t.name)
		if end == nil || len(end.Partitions) != len(t.problem.Partitions) {
			p.fail(t.name, "topic %q does not end with the partitions that are declared", t.name)
			continue
		}
		p.rulesOf(t, end)
	}
}

func (p *proof) rulesOf(t *subject, end *state.Topic) {
	may := make([]bool, len(p.m.net.ids))
	for _, b := range t.problem.Eligible {
		may[b] = true
	}
	for i := range end.Partitions {
		in, list := &t.problem.Partitions[i], end.Partitions[i].Replicas
		switch {
		case in.Frozen:
		case in.Pin != nil:
			if !slices.Equal(list, p.m.net.toIDs(in.Pin)) {
				p.fail(t.name, "partition %d ends on %v and is pinned elsewhere", i, list)
			}
		case len(list) != int(in.RF):
			p.fail(t.name, "partition %d ends with %d replicas, declared are %d", i, len(list), in.RF)
		default:
			p.places(t, i, list, may)
		}
	}
}

// places: every replica is on an eligible broker, or waits for a dead one; and
// where none waits, every rack holds what the rule says.
func (p *proof) places(t *subject, i int, list []state.BrokerID, may []bool) {
	waits := false
	for _, b := range list {
		at := p.m.net.index[b]
		dead := !p.m.net.broker[at].Alive && !p.m.net.broker[at].Drains
		waits = waits || dead
		if !may[at] && !dead {
			p.fail(t.name, "partition %d ends on broker %d, which is not eligible", i, b)
			return
		}
	}
	if !waits && t.role != drained && p.m.breaksRacks(t, list, len(list)) {
		p.fail(t.name, "partition %d ends on %v, which breaks its rack rule", i, list)
	}
}
