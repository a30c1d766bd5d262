package clustertest

import (
	"context"
	"testing"
	"time"

	"ballast/state"
)

// Cluster is what the suite drives: what apply needs of a cluster.
type Cluster interface {
	Snapshot(ctx context.Context) (*state.Snapshot, error)
	Metadata(ctx context.Context, topics []string) (*state.Snapshot, error)
	Reassignments(ctx context.Context) ([]state.OngoingReassignment, error)
	Configs(ctx context.Context, resources []state.ConfigResource, keys []string) ([]map[string]state.ConfigValue, []error, error)
	LogDirs(ctx context.Context, brokers []state.BrokerID) ([]state.BrokerLogDirs, []error, error)
	Offsets(ctx context.Context, topic string) (map[int32]state.Offsets, error)
	Voters(ctx context.Context) ([]state.BrokerID, error)
	CreateTopics(ctx context.Context, topics []state.NewTopic) ([]error, error)
	AddPartitions(ctx context.Context, adds []state.NewPartitions) ([]error, error)
	AlterConfigs(ctx context.Context, alters []state.AlterConfigs) ([]error, error)
	Reassign(ctx context.Context, moves []state.Reassignment) ([]error, error)
	ElectPreferred(ctx context.Context, partitions []state.TopicPartition) ([]error, error)
	DeleteTopics(ctx context.Context, topics []string) ([]error, error)
}

// Harness is a running cluster and what the suite can do to it. The cluster
// has the brokers 1 to 6 in racks r1 (1, 2), r2 (3, 4) and r3 (5, 6), Kafka's
// default configs, and no topics but those of others, which are left alone.
type Harness struct {
	Cluster   Cluster
	ClusterID string // as the cluster was started with

	// Fill appends at least that many bytes to a partition and returns when
	// its in-sync replicas have them.
	Fill func(ctx context.Context, topic string, partition int32, bytes int64) error

	// Kill ends a broker as a power cut would; Restart brings it back with
	// what it had on its disks.
	Kill    func(id state.BrokerID) error
	Restart func(id state.BrokerID) error

	// Patience is how long the suite waits for what has to happen sooner or
	// later; 0 is a minute.
	Patience time.Duration
}

// subjects are what the suite is about.
var subjects = []struct {
	name string
	test func(*suite)
}{
	{"brokers have ids, racks and log dirs", brokers},
	{"a topic is created, grown and deleted", topics},
	{"a refused topic change says why", topicErrors},
	{"a topic's configs are set, read and reset", topicConfigs},
	{"a refused config change says why", configErrors},
	{"throttle rates belong to a broker or to all", throttleRates},
	{"sizes and offsets grow with the data", sizes},
	{"a move runs to its end", moves},
	{"a move that copies nothing ends at once", instantMoves},
	{"a throttled move can be watched and cancelled", cancel},
	{"a throttle bounds the rate of a move", throttledRate},
	{"a refused move says why", moveErrors},
	{"the preferred leader is elected", elections},
	{"the voters of the metadata quorum are told", quorum},
	{"a broker dies and comes back", deaths},
}

// Run checks that a cluster behaves as Kafka does.
func Run(t *testing.T, h Harness) {
	if h.Patience == 0 {
		h.Patience = time.Minute
	}
	for _, subject := range subjects {
		t.Run(subject.name, func(t *testing.T) { subject.test(&suite{T: t, Harness: h, ctx: t.Context()}) })
	}
}
