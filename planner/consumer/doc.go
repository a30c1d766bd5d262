// Package consumer tells which member of a consumer group reads which
// partition: now, and after topics have grown. It gives the answers of Kafka's
// own assignors (range, roundrobin, sticky, cooperative-sticky of kafka-clients
// 4.3.0); Kafka's classes are the judge, testdata/assignors.json and, for static
// members, testdata/static.json hold what they said. Where they would look at
// racks (KIP-881) there is no answer: see racks.go.
//
// Pure: no clock, no network. Where Kafka's answer depends on the order of a
// Java hash map, members and partitions are taken in ascending order here.
//
// Read group.go first, then the file of the assignor.
package consumer
