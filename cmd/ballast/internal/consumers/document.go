package consumers

import "ballast/state"

// The format and version of the document.
const (
	Format  = "ballast-consumers"
	Version = 1
)

// Document is the document. Lists are never null; what is not known is not there.
type Document struct {
	Format    string   `json:"format"`  // "ballast-consumers"
	Version   int      `json:"version"` // 1
	Tool      string   `json:"tool"`
	ClusterID string   `json:"cluster_id"`
	Plan      string   `json:"plan,omitempty"` // its digest; where there is none, all stays as it is
	Topics    []Topic  `json:"topics"`         // whose number of partitions the plan changes
	Groups    []Group  `json:"groups"`         // by name
	Unread    []Unread `json:"unread"`         // brokers whose groups are missing
}

// Topic is a topic whose number of partitions changes; 0 is one that is not there.
type Topic struct {
	Topic  string `json:"topic"`
	Before int    `json:"before"`
	After  int    `json:"after"`
}

// Group is a group as it is now, and as it is foreseen.
type Group struct {
	Group        string                 `json:"group"`
	Error        string                 `json:"error,omitempty"` // why it could not be read; there is nothing else then
	Type         state.GroupType        `json:"type,omitempty"`
	ProtocolType string                 `json:"protocol_type,omitempty"`
	State        string                 `json:"state,omitempty"`
	Assignor     string                 `json:"assignor,omitempty"`
	Now          *Spread                `json:"now,omitempty"`
	Members      []Member               `json:"members"`
	Unassigned   []state.TopicPartition `json:"unassigned"`     // of topics that members subscribe to, and that nobody has now
	Missing      []string               `json:"missing_topics"` // that members subscribe to, and that are not there now
	Forecasts    []Forecast             `json:"forecasts"`
	Notes        []string               `json:"notes"` // what to know of it, and why nothing is foreseen
}

// Member is a member of a group, as it is now.
type Member struct {
	ID         string                 `json:"id"`
	InstanceID string                 `json:"instance_id,omitempty"`
	ClientID   string                 `json:"client_id,omitempty"`
	Host       string                 `json:"host,omitempty"`
	Rack       string                 `json:"rack,omitempty"`
	Topics     []string               `json:"topics"`
	Pattern    string                 `json:"pattern,omitempty"`
	Assigned   []state.TopicPartition `json:"assigned"`
}

// Forecast is what members get from an assignor after the plan.
type Forecast struct {
	Assignor   string                 `json:"assignor"`
	Own        bool                   `json:"own"` // it is the group's own
	Rebalances int                    `json:"rebalances"`
	After      Spread                 `json:"after"`
	Moved      []state.TopicPartition `json:"moved"` // from one member to another
	Added      []state.TopicPartition `json:"added"` // that nobody has now
	Gone       []state.TopicPartition `json:"gone"`  // that nobody has then
	Members    []Change               `json:"members"`
}

// Change is what becomes of one member's partitions.
type Change struct {
	ID     string                 `json:"id"`
	Before []state.TopicPartition `json:"before"`
	After  []state.TopicPartition `json:"after"`
	Gained []state.TopicPartition `json:"gained"`
	Lost   []state.TopicPartition `json:"lost"`
}

// Spread is how evenly partitions are spread over members.
type Spread struct {
	Partitions int `json:"partitions"`
	Least      int `json:"least"` // that one member has
	Most       int `json:"most"`
	Idle       int `json:"idle"` // members that have none
}

// Unread is something of the cluster that could not be read, and why.
type Unread struct {
	What   string `json:"what"`
	Name   string `json:"name,omitempty"`
	Reason string `json:"reason"`
}
