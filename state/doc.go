// Package state holds what a Kafka cluster looks like at one moment: the
// Snapshot, its codec, its fingerprint, and the plain nouns that the rooms
// exchange about a cluster (brokers, replicas, reassignments, configs).
//
// It is a leaf: it imports nothing else of this module, does no network I/O
// and knows no policy. Read snapshot.go first.
package state
