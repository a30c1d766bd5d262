package placement

import (
	"math"
	"sort"
)

// commonLevel is the lowest level to which every broker can be filled so that all
// units of the cluster have room.
func (g *graph) commonLevel() int64 {
	total := sum32(g.total, g.scope)
	reach := int64(math.MaxInt32) * g.overall.scale
	for _, o := range g.overall.offset {
		reach = max(reach, o)
	}
	enough := func(i int) bool {
		n := int64(0)
		for _, b := range g.scope {
			n += g.overall.upTo(b, int64(i)-reach, 0)
		}
		return n >= total
	}
	return int64(sort.Search(int(2*reach+1), enough)) - reach
}
