package state

import (
	"cmp"
	"fmt"
)

// TopicPartition names a partition.
type TopicPartition struct {
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`
}

// Compare orders partitions by topic and number.
func (tp TopicPartition) Compare(other TopicPartition) int {
	return cmp.Or(cmp.Compare(tp.Topic, other.Topic), cmp.Compare(tp.Partition, other.Partition))
}

func (tp TopicPartition) String() string { return fmt.Sprintf("%s-%d", tp.Topic, tp.Partition) }

// Reassignment asks for a partition's replicas to become exactly this list, in
// order. Nil Replicas cancel the move in flight (KIP-455); an empty list that
// is not nil is refused by Kafka.
type Reassignment struct {
	TopicPartition
	Replicas []BrokerID
}

// OngoingReassignment is a move in flight as ListPartitionReassignments tells it.
type OngoingReassignment struct {
	TopicPartition
	Replicas []BrokerID `json:"replicas"` // adding and removing ones included
	Adding   []BrokerID `json:"adding,omitempty"`
	Removing []BrokerID `json:"removing,omitempty"`
}

// NewTopic asks for a topic with explicit assignments.
type NewTopic struct {
	Name        string
	Assignments [][]BrokerID // by partition, from 0
	Config      map[string]string
}

// NewPartitions asks for partitions to be added, with explicit assignments.
type NewPartitions struct {
	Topic       string
	Count       int32        // how many the topic has afterwards
	Assignments [][]BrokerID // of the added ones, in order
}

// ResourceType is what a config belongs to. The values are Kafka's.
type ResourceType int8

// The resource types that ballast writes to.
const (
	TopicResource  ResourceType = 2
	BrokerResource ResourceType = 4
)

// ConfigResource is something with configs: a topic by name, a broker by its
// id in decimal, or the cluster-wide broker default (Name "").
type ConfigResource struct {
	Type ResourceType
	Name string
}

// ConfigChange sets one config, or with a nil Value deletes the override
// (IncrementalAlterConfigs, KIP-339). Setting "" is refused: delete instead.
type ConfigChange struct {
	Name  string
	Value *string
}

// AlterConfigs is a change of one resource's configs; Kafka takes all of it or
// nothing of it.
type AlterConfigs struct {
	Resource ConfigResource
	Changes  []ConfigChange
}

// Error is an error that a broker answered for one item of a request.
type Error struct {
	Code    int16  // Kafka's, e.g. 39 INVALID_REPLICA_ASSIGNMENT
	Name    string // Kafka's, e.g. "INVALID_REPLICA_ASSIGNMENT"
	Message string // the broker's own, may be ""
}

func (e *Error) Error() string {
	if e.Message == "" {
		return fmt.Sprintf("%s (%d)", e.Name, e.Code)
	}
	return fmt.Sprintf("%s (%d): %s", e.Name, e.Code, e.Message)
}

// The codes of Kafka's that callers tell apart.
const (
	CodeUnknownTopicOrPartition  int16 = 3
	CodeNotController            int16 = 41
	CodeTopicExists              int16 = 36
	CodeInvalidPartitions        int16 = 37
	CodeInvalidReplicaAssignment int16 = 39
	CodeInvalidConfig            int16 = 40
	CodeInvalidRequest           int16 = 42
	CodePreferredUnavailable     int16 = 80
	CodeElectionNotNeeded        int16 = 84
	CodeNoReassignment           int16 = 85
	CodeThrottlingQuota          int16 = 89
)

// Offsets are a partition's earliest and latest offset.
type Offsets struct {
	Earliest, Latest int64
}

// ReplicaSize is one replica as DescribeLogDirs tells it.
type ReplicaSize struct {
	TopicPartition
	Broker BrokerID
	Dir    string
	Bytes  int64
	Future bool // an intra-broker move's copy
}

// BrokerLogDirs is what one broker answers to DescribeLogDirs.
type BrokerLogDirs struct {
	Broker   BrokerID
	Dirs     []LogDir
	Replicas []ReplicaSize
}

// Unread is something of a snapshot that could not be read, and why.
type Unread struct {
	What   string // "topic_config", "broker_config", "log_dirs", "reassignments", "metadata"
	Name   string // the topic, or the broker's id
	Reason string // e.g. "TOPIC_AUTHORIZATION_FAILED: needs DescribeConfigs on the topic"
}
