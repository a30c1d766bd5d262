package drift

import (
	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

// The format and version of the document.
const (
	Format  = "ballast-drift"
	Version = 1
)

// Report is the drift document.
type Report struct {
	Format    string          `json:"format"`  // "ballast-drift"
	Version   int             `json:"version"` // 1
	Tool      string          `json:"tool"`
	Cluster   planner.Cluster `json:"cluster"`
	Drifted   bool            `json:"drifted"`
	Errored   bool            `json:"errored"`           // the plan has errors: what is listed may not be all
	Durable   []Item          `json:"durable"`           // stays until somebody acts
	Transient []Item          `json:"transient"`         // passes by itself, or with a broker's return
	Unmanaged int             `json:"topics_unmanaged"`  // nobody declared them
	Against   *Against        `json:"against,omitempty"` // the last known state
	Brokers   []Broker        `json:"brokers"`
	// Diagnostics are the errors, where Errored is set.
	Diagnostics []config.Diagnostic `json:"diagnostics,omitempty"`
}

// Against is the earlier state that a report was compared with.
type Against struct {
	File    string `json:"file"`
	TakenAt string `json:"taken_at"`
}

// Item is one thing that differs.
type Item struct {
	Kind   Kind   `json:"kind"`
	Topic  string `json:"topic,omitempty"`
	Name   string `json:"name,omitempty"` // of a config
	Count  int    `json:"count"`          // of partitions, where it is about some
	Detail string `json:"detail"`         // in words, from what to what
	// Origin says what has changed since the last known state: the cluster, the
	// declaration, or both. "" where there is nothing to compare with.
	Origin Origin `json:"origin,omitempty"`

	partitions []int32 // of Placement and Order
}

// Kind is a kind of drift.
type Kind string

// The kinds of drift. The last six are transient.
const (
	Missing           Kind = "missing"            // a declared topic is not there
	Present           Kind = "present"            // a topic that is declared absent is there
	Config            Kind = "config"             //
	Partitions        Kind = "partitions"         //
	ReplicationFactor Kind = "replication_factor" //
	Placement         Kind = "placement"          // replicas are on other brokers
	Order             Kind = "order"              // of replicas: the preferred leader is another
	Leader            Kind = "leader"             // another than the preferred one leads
	InFlight          Kind = "in_flight"          // a move runs
	UnderReplicated   Kind = "under_replicated"   //
	UnderMinISR       Kind = "under_min_isr"      //
	Offline           Kind = "offline"            // no leader
	DeadBroker        Kind = "dead_broker"        //
)

// Origin is what has changed.
type Origin string

// The origins of drift. The last two are for a comparison with a plan.
const (
	FromCluster     Origin = "cluster"
	FromDeclaration Origin = "declaration"
	FromBoth        Origin = "both"
	Pending         Origin = "pending" // as the plan found it: it was not applied here, or was undone
	Unknown         Origin = "unknown" // the declaration is another, and the plan does not say how this was
)

// Broker is a broker's load as it is.
type Broker struct {
	ID       state.BrokerID `json:"id"`
	Rack     string         `json:"rack,omitempty"`
	Alive    bool           `json:"alive"`
	Replicas int            `json:"replicas"`
	Leaders  int            `json:"leaders"`
	Bytes    int64          `json:"bytes"` // of known sizes only
}

// Make tells the drift that a plan shows of the snapshot it was made from. The
// snapshot is nil where nothing could be read: the report has the errors then.
func Make(tool string, p *planner.Plan, s *state.Snapshot) *Report {
	r := &Report{
		Format: Format, Version: Version, Tool: tool, Cluster: p.Cluster, Errored: p.Errored,
		Durable: []Item{}, Transient: []Item{}, Unmanaged: p.Summary.TopicsUnmanaged, Brokers: []Broker{},
	}
	for _, c := range p.Changes {
		r.Durable = append(r.Durable, durable(c)...)
	}
	for _, d := range p.Diagnostics {
		if d.Severity == config.SeverityError {
			r.Diagnostics = append(r.Diagnostics, d)
		}
	}
	if s != nil {
		r.Transient, r.Brokers = append(r.Transient, transient(s)...), loads(s)
	}
	r.Drifted = len(r.Durable) > 0
	return r
}

// loads counts each broker's replicas, leaders and bytes.
func loads(s *state.Snapshot) []Broker {
	out := make([]Broker, len(s.Brokers))
	at := map[state.BrokerID]*Broker{}
	for i, b := range s.Brokers {
		out[i] = Broker{ID: b.ID, Rack: b.Rack, Alive: b.Alive}
		at[b.ID] = &out[i]
	}
	for _, t := range s.Topics {
		for _, p := range t.Partitions {
			for _, id := range p.Replicas {
				if b := at[id]; b != nil {
					b.Replicas, b.Bytes = b.Replicas+1, b.Bytes+p.Size.Bytes
				}
			}
			if b := at[p.Leader]; b != nil {
				b.Leaders++
			}
		}
	}
	return out
}
