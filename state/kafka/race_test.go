//go:build race

package kafka_test

const race = true
