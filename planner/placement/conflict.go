package placement

// Conflict says why the rules of a problem's topic cannot be met, nil where they
// can. Nothing is placed. Brokers hold any number of replicas, so topics never
// stand in each other's way, and the problem may have this one alone.
func Conflict(in *Problem, topic int) *Infeasible {
	alone := *in
	alone.Topics = in.Topics[topic : topic+1]
	return compile(&alone).topics[0].infeasible
}
