package planner_test

import (
	"fmt"
	"strings"
	"testing"

	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

// cluster is a snapshot of n live brokers, 1 to n, over racks a, b, c (0 racks: none).
func cluster(n, racks int, topics ...state.Topic) *state.Snapshot {
	s := &state.Snapshot{ClusterID: "lab", Topics: topics}
	for i := range n {
		b := state.Broker{ID: state.BrokerID(i + 1), Alive: true}
		if racks > 0 {
			b.Rack = string(rune('a' + i%racks))
		}
		s.Brokers = append(s.Brokers, b)
	}
	return s
}

// topic has a partition for each list, in sync, led by its first, of 100 bytes.
func topic(name string, lists ...[]state.BrokerID) state.Topic {
	t := state.Topic{Name: name, Config: map[string]state.ConfigValue{
		"min.insync.replicas": {Value: "1", Source: state.SourceDefault},
		"retention.ms":        {Value: "604800000", Source: state.SourceDefault},
		"cleanup.policy":      {Value: "delete", Source: state.SourceDefault},
	}}
	for i, l := range lists {
		t.Partitions = append(t.Partitions, state.Partition{ID: int32(i), Replicas: l, ISR: l, Leader: l[0], Size: state.KnownSize(100)})
	}
	return t
}

func on(ids ...state.BrokerID) []state.BrokerID { return ids }

// with sets overrides: key, value, key, value.
func with(t state.Topic, pairs ...string) state.Topic {
	for i := 0; i < len(pairs); i += 2 {
		t.Config[pairs[i]] = state.ConfigValue{Value: pairs[i+1], Source: state.SourceTopic}
	}
	return t
}

// want declares a topic.
func want(name string, partitions, rf int, pairs ...string) config.Topic {
	t := config.Topic{Name: name, Partitions: partitions, ReplicationFactor: rf, Config: map[string]string{},
		Source: config.Source{File: "main.hcl", Line: 5},
		Lines:  map[string]config.Source{"partitions": {File: "main.hcl", Line: 6}, "replication_factor": {File: "main.hcl", Line: 7}}}
	for i := 0; i < len(pairs); i += 2 {
		t.Config[pairs[i]] = pairs[i+1]
	}
	return t
}

func desired(topics ...config.Topic) *config.Desired {
	return &config.Desired{Apply: config.DefaultApply(), Topics: topics, Files: []string{"main.hcl"}}
}

func drain(d *config.Desired, ids ...state.BrokerID) *config.Desired {
	for _, id := range ids {
		d.Brokers = append(d.Brokers, config.Broker{ID: id, Drain: true, Weight: 1, Source: config.Source{File: "main.hcl", Line: 1}})
	}
	return d
}

func planOf(d *config.Desired, s *state.Snapshot) *planner.Plan {
	return planner.Make(d, s, planner.Options{Tool: "ballast test", SnapshotFile: "snapshot.json"})
}

// diagnostic returns the first diagnostic with a code, and fails without one.
func diagnostic(t *testing.T, p *planner.Plan, code string) config.Diagnostic {
	t.Helper()
	for _, d := range p.Diagnostics {
		if d.Code == code {
			return d
		}
	}
	t.Fatalf("no diagnostic %q among %v", code, codes(p))
	return config.Diagnostic{}
}

func codes(p *planner.Plan) []string {
	out := []string{}
	for _, d := range p.Diagnostics {
		out = append(out, fmt.Sprintf("%s: %s (%s)", d.Code, d.Summary, d.Detail))
	}
	return out
}

func noErrors(t *testing.T, p *planner.Plan) {
	t.Helper()
	if p.Errored {
		t.Fatalf("errored: %v", codes(p))
	}
}

func change(t *testing.T, p *planner.Plan, name string) planner.Change {
	t.Helper()
	for _, c := range p.Changes {
		if c.Topic == name {
			return c
		}
	}
	t.Fatalf("topic %s does not change; diagnostics: %v", name, codes(p))
	return planner.Change{}
}

func unchanged(t *testing.T, p *planner.Plan, name string) {
	t.Helper()
	for _, c := range p.Changes {
		if c.Topic == name {
			t.Fatalf("topic %s changes: %+v", name, c)
		}
	}
}

func riskCodes(c planner.Change) string {
	var out []string
	for _, r := range c.Risks {
		out = append(out, r.Code)
	}
	return strings.Join(out, " ")
}

// kinds is the plan's steps in short: "create_topic(a) reassign(b)".
func kinds(p *planner.Plan) string {
	var out []string
	for _, s := range p.Steps {
		keys := []string{s.Topic}
		for _, c := range s.Config {
			if s.Kind == planner.SetConfig {
				keys = append(keys, c.Name)
			}
		}
		out = append(out, fmt.Sprintf("%s(%s)", s.Kind, strings.Join(keys, " ")))
	}
	return strings.Join(out, " ")
}

func show(v *string) string {
	if v == nil {
		return "null"
	}
	return *v
}
