package drift

import "ballast/planner"

// Compare says of each durable item whether the cluster or the declaration has
// changed since an earlier state: earlier is the plan that the same declaration
// gives there, or the plan that was saved then. What it has too was so then.
func (r *Report) Compare(file string, earlier *planner.Plan) {
	r.Against = &Against{File: file, TakenAt: earlier.Cluster.TakenAt}
	then := map[Item]bool{}
	for _, c := range earlier.Changes {
		for _, item := range durable(c) {
			then[item] = true
		}
	}
	for i := range r.Durable {
		r.Durable[i].Origin = FromCluster
		if then[withoutOrigin(r.Durable[i])] {
			r.Durable[i].Origin = FromDeclaration
		}
	}
}

func withoutOrigin(i Item) Item {
	i.Origin = ""
	return i
}
