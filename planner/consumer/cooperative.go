package consumer

import (
	"slices"

	"ballast/state"
)

// maxRounds bounds the rebalances that follow one another; two are usual.
const maxRounds = 20

// cooperative is sticky in rounds (KIP-429): a partition that changes hands is
// handed out only after its owner has given it up, which takes a rebalance.
func (g *group) cooperative() *Result {
	r := &Result{}
	for {
		target, next := g.round()
		if r.Rounds++; r.Rounds == 1 {
			r.Target, r.FirstRound, r.Revoked = g.assignment(target), next, g.givenUp(next)
		}
		r.Assignment = next
		if len(g.givenUp(next)) == 0 || r.Rounds == maxRounds {
			return r
		}
		g.join(next)
	}
}

// round is one rebalance: what it is after, and what it hands out.
func (g *group) round() (target []int, handed Assignment) {
	target, changing := g.sticky()
	now := slices.Clone(target)
	for p, changes := range changing {
		if changes {
			now[p] = nobody
		}
	}
	return target, g.assignment(now)
}

// givenUp has what members reported and are not handed again.
func (g *group) givenUp(handed Assignment) Assignment {
	out := Assignment{}
	for _, m := range g.members {
		for _, tp := range m.Owned {
			if !slices.Contains(handed[m.ID], tp) {
				out[m.ID] = append(out[m.ID], tp)
			}
		}
	}
	for _, list := range out {
		sortPartitions(list)
	}
	return out
}

// join lets everybody join the next rebalance with what it was handed.
func (g *group) join(handed Assignment) {
	generation := int32(0)
	for _, m := range g.members {
		generation = max(generation, m.Generation+1)
	}
	for m := range g.members {
		g.members[m].Owned = handed[g.members[m].ID]
		g.members[m].Generation = generation
		g.owned[m] = g.indices(g.members[m].Owned)
	}
}

// sortPartitions sorts by topic and number.
func sortPartitions(list []state.TopicPartition) {
	slices.SortFunc(list, state.TopicPartition.Compare)
}
