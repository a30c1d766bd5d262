// Package benchmarks makes clusters and configurations of the sizes that
// ballast promises to be quick with, the same ones for the same seed, and
// measures whole runs of `ballast plan` on them: time, memory by the operating
// system, and the copies planned beside the fewest possible.
//
// `make bench` prints the tables. Read scenario.go for what is measured, cluster.go
// for how a cluster is laid out, and others.go for what other ways of placing
// replicas make of the same clusters.
package benchmarks
