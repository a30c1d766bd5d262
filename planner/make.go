package planner

import (
	"fmt"
	"sort"
	"time"

	"ballast/config"
	"ballast/planner/placement"
	"ballast/state"
)

// Make returns the plan that leads from a snapshot to a configuration, proved:
// its steps were replayed, nothing was left to do after them, and no state on
// the way was unsafe. It is pure, and the same whatever the order of its input.
// There is always a plan; where something failed it is errored, complete for
// all that could be planned, and its diagnostics say why.
func Make(d *config.Desired, s *state.Snapshot, o Options) *Plan {
	m := prepare(d, s, o)
	if m.usable() {
		m.work()
		m.prove()
		m.policies()
	}
	return m.finish()
}

// maker is one plan being made.
type maker struct {
	d        *config.Desired
	s        *state.Snapshot
	o        Options
	plan     *Plan
	diags    []config.Diagnostic
	net      *network
	inherits *inheritance
	subjects []*subject // by name
	byName   map[string]*subject
	solution *placement.Solution
	batches  []batch
	waiting  map[state.BrokerID][]string // partitions that wait for a dead broker's rack, by broker
	keys     map[string]bool             // see brokersKeys
	refused  map[refusedKey]bool         // see checkKeys

	questions map[string]*question // see maker.question
}

// prepare indexes what a plan is made from.
func prepare(d *config.Desired, s *state.Snapshot, o Options) *maker {
	o.Targets = append([]string(nil), o.Targets...)
	sort.Strings(o.Targets)
	m := &maker{d: d, s: sorted(s), o: o, plan: empty(o)}
	m.plan.Apply = SettingsOf(config.DefaultApply())
	m.plan.Cluster = Cluster{ID: s.ClusterID, TakenAt: s.TakenAt.UTC().Format(time.RFC3339Nano)}
	if d == nil {
		return m
	}
	m.plan.Cluster.Name = d.Cluster.Name
	m.plan.Config = ConfigRef{Digest: d.Digest, Files: append([]string{}, d.Files...)}
	m.plan.Apply = SettingsOf(d.Apply)
	m.net = newNetwork(d, m.s)
	m.inherits = newInheritance(m.s)
	return m
}

// usable says whether there is anything that a plan can be made from.
func (m *maker) usable() bool {
	if m.d == nil {
		return false
	}
	if why := malformed(m.s); why != "" {
		m.fail("snapshot_malformed", "", config.Source{}, "The snapshot does not describe a cluster", why+" Take the snapshot again.")
		return false
	}
	if len(m.net.ids) > 32000 {
		m.fail("too_many_brokers", "", config.Source{}, "There are more brokers than ballast can place on",
			fmt.Sprintf("The snapshot has %d brokers; at most 32000 can be planned for.", len(m.net.ids)))
		return false
	}
	want := m.d.Cluster.ClusterID
	if want != "" && want != m.s.ClusterID {
		m.fail("cluster_id_mismatch", "", m.d.Cluster.Source, "This is another cluster",
			fmt.Sprintf("The configuration is for cluster %q, the cluster read is %q. Nothing is planned.", want, m.s.ClusterID))
		return false
	}
	return true
}

// work makes all of the plan but the proof.
func (m *maker) work() {
	m.classify()
	m.checkDeclared()
	m.checkAbsent()
	m.solve()
	m.diff()
	m.warnings()
	m.makeSteps()
	m.warnGates()
	m.tables()
	m.warnBytes()
}

// finish collects the diagnostics and gives the plan its digest.
func (m *maker) finish() *Plan {
	for _, d := range m.o.ConfigDiagnostics {
		if (d.Topic == "" || m.targeted(d.Topic)) && !m.knownBetter(&d) {
			m.plan.Diagnostics = append(m.plan.Diagnostics, d)
		}
	}
	sort.SliceStable(m.diags, func(i, j int) bool { return before(&m.diags[i], &m.diags[j]) })
	m.plan.Diagnostics = append(m.plan.Diagnostics, m.diags...)
	m.plan.Errored = m.d == nil || config.HasErrors(m.plan.Diagnostics)
	return seal(m.plan)
}

func before(a, b *config.Diagnostic) bool {
	switch {
	case a.File != b.File:
		return a.File < b.File
	case a.Line != b.Line:
		return a.Line < b.Line
	case a.Topic != b.Topic:
		return a.Topic < b.Topic
	}
	return a.Code < b.Code
}

// fail reports an error, warn a warning.
func (m *maker) fail(code, topic string, at config.Source, summary, detail string) {
	m.report(config.SeverityError, code, topic, at, summary, detail)
}

func (m *maker) warn(code, topic string, at config.Source, summary, detail string) {
	m.report(config.SeverityWarning, code, topic, at, summary, detail)
}

func (m *maker) report(sev config.Severity, code, topic string, at config.Source, summary, detail string) {
	m.diags = append(m.diags, config.Diagnostic{
		Severity: sev, Code: code, Topic: topic, File: at.File, Line: at.Line, Summary: summary, Detail: detail,
	})
}
