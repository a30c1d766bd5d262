package planner

import (
	"fmt"
	"slices"

	"ballast/config"
	"ballast/state"
)

// policies evaluates every policy for every topic that the configuration
// declares or deletes, as the topic will be once the plan has been carried out,
// and those that look at the plan alone once.
// It runs on the finished plan and changes nothing of it but its diagnostics.
func (m *maker) policies() {
	j := &judge{d: m.d, net: m.net, inherits: m.inherits, plan: policyPlan(m.plan), told: map[string]bool{}}
	var topics []*judged
	for _, t := range m.subjects {
		if t.failed || t.role != declared && (t.role != absent || t.change == nil) {
			continue
		}
		topics = append(topics, j.topic(t.name, t.live, t.change))
	}
	var said []config.Diagnostic
	for _, t := range topics {
		said = append(said, j.evaluate(t)...)
	}
	m.diags = append(m.diags, fold(said)...)
	m.unusedPolicies()
	for _, p := range builtinPolicies {
		if p.on(&m.d.Builtin) {
			p.judge(m, topics)
		}
	}
}

// unusedPolicies warns of policies about topics that nobody declares: a rule
// that was to hold, and by a slip in its glob never does.
func (m *maker) unusedPolicies() {
	for i := range m.d.Policies {
		p := &m.d.Policies[i]
		declared := slices.ContainsFunc(m.d.Topics, func(t config.Topic) bool { return p.Applies(t.Name) })
		deleted := slices.ContainsFunc(m.d.Absent, func(t config.AbsentTopic) bool { return p.Applies(t.Name) })
		if declared || deleted || p.OfPlan || slices.Contains(p.Topics, "*") {
			continue
		}
		m.warn("policy_unused", "", p.Source, fmt.Sprintf("The policy %s is about no topic", quoted(p.Name)),
			fmt.Sprintf("Its topics are %s, and no declared topic is called so. Correct the glob, or take the policy out.", some(p.Topics)))
	}
}

// Judge evaluates the policies of a configuration for every topic that a plan
// changes on the cluster that the snapshot is of. It is for a plan that was
// made elsewhere, by another configuration perhaps: Make evaluates by itself.
func Judge(d *config.Desired, p *Plan, s *state.Snapshot) []config.Diagnostic {
	s = sorted(s)
	j := &judge{d: d, net: newNetwork(d, s), inherits: newInheritance(s), plan: policyPlan(p), told: map[string]bool{}}
	var out []config.Diagnostic
	for i := range p.Changes {
		c := &p.Changes[i]
		out = append(out, j.evaluate(j.topic(c.Topic, s.Topic(c.Topic), c))...)
	}
	return fold(out)
}

// judge is what policies are evaluated with.
type judge struct {
	d        *config.Desired
	net      *network
	inherits *inheritance
	plan     config.PolicyPlan
	told     map[string]bool // policies of the plan that have been evaluated
}

// judged is a topic before policies: what it is, and what changes.
type judged struct {
	j      *judge
	name   string
	live   *state.Topic // nil where it does not exist yet
	change *Change      // nil where nothing changes
	lists  map[int32][]state.BrokerID
	factor int // the most replicas that any partition will have
}

// topic gathers what a topic will be: the lists that it has, under those that
// the change gives it.
func (j *judge) topic(name string, live *state.Topic, change *Change) *judged {
	t := &judged{j: j, name: name, live: live, change: change, lists: map[int32][]state.BrokerID{}}
	for i := range orEmpty(live).Partitions {
		p := &live.Partitions[i]
		t.lists[p.ID] = p.Target()
	}
	if change != nil {
		for i := range change.Assignments {
			t.lists[change.Assignments[i].Partition] = change.Assignments[i].After
		}
	}
	for _, list := range t.lists {
		t.factor = max(t.factor, len(list))
	}
	return t
}

// evaluate returns what the policies have to say of a topic.
func (j *judge) evaluate(t *judged) []config.Diagnostic {
	var in *config.PolicyInput
	var out []config.Diagnostic
	for i := range j.d.Policies {
		p := &j.d.Policies[i]
		if !p.Applies(t.name) || j.told[p.Name] {
			continue
		}
		j.told[p.Name] = p.OfPlan
		if in == nil {
			in = &config.PolicyInput{Topic: t.input(), Change: policyChange(t.change), Plan: j.plan}
		}
		out = append(out, p.Evaluate(*in)...)
	}
	return out
}

func policyPlan(p *Plan) config.PolicyPlan {
	s := &p.Summary
	return config.PolicyPlan{
		BytesToCopy: s.BytesToCopy, Seconds: p.Estimate.Seconds,
		TopicsCreate: s.TopicsCreate, TopicsUpdate: s.TopicsUpdate, TopicsDelete: s.TopicsDelete,
		PartitionsAdded: s.PartitionsAdded, ReplicasAdded: s.ReplicasAdded, ReplicasRemoved: s.ReplicasRemoved, LeadersMoved: s.LeadersMoved,
	}
}

func policyChange(c *Change) config.PolicyChange {
	if c == nil {
		return config.PolicyChange{Action: "none"}
	}
	var s Summary
	s.count(c)
	out := config.PolicyChange{
		Action: string(c.Action), Bytes: s.BytesToCopy, PartitionsAdded: s.PartitionsAdded,
		ReplicasAdded: s.ReplicasAdded, ReplicasRemoved: s.ReplicasRemoved, LeadersMoved: s.LeadersMoved,
	}
	for i := range c.Config {
		out.Configs = append(out.Configs, c.Config[i].Name)
	}
	return out
}

// input is the topic as it will be; one that is deleted, as it is.
func (t *judged) input() config.PolicyTopic {
	out := config.PolicyTopic{
		Name: t.name, Partitions: len(t.lists), ReplicationFactor: t.factor, MinInsyncReplicas: t.minISR(),
		Config: t.configs(), ReplicasPerRack: map[string]int{},
	}
	if want := t.j.d.Topic(t.name); want != nil {
		out.Keyed = want.Keyed
	}
	for _, list := range t.lists {
		for _, b := range list {
			if rack := t.j.net.rack(b); rack != "" {
				out.ReplicasPerRack[rack]++
			}
		}
	}
	return out
}

func (t *judged) minISR() int {
	v, _ := t.config(minISR)
	return atoi(v)
}

// config is the value of a key as it will take effect, as far as that is
// known: the topic's own, or what it inherits where other topics or the
// brokers show it.
func (t *judged) config(key string) (string, bool) {
	if t.live != nil && t.live.Config == nil {
		return "", false
	}
	if t.change != nil {
		if c := t.change.changed(key); c != nil {
			return orNothing(c.After)
		}
	}
	if v, ok := orEmpty(t.live).Config[key]; ok {
		return v.Value, true
	}
	v, ok := t.j.inherits.value(key)
	return v.Value, ok
}

func orNothing(s *string) (string, bool) {
	if s == nil {
		return "", false
	}
	return *s, true
}

// configs are all configs as they will take effect.
func (t *judged) configs() map[string]string {
	keys := map[string]bool{}
	for _, key := range config.KnownKeys() {
		keys[key] = true
	}
	for key := range orEmpty(t.live).Config {
		keys[key] = true
	}
	if t.change != nil {
		for i := range t.change.Config {
			keys[t.change.Config[i].Name] = true
		}
	}
	out := map[string]string{}
	for key := range keys {
		if v, ok := t.config(key); ok {
			out[key] = v
		}
	}
	return out
}
