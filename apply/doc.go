// Package apply carries a plan out: steps, gates, throttles, journal, lock,
// resume and cancel. It invents nothing: all that it does is in the plan. It
// asks nobody and prints nothing: it tells what happens as events.
//
// Read cluster.go for what it needs of a cluster, then run.go.
package apply
