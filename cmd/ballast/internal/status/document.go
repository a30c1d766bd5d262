package status

import (
	"time"

	"ballast/state"
)

// The format and version of the document.
const (
	Format  = "ballast-status"
	Version = 1
)

// Document is the status document. Lists are never null; what is not known is
// not there.
type Document struct {
	Format       string    `json:"format"`  // "ballast-status"
	Version      int       `json:"version"` // 1
	Tool         string    `json:"tool"`
	ClusterID    string    `json:"cluster_id"`
	TakenAt      time.Time `json:"taken_at"`
	Unfinished   bool      `json:"unfinished"`     // the journal speaks of an apply that has not ended
	Note         string    `json:"note,omitempty"` // why it stopped
	Journal      string    `json:"journal,omitempty"`
	JournalError string    `json:"journal_error,omitempty"` // nothing then counts as ours
	Holder       *Holder   `json:"holder,omitempty"`        // the run that is at work now

	Moves     []Move     `json:"moves"`
	Throttles []Throttle `json:"throttles"`

	Offline         []state.TopicPartition `json:"offline"`
	UnderMinISR     []state.TopicPartition `json:"under_min_isr"`
	AtMinISR        []state.TopicPartition `json:"at_min_isr"` // one failure from it
	UnderReplicated []state.TopicPartition `json:"under_replicated"`
	NotPreferredLed []state.TopicPartition `json:"not_preferred_led"`

	Brokers []Broker `json:"brokers"`
	Unread  []Unread `json:"unread"` // what could not be read
}

// Holder is the run that holds the journal's lock.
type Holder struct {
	Verb  string     `json:"verb,omitempty"`
	User  string     `json:"user,omitempty"`
	Host  string     `json:"host,omitempty"`
	PID   int        `json:"pid,omitempty"`
	Since *time.Time `json:"since,omitempty"`
}

// Move is a move in flight.
type Move struct {
	Topic     string           `json:"topic"`
	Partition int32            `json:"partition"`
	Target    []state.BrokerID `json:"target"`
	Adding    []state.BrokerID `json:"adding"`
	Removing  []state.BrokerID `json:"removing"`
	Ours      bool             `json:"ours"`
	Copies    []Copy           `json:"copies"`
}

// Copy is how far one added replica has come.
type Copy struct {
	Broker state.BrokerID `json:"broker"`
	Alive  bool           `json:"alive"`
	InSync bool           `json:"in_sync"`
	Bytes  *int64         `json:"bytes,omitempty"`
	Of     *int64         `json:"leader_bytes,omitempty"`
	Rate   *float64       `json:"bytes_per_second,omitempty"` // since the previous report
	Left   *float64       `json:"left_seconds,omitempty"`     // at that rate
}

// Throttle is a replication throttle that is set.
type Throttle struct {
	Resource state.ConfigResource `json:"resource"`
	Name     string               `json:"name"`
	Value    string               `json:"value"`
	Source   state.ConfigSource   `json:"source"`
	Ours     bool                 `json:"ours"`
	Prior    *string              `json:"prior,omitempty"` // of ours: what it is put back to
}

// Broker is a broker's load and its log dirs.
type Broker struct {
	ID       state.BrokerID `json:"id"`
	Rack     string         `json:"rack,omitempty"`
	Alive    bool           `json:"alive"`
	Replicas int            `json:"replicas"`
	Leaders  int            `json:"leaders"`
	Bytes    *int64         `json:"bytes,omitempty"` // on its log dirs
	LogDirs  []LogDir       `json:"log_dirs"`
}

// LogDir is a log dir, and its volume's sizes as far as the broker tells them.
type LogDir struct {
	Path        string `json:"path"`
	TotalBytes  *int64 `json:"total_bytes,omitempty"`
	UsableBytes *int64 `json:"usable_bytes,omitempty"`
	Offline     bool   `json:"offline"`
}

// Unread is something of the cluster that could not be read, and why.
type Unread struct {
	What   string `json:"what"`
	Name   string `json:"name,omitempty"`
	Reason string `json:"reason"`
}
