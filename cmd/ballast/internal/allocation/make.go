package allocation

import (
	"fmt"

	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

// Request asks for a comparison.
type Request struct {
	Tool     string
	Desired  *config.Desired // for brokers, classes and defaults; its topics are fixed load
	Snapshot *state.Snapshot
	// Topic has the name, the partitions in all, the rules, and for a topic that is
	// not there the replication factor.
	Topic     config.Topic
	Allocator Allocator
	Start     *int  // of classic; nil: 0, or the index of partition 0's preferred leader
	Shift     *int  // of classic; nil: as Start
	Seed      int64 // of striped
	Draws     int   // how often Kafka's numbers are drawn anew
}

// maker is one comparison being made.
type maker struct {
	Request
	doc      *Document
	live     *state.Topic // nil: it is not there
	rf       int
	eligible map[state.BrokerID]planner.EligibleBroker
	kafka    [][]state.BrokerID
	changes  []planner.Assignment // ballast's
}

// Make compares Kafka's placement with ballast's. Where one side gives none, the
// document says why and has the other.
func Make(r Request) *Document {
	m := &maker{Request: r, live: r.Snapshot.Topic(r.Topic.Name), rf: r.Topic.ReplicationFactor}
	m.doc = &Document{
		Format: Format, Version: Version, Tool: r.Tool, ClusterID: r.Snapshot.ClusterID, Topic: r.Topic.Name,
		InAll: r.Topic.Partitions, Allocator: r.Allocator,
		Rows: []Row{}, Brokers: []Broker{}, Notes: []string{}, Diagnostics: []config.Diagnostic{},
	}
	if m.live != nil {
		m.doc.Existing, m.rf = len(m.live.Partitions), len(m.live.Partitions[0].Replicas)
	}
	m.doc.RF = m.rf
	plan := m.plan()
	m.settle(plan)
	m.place()
	m.rows()
	m.loads()
	m.figures()
	m.notes()
	return m.doc
}

// plan has ballast place the topic: a real plan with this one declaration.
func (m *maker) plan() *planner.Plan {
	d := *m.Desired
	t := m.Topic
	if t.Config = map[string]string{}; m.live == nil {
		t.Config["min.insync.replicas"] = "1" // none of the placement's business
	} else {
		t.ReplicationFactor, t.IgnoreConfig = 0, []string{"*"}
	}
	d.Topics, d.Absent, d.Policies, d.Broken, d.Unmanaged = []config.Topic{t}, nil, nil, nil, config.Unmanaged{}
	m.eligible = map[state.BrokerID]planner.EligibleBroker{}
	for _, b := range planner.Eligible(&d, m.Snapshot, &t) {
		m.eligible[b.ID] = b
	}
	p := planner.Make(&d, m.Snapshot, planner.Options{Tool: m.Tool})
	for _, diag := range p.Diagnostics {
		if diag.Severity == config.SeverityError {
			m.doc.Diagnostics = append(m.doc.Diagnostics, diag)
		}
	}
	return p
}

// settle takes over the plan's lists and the brokers with their racks, which may
// be declared.
func (m *maker) settle(p *planner.Plan) {
	for i := range p.Changes {
		if len(m.doc.Diagnostics) == 0 && p.Changes[i].Topic == m.Topic.Name {
			m.changes = p.Changes[i].Assignments
		}
	}
	declared := map[state.BrokerID]config.Broker{}
	for _, b := range m.Desired.Brokers {
		declared[b.ID] = b
	}
	for _, b := range m.Snapshot.Brokers {
		is := declared[b.ID]
		e, eligible := m.eligible[b.ID]
		at := Broker{ID: b.ID, Rack: b.Rack, Alive: b.Alive, Drain: is.Drain, Weight: max(1, is.Weight), Eligible: eligible}
		if at.Rack == "" {
			at.Rack = is.Rack
		}
		if eligible {
			at.Rack, at.Weight = e.Rack, e.Weight
		}
		m.doc.Brokers = append(m.doc.Brokers, at)
	}
}

// rows puts the two lists of each partition side by side.
func (m *maker) rows() {
	lists := map[int32][]state.BrokerID{}
	for _, a := range m.changes {
		if len(a.Before) == 0 {
			lists[a.Partition] = a.After
		}
	}
	for p := m.doc.Existing; p < m.doc.InAll; p++ {
		row := Row{Partition: int32(p), Kafka: []state.BrokerID{}, Ballast: []state.BrokerID{}}
		if i := p - m.doc.Existing; i < len(m.kafka) {
			row.Kafka = m.kafka[i]
		}
		if list := lists[int32(p)]; list != nil {
			row.Ballast = list
		}
		m.doc.Rows = append(m.doc.Rows, row)
	}
	if len(lists) == 0 && len(m.doc.Diagnostics) == 0 {
		m.doc.Diagnostics = append(m.doc.Diagnostics, config.Diagnostic{
			Severity: config.SeverityError, Code: "not_planned", Topic: m.Topic.Name,
			Summary: fmt.Sprintf("ballast does not plan topic %q", m.Topic.Name),
			Detail:  "It is the journal's own topic, or one that no plan touches.",
		})
	}
}
