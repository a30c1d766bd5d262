// Package kafka reads and changes a real cluster over the wire. Client is what
// apply.Cluster asks for.
//
// Connections are opened (and later authenticated) by kafka-go's Dialer, one a
// broker, and carry franz-go's kmsg messages, for each of which the highest
// version that both ends know is taken. kafka-go's own Client is not used: it
// serves metadata from a cache, cannot cancel a reassignment, loses the ids of
// dead brokers and routes by rules of its own.
//
// Nothing here decides: no policy, no waiting for a move to end. A write is
// never repeated unless it is certain that it was not carried out.
//
// Read client.go first, then route.go (which broker gets which request),
// snapshot.go (reading) and write.go (changing).
package kafka
