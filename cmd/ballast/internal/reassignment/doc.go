// Package reassignment translates between plans and the JSON documents of
// kafka-reassign-partitions, for teams that move replicas with Kafka's own tool.
package reassignment
