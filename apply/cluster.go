package apply

import (
	"context"

	"ballast/state"
)

// Cluster is what apply needs of a Kafka cluster; state/kafka has it. Every
// answer is fresh, never from a client's cache. Methods that take several
// items return one error per item, in the items' order (nil: done; a
// *state.Error: what Kafka answered), and an error of their own only where
// the request as a whole got no answer. A write that got no answer may still
// have been carried out: callers read before they repeat.
type Cluster interface {
	// Snapshot reads the whole cluster.
	Snapshot(ctx context.Context) (*state.Snapshot, error)
	// Metadata reads brokers and the named topics' partitions (nil: all topics),
	// without configs and sizes. Topics that do not exist are missing from it.
	Metadata(ctx context.Context, topics []string) (*state.Snapshot, error)
	// Reassignments lists the moves in flight.
	Reassignments(ctx context.Context) ([]state.OngoingReassignment, error)
	// Configs reads effective values of the resources: those named in keys, or
	// all for nil. A broker's are read from that broker itself.
	Configs(ctx context.Context, resources []state.ConfigResource, keys []string) ([]map[string]state.ConfigValue, []error, error)
	// LogDirs reads replica sizes and disks of the named brokers, each from itself.
	LogDirs(ctx context.Context, brokers []state.BrokerID) ([]state.BrokerLogDirs, []error, error)
	// Offsets reads the earliest and latest offset of every partition of a topic.
	Offsets(ctx context.Context, topic string) (map[int32]state.Offsets, error)
	// Voters lists the nodes that vote in the KRaft metadata quorum; none where
	// there is no such quorum.
	Voters(ctx context.Context) ([]state.BrokerID, error)

	CreateTopics(ctx context.Context, topics []state.NewTopic) ([]error, error)
	AddPartitions(ctx context.Context, adds []state.NewPartitions) ([]error, error)
	AlterConfigs(ctx context.Context, alters []state.AlterConfigs) ([]error, error)
	// Reassign submits reassignments, and cancels those with nil Replicas.
	Reassign(ctx context.Context, moves []state.Reassignment) ([]error, error)
	// ElectPreferred elects the preferred leaders; ELECTION_NOT_NEEDED is nil.
	ElectPreferred(ctx context.Context, partitions []state.TopicPartition) ([]error, error)
	DeleteTopics(ctx context.Context, topics []string) ([]error, error)
}
