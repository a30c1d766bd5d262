// Package sandbox is a Kafka cluster inside this process: a TCP server of the
// Kafka protocol, one port a broker, that a real client and Kafka's own tools
// can talk to. It stores next to nothing, but it behaves: reassignments take
// bytes divided by rate of (scaled) time and obey replication throttles at the
// leader's and the follower's side, replicas fall out of ISR and come back,
// brokers die, requests are refused with Kafka's codes and texts.
//
// It follows Apache Kafka 4.3 as measured; where the conformance suite finds a
// difference, the sandbox is wrong. What it leaves out: transactions, quotas
// other than the replication throttles, ACLs, and the short bursts and stalls
// with which a real throttle begins and changes.
//
// Nothing runs in the background. The cluster's progress is worked out from
// its Clock whenever somebody asks (progress.go), so that a test can drive time
// by hand. Read sandbox.go first, then model.go, then progress.go.
package sandbox
