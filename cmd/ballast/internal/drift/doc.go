// Package drift tells how a cluster differs from its declaration, for a watch
// that runs by the clock: what stays until somebody acts, what passes by
// itself, and since when. It reads a plan and the snapshot that the plan was
// made from, and decides nothing of its own.
//
// Read report.go first.
package drift
