package planner

import (
	"sort"
	"strings"

	"ballast/config"
	"ballast/planner/placement"
	"ballast/state"
)

// role is what a plan may do with a topic.
type role int

const (
	left     role = iota // nobody declared it, or -target leaves it out: load that stays
	declared             // planned
	drained              // nobody declared it, and it leaves draining brokers
	placed               // nobody declared it, and it is placed by the defaults
	absent               // to be deleted
	broken               // declared with errors: load that stays
	journal              // what runs write their records to: not planned, and no load
)

// subject is a topic on its way through the planner.
type subject struct {
	name   string
	role   role
	live   *state.Topic        // nil where it does not exist
	want   *config.Topic       // of a declared or placed topic
	absent *config.AbsentTopic // of an absent one
	failed bool                // an error was reported: nothing is planned for it
	blame  []config.Diagnostic // the errors

	leftOut bool // by -target: without it, it would be planned or deleted

	problem *placement.Topic
	sol     *placement.TopicSolution
	bounds  map[int]bounds // by number of replicas, see rackBounds
	change  *Change
	work    *work
}

// planned says whether the topic may change.
func (t *subject) planned() bool {
	return !t.failed && (t.role == declared || t.role == drained || t.role == placed)
}

// classify gives every topic, live or declared, its role.
func (m *maker) classify() {
	m.byName = map[string]*subject{}
	for i := range m.s.Topics {
		t := &m.s.Topics[i]
		m.subject(t.Name).live = t
	}
	for i := range m.d.Topics {
		t := m.subject(m.d.Topics[i].Name)
		t.role, t.want = declared, &m.d.Topics[i]
	}
	for i := range m.d.Absent {
		t := m.subject(m.d.Absent[i].Name)
		t.role, t.absent = absent, &m.d.Absent[i]
	}
	for _, name := range m.d.Broken {
		m.subject(name).role = broken
	}
	sort.Slice(m.subjects, func(i, j int) bool { return m.subjects[i].name < m.subjects[j].name })
	if t := m.byName[m.d.Journal.Topic]; t != nil && m.d.Journal.Topic != "" {
		t.role = journal
	}
	m.classifyUnmanaged()
	m.target()
}

func (m *maker) subject(name string) *subject {
	t, ok := m.byName[name]
	if !ok {
		t = &subject{name: name}
		m.byName[name] = t
		m.subjects = append(m.subjects, t)
	}
	return t
}

// classifyUnmanaged applies the unmanaged block to topics that nobody declared.
func (m *maker) classifyUnmanaged() {
	for _, t := range m.subjects {
		if t.role != left || excluded(t.name, m.d.Unmanaged.Exclude) {
			continue
		}
		switch m.d.Unmanaged.Replicas {
		case config.UnmanagedDrain:
			t.role = drained
		case config.UnmanagedPlace:
			want := m.d.Defaults
			want.Name, want.Partitions, want.ReplicationFactor = t.name, 0, 0
			want.Replicas.Pin, want.Source = nil, m.d.Unmanaged.Source
			t.role, t.want = placed, &want
		}
	}
}

func excluded(name string, globs []string) bool {
	for _, g := range globs {
		if config.MatchGlob(g, name) {
			return true
		}
	}
	return false
}

// target leaves all topics alone that -target does not name. Each target has to
// name something that the configuration plans.
func (m *maker) target() {
	if len(m.o.Targets) == 0 {
		return
	}
	for _, target := range m.o.Targets {
		if !m.names(target) {
			m.fail("target_unknown", "", config.Source{}, "A target names nothing: "+quoted(target),
				"A target is topic.NAME with the Kafka name of a topic that the configuration declares; * stands for any characters.")
		}
	}
	for _, t := range m.subjects {
		if !m.targeted(t.name) && t.role != left && t.role != journal {
			t.role, t.leftOut = left, true
			if t.want != nil || t.absent != nil {
				t.role = broken // declared, and not planned this time
			}
		}
	}
	m.warnPartial()
}

// names says whether the target names any topic that is planned.
func (m *maker) names(target string) bool {
	glob, ok := strings.CutPrefix(target, "topic.")
	if !ok {
		return false
	}
	for _, t := range m.subjects {
		if t.role != left && t.role != journal && config.MatchGlob(glob, t.name) {
			return true
		}
	}
	return false
}

// targeted says whether the plan is about the topic.
func (m *maker) targeted(topic string) bool {
	if len(m.o.Targets) == 0 {
		return true
	}
	for _, target := range m.o.Targets {
		if glob, ok := strings.CutPrefix(target, "topic."); ok && config.MatchGlob(glob, topic) {
			return true
		}
	}
	return false
}
