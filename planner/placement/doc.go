// Package placement is the optimiser: which broker holds which replica and
// which replica is preferred leader, under rules, with the fewest copies. It
// works on integers, imports nothing of this module, and is deterministic:
// its budget is counted work, never time.
//
// Read problem.go for what goes in and comes out.
package placement
