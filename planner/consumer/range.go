package consumer

import (
	"cmp"
	"slices"
)

// rangeAssign gives each topic's partitions to its subscribers in runs, topic
// by topic; the first ones get one more where they don't come out even.
func (g *group) rangeAssign() []int {
	owners, place := g.unowned(), places(g.turns())
	for t := range g.readers {
		readers := slices.Clone(g.readers[t])
		slices.SortFunc(readers, func(a, b int) int { return cmp.Compare(place[a], place[b]) })
		n := g.first[t+1] - g.first[t]
		each, more := n/len(readers), n%len(readers)
		p := g.first[t]
		for i, m := range readers {
			for range each + min(1, max(0, more-i)) {
				owners[p] = m
				p++
			}
		}
	}
	return owners
}
