package placement

// Conflict says why the rules of a problem's topic cannot be met, nil where they
// can. Nothing is placed. Brokers hold any number of replicas, so topics never
// stand in each other's way, and the problem may have this one alone.
func Conflict(in *Problem, topic int) *Infeasible {
	return compileAlone(in, topic).topics[0].infeasible
}

// Conflicts are the partitions of a problem's topic whose rules cannot be met, in
// order. Nothing is placed.
func Conflicts(in *Problem, topic int) (out []int32) {
	m := compileAlone(in, topic)
	m.eachConflict(&m.topics[0], func(i int32, _ *Infeasible) bool {
		out = append(out, i)
		return true
	})
	return out
}

// compileAlone lays out a problem that has one of the topics alone.
func compileAlone(in *Problem, topic int) *model {
	alone := *in
	alone.Topics = in.Topics[topic : topic+1]
	return compile(&alone)
}
