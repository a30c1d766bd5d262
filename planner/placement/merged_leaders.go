package placement

import "slices"

// leaderLists has the units that each broker leads.
type leaderLists struct {
	*leaders
	by [][]int32
}

// listLeaders lists the units of topics.
func (l *leaders) listLeaders(topics []int32) *leaderLists {
	v := &leaderLists{leaders: l, by: make([][]int32, l.brokers)}
	for _, t := range topics {
		from, to := l.units(t)
		for u := from; u < to; u++ {
			v.by[l.on[u]] = append(v.by[l.on[u]], u)
		}
	}
	return v
}

func (v *leaderLists) arcsFrom(a int16, row []arc) (work int) {
	for _, u := range v.by[a] {
		for _, b := range v.targets(u) {
			if b == a {
				continue
			}
			var c vec
			v.costFirst(u, b, &c)
			cost := [costTopic]int64(c[:costTopic])
			if x := &row[b]; x.unit < 0 || slices.Compare(cost[:], x.cost[:]) < 0 {
				*x = arc{u, cost}
			}
		}
	}
	return len(v.by[a]) * 2
}

func (v *leaderLists) moved(u int32, from int16) {
	if i := slices.Index(v.by[from], u); i >= 0 {
		v.by[from] = slices.Delete(v.by[from], i, i+1)
	}
	v.by[v.on[u]] = append(v.by[v.on[u]], u)
}

func (v *leaderLists) sides(u int32) []int16 { return v.targets(u) }
