// Package realkafka runs a real Apache Kafka cluster for tests: one KRaft
// controller and some brokers in racks, each a JVM of its own on loopback, and
// Kafka's own command line tools.
//
// It needs Java 17 and Maven, which fetches Kafka's jars once into a cache
// outside the repository. Where one of them is missing the test is skipped and
// says so; with CI=true it fails instead. Everything that was started ends
// with the test, and with the test's process however that ends. One cluster at
// a time runs on a machine: others wait for it.
//
// Read cluster.go first.
package realkafka
