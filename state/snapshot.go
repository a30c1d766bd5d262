package state

import "time"

// BrokerID is a Kafka node id. Ids may be 0 and need not be consecutive.
type BrokerID int32

// NoLeader is the leader of a partition that has none.
const NoLeader BrokerID = -1

// Snapshot is a cluster at one moment. What could not be read is absent (nil,
// or a Size that is not Known), never zero or empty.
type Snapshot struct {
	ClusterID string
	TakenAt   time.Time
	Brokers   []Broker // by id; the dead ones that are known of included
	Topics    []Topic  // by name
	Unread    []Unread // what could not be read, and why; may be less than what is absent
}

// Broker is a registered broker, alive or not.
type Broker struct {
	ID      BrokerID
	Rack    string // "" where it has none, or where it is dead and its rack is unknown
	Host    string
	Port    int
	Alive   bool                   // registered and not fenced
	LogDirs []LogDir               // nil: could not be read
	Config  map[string]ConfigValue // nil: could not be read; only what ballast needs (throttle rates)
}

// LogDir is one of a broker's log directories.
type LogDir struct {
	Path    string
	Total   Size // of the volume, in bytes
	Usable  Size // free on the volume for Kafka, in bytes
	Offline bool // the broker reports a storage error for it
}

// Topic is a topic with all its partitions.
type Topic struct {
	Name       string
	Internal   bool
	Partitions []Partition            // by id; ids are 0 to n-1
	Config     map[string]ConfigValue // nil: could not be read
}

// Partition is one partition, as the cluster's metadata shows it.
type Partition struct {
	ID       int32
	Replicas []BrokerID // in order, the first is the preferred leader; while a move is in flight with the adding and removing ones
	ISR      []BrokerID
	Leader   BrokerID   // NoLeader where there is none
	Adding   []BrokerID // of a move in flight
	Removing []BrokerID // of a move in flight
	Offline  []BrokerID // replicas on a dead broker or an offline log dir, where the cluster says so
	ELR      []BrokerID // eligible leader replicas (KIP-966)
	Size     Size       // of one replica, the leader's, in bytes
}

// Size is a number of bytes that may be unknown. The zero value is unknown.
type Size struct {
	Bytes int64
	Known bool
}

// KnownSize is a size of n bytes.
func KnownSize(n int64) Size { return Size{Bytes: n, Known: true} }

// ConfigSource is where a config value comes from.
type ConfigSource string

// The sources of a config value, from the most to the least specific.
const (
	SourceTopic   ConfigSource = "topic"   // DYNAMIC_TOPIC_CONFIG: an override
	SourceBroker  ConfigSource = "broker"  // DYNAMIC_BROKER_CONFIG
	SourceCluster ConfigSource = "cluster" // DYNAMIC_DEFAULT_BROKER_CONFIG
	SourceStatic  ConfigSource = "static"  // STATIC_BROKER_CONFIG, server.properties
	SourceDefault ConfigSource = "default" // DEFAULT_CONFIG
)

// ConfigValue is a config's effective value and where it comes from.
type ConfigValue struct {
	Value  string
	Source ConfigSource
}

// Target returns the replicas of the partition once its move in flight, if
// any, has ended: Replicas without Removing, in order (KIP-455).
func (p *Partition) Target() []BrokerID {
	if len(p.Removing) == 0 {
		return p.Replicas
	}
	out := make([]BrokerID, 0, len(p.Replicas))
	for _, b := range p.Replicas {
		if !Contains(p.Removing, b) {
			out = append(out, b)
		}
	}
	return out
}

// InFlight says whether a reassignment of the partition is under way.
func (p *Partition) InFlight() bool { return len(p.Adding) > 0 || len(p.Removing) > 0 }

// Contains says whether list holds b.
func Contains(list []BrokerID, b BrokerID) bool {
	for _, x := range list {
		if x == b {
			return true
		}
	}
	return false
}

// SameSet says whether two lists hold the same brokers, in whatever order;
// neither names a broker twice.
func SameSet(a, b []BrokerID) bool {
	if len(a) != len(b) {
		return false
	}
	for _, x := range a {
		if !Contains(b, x) {
			return false
		}
	}
	return true
}

// Broker returns the broker with that id, or nil.
func (s *Snapshot) Broker(id BrokerID) *Broker {
	for i := range s.Brokers {
		if s.Brokers[i].ID == id {
			return &s.Brokers[i]
		}
	}
	return nil
}

// Topic returns the topic with that name, or nil. Topics must be sorted.
func (s *Snapshot) Topic(name string) *Topic {
	lo, hi := 0, len(s.Topics)
	for lo < hi {
		mid := (lo + hi) / 2
		if s.Topics[mid].Name < name {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(s.Topics) && s.Topics[lo].Name == name {
		return &s.Topics[lo]
	}
	return nil
}
