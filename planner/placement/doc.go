// Package placement is the optimiser: which broker holds which replica and
// which replica is preferred leader, under rules, with the fewest copies. It
// works on integers, imports nothing of this module, and is deterministic:
// its budget is counted work, never time.
//
// Read problem.go for what goes in and comes out, solve.go and stages.go for the
// stages, graph.go and search.go for the flow, replicas.go and leaders.go for what
// flows. Levelling (level_*.go, router.go, augment.go, merged*.go) and exchanges
// (polish*.go) only bring the search a start from which little is left to do; what
// is optimal is decided by the costs in vec.go. bound_price.go proves the result,
// whatever has found it. pack.go puts the moves into batches.
package placement
