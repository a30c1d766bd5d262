package allocation

import (
	"ballast/config"
	"ballast/state"
)

// The format and version of the document.
const (
	Format  = "ballast-allocation"
	Version = 1
)

// Allocator is one of Kafka's two allocators.
type Allocator string

// Kafka's allocators.
const (
	// Classic is that of clusters with ZooKeeper, in Kafka up to 4.0 also that of
	// kafka-reassign-partitions --generate (AdminUtils.assignReplicasToBrokers).
	Classic Allocator = "classic"
	// Striped is that of KRaft clusters (StripedReplicaPlacer).
	Striped Allocator = "striped"
)

// Document compares two placements of the same partitions. Lists are never null.
type Document struct {
	Format    string `json:"format"`  // "ballast-allocation"
	Version   int    `json:"version"` // 1
	Tool      string `json:"tool"`
	ClusterID string `json:"cluster_id,omitempty"`
	Topic     string `json:"topic"`
	Existing  int    `json:"partitions_before"` // 0: the topic is not there
	InAll     int    `json:"partitions"`
	RF        int    `json:"replication_factor"` // of the partitions that are placed

	Allocator Allocator `json:"allocator"`
	Start     *int      `json:"start_index,omitempty"` // of classic
	Shift     *int      `json:"shift,omitempty"`       // of classic
	Seed      *int64    `json:"seed,omitempty"`        // of striped
	Refused   string    `json:"kafka_refuses,omitempty"`

	Rows    []Row    `json:"assignments"`
	Brokers []Broker `json:"brokers"`
	Kafka   *Figures `json:"kafka,omitempty"`   // missing where Kafka refuses
	Ballast *Figures `json:"ballast,omitempty"` // missing where no placement meets the rules
	Draws   *Draws   `json:"draws,omitempty"`
	Notes   []string `json:"notes"`
	// Diagnostics are the errors for which ballast places nothing.
	Diagnostics []config.Diagnostic `json:"diagnostics"`
}

// Row is one partition that is placed, the preferred leader first.
type Row struct {
	Partition int32            `json:"partition"`
	Kafka     []state.BrokerID `json:"kafka"`
	Ballast   []state.BrokerID `json:"ballast"`
}

// Load is what a broker holds of the topic.
type Load struct {
	Replicas int `json:"replicas"`
	Leaders  int `json:"leaders"` // preferred leaders
}

// Broker is a registered broker with what it holds of the topic, partitions
// that were there before included.
type Broker struct {
	ID       state.BrokerID `json:"id"`
	Rack     string         `json:"rack,omitempty"`
	Alive    bool           `json:"alive"`
	Drain    bool           `json:"drain,omitempty"`
	Eligible bool           `json:"eligible"` // for the topic, by ballast's rules
	Weight   int            `json:"weight"`
	Kafka    Load           `json:"kafka"`
	Ballast  Load           `json:"ballast"`
}

// Span is the least and the most of something over the eligible brokers.
type Span struct {
	Least int `json:"least"`
	Most  int `json:"most"`
}

// Figures are what decides between two placements. Those of the topic count the
// partitions that were there before, except UnevenRacks.
type Figures struct {
	Replicas    Span    `json:"replicas_per_broker"`
	Leaders     Span    `json:"leaders_per_broker"`
	AboveShare  float64 `json:"replicas_above_share"` // the most, over a broker's share by weight
	Unused      int     `json:"brokers_unused"`       // eligible ones without a replica
	UnevenRacks *int    `json:"partitions_uneven_over_racks,omitempty"`
	Dead        int     `json:"replicas_on_dead_brokers"`
	Draining    int     `json:"replicas_on_draining_brokers"`
	Outside     int     `json:"replicas_outside_the_rules"` // on live brokers that are not eligible, the draining ones aside
	AllReplicas *Span   `json:"replicas_per_broker_all_topics,omitempty"`
	AllLeaders  *Span   `json:"leaders_per_broker_all_topics,omitempty"`
}

// Draws is what Kafka's allocator gives where it draws its numbers anew.
type Draws struct {
	Count        int  `json:"count"`
	MostReplicas Span `json:"most_replicas_per_broker"` // of the broker with most, over the draws
	MostLeaders  Span `json:"most_leaders_per_broker"`
	EvenLeaders  int  `json:"even_leaders"` // draws in which no broker leads two more than another
}
