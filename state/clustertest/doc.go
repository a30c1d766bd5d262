// Package clustertest holds one suite of behaviours that every cluster must
// show: a real Apache Kafka, and the sandbox. Each was observed on a real
// cluster first; where the sandbox differs, the sandbox is wrong.
//
// Read run.go first. A new subject is a new file with one function, and a line
// in subjects.
package clustertest
