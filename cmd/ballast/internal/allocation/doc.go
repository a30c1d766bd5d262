// Package allocation is the document that `ballast allocate` prints: where
// Kafka's own allocators would put the partitions of a topic, and where ballast
// puts them. Kafka's lists come from planner/placement, which was held against
// Kafka's classes; ballast's are those of a plan.
//
// Read document.go first, then make.go.
package allocation
