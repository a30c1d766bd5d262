package config

import (
	"sort"

	"ballast/state"
)

// Desired is a configuration, evaluated: what the cluster should be. It is
// plain data, sorted, with the defaults merged in.
type Desired struct {
	Cluster   Cluster
	Apply     Apply
	Journal   Journal
	Brokers   []Broker      // by id
	Classes   []BrokerClass // by name
	Topics    []Topic       // by name
	Absent    []AbsentTopic // by name
	Unmanaged Unmanaged
	Policies  []Policy // by name; whoever makes a plan evaluates them
	Builtin   BuiltinPolicies
	Defaults  Topic    // the defaults block as a topic without a name; what `unmanaged { replicas = "place" }` goes by
	Broken    []string // topics that are declared with errors: not planned, not unmanaged
	Files     []string // base names, sorted
	Digest    string   // "sha256:…" over the files' names and contents, and the variables
}

// Source is a place in a configuration. The zero Source is nowhere.
type Source struct {
	File string
	Line int // from 1
}

// Cluster is where the cluster is. A configuration for offline use may have none.
type Cluster struct {
	Name      string   // the block's label
	Bootstrap []string // host:port
	ClusterID string   // "": any
	TLS       *TLS     // nil: connections are not encrypted
	SASL      *SASL    // nil: connections are not authenticated
	Broken    bool     // the block has errors: nobody may connect by it
	Source    Source
}

// Broker is what is declared of one broker.
type Broker struct {
	ID     state.BrokerID
	Drain  bool   // nothing may stay on it
	Rack   string // for when it is down and metadata forgot; "" where not declared
	Weight int    // 1 is an even share; only relative size counts
	Source Source
}

// BrokerClass is a named set of brokers: by id, or all in some racks.
type BrokerClass struct {
	Name    string
	Brokers []state.BrokerID
	Racks   []string
	Source  Source
}

// Topic is a declared topic, with the defaults merged in.
type Topic struct {
	Name              string
	Partitions        int // 0: not declared, the live value stays
	ReplicationFactor int // 0: not declared, the live value stays
	Keyed             bool
	// Config has every declared override as Kafka's own text, min_insync_replicas
	// among them as "min.insync.replicas".
	Config       map[string]string
	IgnoreConfig []string // globs of keys that somebody else owns
	Replicas     Replicas
	Leaders      Leaders
	Source       Source // of the block
	// Lines has the place of each attribute that was declared, here or in
	// defaults: "partitions", "replication_factor", "config.retention.ms"
	// ("config.min.insync.replicas" for min_insync_replicas too),
	// "replicas.racks", "leaders.balance", …
	Lines map[string]Source
}

// At returns where an attribute is declared, or else where the block begins.
func (t *Topic) At(attribute string) Source {
	if s, ok := t.Lines[attribute]; ok {
		return s
	}
	return t.Source
}

// RackSpread is how a partition's replicas are spread over racks.
type RackSpread string

// The rack spreads. SpreadDefault is even where every live broker has a rack
// and none where none has.
const (
	SpreadDefault  RackSpread = ""
	SpreadEven     RackSpread = "even"     // each eligible rack holds floor or ceil of RF/racks
	SpreadDistinct RackSpread = "distinct" // at most one a rack
	SpreadNone     RackSpread = "none"
)

// Balance says what is evened out.
type Balance string

// The balances. The zero value is keep.
const (
	BalanceKeep    Balance = "keep"
	BalanceTopic   Balance = "topic"
	BalanceCluster Balance = "cluster"
)

// BalanceBy chooses among the plans with fewest copies.
type BalanceBy string

// The ways to choose. The zero value is count.
const (
	ByCount BalanceBy = "count" // fewest bytes copied
	ByBytes BalanceBy = "bytes" // bytes per broker most even
)

// Replicas are a topic's placement rules.
type Replicas struct {
	Racks      []string         // nil: all
	Brokers    []state.BrokerID // nil: all
	Class      string           // "": all
	RackSpread RackSpread
	PerRack    map[string]int             // nil: no exact numbers; a rack that is missing gets 0
	Pin        map[int32][]state.BrokerID // by partition, the first is the preferred leader
	Balance    Balance
	BalanceBy  BalanceBy
}

// Leaders are a topic's leader preferences.
type Leaders struct {
	Racks    []string         // in order of preference
	Brokers  []state.BrokerID // in order of preference
	Required bool             // copy replicas to make it so
	Balance  Balance
}

// AbsentTopic is a topic that shall not exist.
type AbsentTopic struct {
	Name        string
	MaxBytes    int64 // never delete it when it holds more
	AllowRemote bool  // delete it even where part of it is in tiered storage
	Source      Source
}

// UnmanagedReplicas says what happens to topics that nobody declared.
type UnmanagedReplicas string

// What happens to topics that nobody declared. The zero value is keep.
const (
	UnmanagedKeep  UnmanagedReplicas = "keep"
	UnmanagedDrain UnmanagedReplicas = "drain" // off draining brokers, nothing else
	UnmanagedPlace UnmanagedReplicas = "place" // by the defaults block
)

// Unmanaged is the block for topics that nobody declared.
type Unmanaged struct {
	Replicas UnmanagedReplicas
	Exclude  []string // globs of topic names; always wins
	Source   Source
}

// Topic returns the declared topic with that name, or nil.
func (d *Desired) Topic(name string) *Topic {
	i := sort.Search(len(d.Topics), func(i int) bool { return d.Topics[i].Name >= name })
	if i == len(d.Topics) || d.Topics[i].Name != name {
		return nil
	}
	return &d.Topics[i]
}
