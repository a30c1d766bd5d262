package planner

import (
	"ballast/config"
	"ballast/state"
)

// Plan is the plan document: what `-out` and `-json` write, and the only thing
// that views and apply read.
type Plan struct {
	Format      string              `json:"format"`  // "ballast-plan"
	Version     int                 `json:"version"` // 1
	Tool        string              `json:"tool"`    // "ballast 0.1.0"
	Digest      string              `json:"digest"`  // over what apply would do, see digest.go
	Errored     bool                `json:"errored"`
	Cluster     Cluster             `json:"cluster"`
	Config      ConfigRef           `json:"config"`
	Summary     Summary             `json:"summary"`
	Optimality  Optimality          `json:"optimality"`
	Changes     []Change            `json:"changes"`
	InFlight    []InFlight          `json:"in_flight"`
	Brokers     []Broker            `json:"brokers"`
	Targets     []string            `json:"targets,omitempty"` // of a partial plan: "topic.NAME"
	Steps       []Step              `json:"steps"`
	Estimate    Estimate            `json:"estimate"`
	Apply       Settings            `json:"apply"`
	Diagnostics []config.Diagnostic `json:"diagnostics"`
	Bound       Bound               `json:"bound"`    // what the plan read, for staleness
	Checksum    string              `json:"checksum"` // over the whole document, see codec.go
}

// Cluster is the cluster that the plan was made from.
type Cluster struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	TakenAt string `json:"taken_at"` // RFC 3339, of the snapshot
}

// ConfigRef is the configuration that the plan was made from.
type ConfigRef struct {
	Digest string   `json:"digest"`
	Files  []string `json:"files"`
}

// Summary counts the changes.
type Summary struct {
	TopicsCreate    int   `json:"topics_create"`
	TopicsUpdate    int   `json:"topics_update"`
	TopicsDelete    int   `json:"topics_delete"`
	TopicsUnchanged int   `json:"topics_unchanged"`
	TopicsUnmanaged int   `json:"topics_unmanaged"`
	PartitionsAdded int   `json:"partitions_added"` // of existing topics
	ReplicasAdded   int   `json:"replicas_added"`   // copies, of existing partitions
	ReplicasRemoved int   `json:"replicas_removed"` // of existing partitions of topics that stay
	LeadersMoved    int   `json:"leaders_moved"`    // of existing partitions
	ConfigsChanged  int   `json:"configs_changed"`  // keys of existing topics
	BytesToCopy     int64 `json:"bytes_to_copy"`
}

// Optimality has what is planned beside the least that any plan needs.
type Optimality struct {
	ReplicaCopies Against `json:"replica_copies"`
	LeaderMoves   Against `json:"leader_moves"`
}

// Against is a planned number and a lower bound of it.
type Against struct {
	Planned    int `json:"planned"`
	LowerBound int `json:"lower_bound"`
}

// Action is what happens to a topic.
type Action string

// The actions.
const (
	Create Action = "create"
	Update Action = "update"
	Delete Action = "delete"
)

// Change is all that changes of one topic.
type Change struct {
	Topic             string         `json:"topic"`
	Action            Action         `json:"action"`
	Source            *Source        `json:"source,omitempty"`
	Partitions        *BeforeAfter   `json:"partitions,omitempty"`
	ReplicationFactor *BeforeAfter   `json:"replication_factor,omitempty"`
	Config            []ConfigChange `json:"config,omitempty"`
	Assignments       []Assignment   `json:"assignments,omitempty"`
	Risks             []Risk         `json:"risks,omitempty"`
}

// Source is a place in the configuration.
type Source struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// BeforeAfter is a count that changes.
type BeforeAfter struct {
	Before int `json:"before"`
	After  int `json:"after"`
}

// ConfigChange is one override that changes. A reset key has the inherited
// value and its source as After, or nil and "default" where that is unknown.
type ConfigChange struct {
	Name         string             `json:"name"`
	Before       *string            `json:"before"`
	BeforeSource state.ConfigSource `json:"before_source,omitempty"`
	After        *string            `json:"after"`
	AfterSource  state.ConfigSource `json:"after_source,omitempty"`
	Pins         bool               `json:"pins,omitempty"` // the value is the inherited one: the override pins it
}

// Reason says why an assignment changes.
type Reason string

// The reasons.
const (
	ReasonNew               Reason = "new"
	ReasonReplicationFactor Reason = "replication_factor"
	ReasonRack              Reason = "rack"
	ReasonBrokerSet         Reason = "broker_set"
	ReasonDrain             Reason = "drain"
	ReasonBalance           Reason = "balance"
	ReasonLeader            Reason = "leader"
	ReasonPin               Reason = "pin"
	ReasonInFlight          Reason = "in_flight" // a move has to end before this one
)

// Assignment is one partition that changes. Before is empty for a new one; for
// one in flight it is the list that it is moving to.
type Assignment struct {
	Partition    int32            `json:"partition"`
	Before       []state.BrokerID `json:"before"`
	After        []state.BrokerID `json:"after"`
	LeaderBefore state.BrokerID   `json:"leader_before"` // the live leader, -1 where there is none or the partition is new
	LeaderAfter  state.BrokerID   `json:"leader_after"`  // the first of After that is alive
	Bytes        *int64           `json:"bytes,omitempty"`
	Reasons      []Reason         `json:"reasons"`
}

// Risk is something a reviewer should know of a change.
type Risk struct {
	Code     string          `json:"code"`
	Severity config.Severity `json:"severity"`
	Message  string          `json:"message"`
}

// InFlight is a reassignment that already runs.
type InFlight struct {
	Topic     string           `json:"topic"`
	Partition int32            `json:"partition"`
	Target    []state.BrokerID `json:"target"`
	Adding    []state.BrokerID `json:"adding"`
	Removing  []state.BrokerID `json:"removing,omitempty"`
	Ours      bool             `json:"ours"`
	Wanted    bool             `json:"wanted,omitempty"` // it leads to what the plan wants: apply waits for it and submits nothing
}

// Broker is a broker's load before, at the worst moment, and after.
type Broker struct {
	ID       state.BrokerID `json:"id"`
	Rack     string         `json:"rack,omitempty"`
	Before   Load           `json:"before"`
	Peak     Load           `json:"peak"`
	After    Load           `json:"after"`
	BytesIn  int64          `json:"bytes_in"`
	BytesOut int64          `json:"bytes_out"`
}

// Load is what a broker holds; bytes of known sizes only.
type Load struct {
	Replicas int   `json:"replicas"`
	Leaders  int   `json:"leaders"` // preferred leaders
	Bytes    int64 `json:"bytes"`
}

// Kind is a kind of step.
type Kind string

// The kinds of steps.
const (
	CreateTopic   Kind = "create_topic"
	SetConfig     Kind = "set_config"
	AddPartitions Kind = "add_partitions"
	Reassign      Kind = "reassign"
	ElectLeaders  Kind = "elect_leaders"
	DeleteTopic   Kind = "delete_topic"
)

// Step is one thing that apply does; steps are carried out in their order.
type Step struct {
	ID     int          `json:"id"` // from 1
	Kind   Kind         `json:"kind"`
	Topic  string       `json:"topic,omitempty"` // "" where it concerns several: see Moves
	Config []StepConfig `json:"config,omitempty"`
	// Moves are the partitions concerned: new ones (Before empty) of create_topic
	// and add_partitions, changed ones of reassign, and for elect_leaders those
	// whose preferred leader is elected (Before and After are the same list). A
	// reassign step whose lists are the same on both sides waits for moves that are
	// in flight already.
	Moves    []Move `json:"moves,omitempty"`
	Throttle int64  `json:"throttle_bytes_per_second,omitempty"`
	Bytes    int64  `json:"bytes,omitempty"`
	Seconds  int64  `json:"seconds,omitempty"`
	MaxBytes *int64 `json:"max_bytes,omitempty"` // of delete_topic: the gate
	// AllowRemote of delete_topic: also where part of it is in tiered storage.
	AllowRemote bool `json:"allow_remote,omitempty"`
}

// StepConfig is an override that a step sets, or deletes where After is nil.
type StepConfig struct {
	Name   string  `json:"name"`
	Before *string `json:"before"` // the override before; nil where there was none
	After  *string `json:"after"`
}

// Move is one partition's list before and after.
type Move struct {
	Topic     string           `json:"topic"`
	Partition int32            `json:"partition"`
	Before    []state.BrokerID `json:"before"`
	After     []state.BrokerID `json:"after"`
}

// Estimate is how long apply takes at the planned throttle. Where sizes are not
// known, Bytes and Seconds leave those partitions out: they are the least.
type Estimate struct {
	Bytes            int64           `json:"bytes"`
	Seconds          int64           `json:"seconds"`
	BottleneckBroker *state.BrokerID `json:"bottleneck_broker,omitempty"`
	UnknownSizes     int             `json:"unknown_sizes,omitempty"` // partitions that are copied and whose sizes are not known
}

// Settings is the apply block as it was decided; durations in seconds.
type Settings struct {
	Throttle             int64   `json:"throttle_bytes_per_second"` // 0: none
	ThrottleNetwork      int64   `json:"throttle_network_bytes_per_second,omitempty"`
	ThrottleStartPercent int     `json:"throttle_start_percent,omitempty"`
	ThrottleMaxPercent   int     `json:"throttle_max_percent,omitempty"`
	ThrottleSide         string  `json:"throttle_side"`
	MaxMovesPerBroker    int     `json:"max_moves_per_broker"`
	MaxBatchPartitions   int     `json:"max_batch_partitions"`
	MaxBatchBytes        int64   `json:"max_batch_bytes"`
	DiskHeadroom         float64 `json:"disk_headroom"`
	GateTimeout          float64 `json:"gate_timeout_seconds"`
	GateSettle           float64 `json:"gate_settle_seconds"`
	StallTimeout         float64 `json:"stall_timeout_seconds"`
	ElectionsCount       int     `json:"elections_count"`
	ElectionsEvery       float64 `json:"elections_every_seconds"`
	ReclaimFirst         bool    `json:"reclaim_first"`
	OnFailedGate         string  `json:"on_failed_gate"`
}

// Bound is what the plan is bound to and what changes do not show: the
// registered brokers with their racks, and the overrides of each topic that
// the plan touches as they were read: those that the plan answers for, without
// the throttled replicas' lists, vendors' keys and what Ignored leaves to others.
type Bound struct {
	Brokers   []BoundBroker                `json:"brokers"`
	Overrides map[string]map[string]string `json:"overrides"`         // topic -> key -> value; a topic whose configs were unreadable is missing
	Ignored   map[string][]string          `json:"ignored,omitempty"` // topic -> globs of keys that somebody else owns
}

// BoundBroker is a registered broker with its rack.
type BoundBroker struct {
	ID   state.BrokerID `json:"id"`
	Rack string         `json:"rack,omitempty"`
}
