// Package sizing tells how many partitions a throughput needs, and whether the
// brokers bear them. It is arithmetic on what was measured or declared: no
// clock, no cluster, and no placement; what a broker gets is what an even
// placement gives it.
//
// Read report.go first for what goes in and comes out, then partitions.go for the
// count, share.go for what brokers get, and check_*.go for the limits.
package sizing
