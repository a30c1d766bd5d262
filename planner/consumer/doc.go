// Package consumer tells which member of a consumer group reads which
// partition: now, and after topics have grown. It gives the answers of Kafka's
// own assignors (range, roundrobin, sticky, cooperative-sticky of kafka-clients
// 4.3.0) for members without racks and without static membership; Kafka's
// classes are the judge, testdata/assignors.json holds what they said.
//
// Pure: no clock, no network. Where Kafka's answer depends on the order of a
// Java hash map, members and partitions are taken in ascending order here.
//
// Read group.go first, then the file of the assignor.
package consumer
