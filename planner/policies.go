package planner

import (
	"ballast/config"
	"ballast/state"
)

// policies evaluates every policy for every topic that the configuration
// declares or deletes, as the topic will be once the plan has been carried out.
// It runs on the finished plan and changes nothing of it but its diagnostics.
func (m *maker) policies() {
	if len(m.d.Policies) == 0 {
		return
	}
	whole := m.policyPlan()
	for _, t := range m.subjects {
		if t.failed || t.role != declared && (t.role != absent || t.change == nil) {
			continue
		}
		var in *config.PolicyInput
		for i := range m.d.Policies {
			p := &m.d.Policies[i]
			if !p.Applies(t.name) {
				continue
			}
			if in == nil {
				in = &config.PolicyInput{Topic: m.policyTopic(t), Change: policyChange(t), Plan: whole}
			}
			m.diags = append(m.diags, p.Evaluate(*in)...)
		}
	}
}

func (m *maker) policyPlan() config.PolicyPlan {
	s := &m.plan.Summary
	return config.PolicyPlan{
		BytesToCopy: s.BytesToCopy, Seconds: m.plan.Estimate.Seconds,
		TopicsCreate: s.TopicsCreate, TopicsUpdate: s.TopicsUpdate, TopicsDelete: s.TopicsDelete,
		PartitionsAdded: s.PartitionsAdded, ReplicasAdded: s.ReplicasAdded, ReplicasRemoved: s.ReplicasRemoved, LeadersMoved: s.LeadersMoved,
	}
}

func policyChange(t *subject) config.PolicyChange {
	if t.change == nil {
		return config.PolicyChange{Action: "none"}
	}
	var s Summary
	s.count(t.change)
	out := config.PolicyChange{
		Action: string(t.change.Action), Bytes: s.BytesToCopy, PartitionsAdded: s.PartitionsAdded,
		ReplicasAdded: s.ReplicasAdded, ReplicasRemoved: s.ReplicasRemoved, LeadersMoved: s.LeadersMoved,
	}
	for i := range t.change.Config {
		out.Configs = append(out.Configs, t.change.Config[i].Name)
	}
	return out
}

// policyTopic is the topic as it will be; one that is deleted, as it is.
func (m *maker) policyTopic(t *subject) config.PolicyTopic {
	out := config.PolicyTopic{Name: t.name, Config: m.configsAfter(t), ReplicasPerRack: map[string]int{}}
	out.MinInsyncReplicas = atoi(out.Config[minISR])
	if t.want != nil {
		out.Keyed = t.want.Keyed
	}
	for _, list := range m.listsAfter(t) {
		out.Partitions++
		out.ReplicationFactor = max(out.ReplicationFactor, len(list))
		for _, b := range list {
			if rack := m.net.rack(b); rack != "" {
				out.ReplicasPerRack[rack]++
			}
		}
	}
	return out
}

// listsAfter are the replica lists of a topic by partition; of one that is
// deleted, those that it has.
func (m *maker) listsAfter(t *subject) [][]state.BrokerID {
	var out [][]state.BrokerID
	if t.planned() {
		for i := range t.problem.Partitions {
			out = append(out, m.net.toIDs(t.sol.Replicas[i]))
		}
		return out
	}
	for i := range t.live.Partitions {
		out = append(out, t.live.Partitions[i].Target())
	}
	return out
}

// configsAfter are the effective configs of a topic, as far as they are known:
// its own, and what it inherits where other topics or the brokers show it.
func (m *maker) configsAfter(t *subject) map[string]string {
	out := map[string]string{}
	if t.live != nil && t.live.Config == nil {
		return out
	}
	for _, key := range config.KnownKeys() {
		if v, ok := m.inherits.value(key); ok {
			out[key] = v.Value
		}
	}
	for key, v := range orEmpty(t.live).Config {
		out[key] = v.Value
	}
	if t.change == nil {
		return out
	}
	for i := range t.change.Config {
		c := &t.change.Config[i]
		if c.After != nil {
			out[c.Name] = *c.After
		} else {
			delete(out, c.Name)
		}
	}
	return out
}
