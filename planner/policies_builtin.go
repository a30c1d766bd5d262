package planner

import (
	"fmt"
	"strings"

	"ballast/config"
	"ballast/state"
)

// builtinPolicies are the policies that come with ballast. Each warns once a
// plan, and names all that it is about.
var builtinPolicies = []struct {
	on    func(*config.BuiltinPolicies) bool
	judge func(*maker, []*judged)
}{
	{func(p *config.BuiltinPolicies) bool { return p.FewReplicas }, policyFewReplicas},
	{func(p *config.BuiltinPolicies) bool { return p.NoSpareReplica }, policyNoSpareReplica},
	{func(p *config.BuiltinPolicies) bool { return p.EvenReplicas }, policyEvenReplicas},
	{func(p *config.BuiltinPolicies) bool { return p.UncleanElection }, policyUncleanElection},
	{func(p *config.BuiltinPolicies) bool { return p.BrokerLoad }, policyBrokerLoad},
}

// fewest is the number of replicas below which a policy warns.
const fewest = 3

func policyFewReplicas(m *maker, topics []*judged) {
	if len(m.s.Brokers) < fewest {
		return
	}
	m.warnTopics(topics, "few_replicas", "replication_factor", "fewer than three replicas",
		"With two, one broker that is away leaves one copy; with one, none.",
		func(t *judged) bool { return t.factor < fewest && !forTests(t.name) })
}

// forTests says whether a topic's name has test among its words.
func forTests(name string) bool {
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return r == '.' || r == '-' || r == '_' }) {
		if word == "test" || word == "tests" {
			return true
		}
	}
	return false
}

func policyNoSpareReplica(m *maker, topics []*judged) {
	m.warnTopics(topics, "no_spare_replica", "config."+minISR, "min.insync.replicas as high as the replication factor",
		"While one replica is away, nothing can be written to them with acks=all.",
		func(t *judged) bool { return t.factor > 1 && t.minISR() >= t.factor })
}

func policyEvenReplicas(m *maker, topics []*judged) {
	m.warnTopics(topics, "even_replicas", "replication_factor", "an even number of replicas",
		"By majority they bear the loss of no more brokers than with one replica less.",
		func(t *judged) bool { return t.factor > 0 && t.factor%2 == 0 })
}

func policyUncleanElection(m *maker, topics []*judged) {
	const key = "unclean.leader.election.enable"
	m.warnTopics(topics, "unclean_election", "config."+key, key+" = true",
		"A replica that is not in sync may become the leader, and the records that it lacks are lost then.",
		func(t *judged) bool {
			v, _ := t.config(key)
			return v == "true"
		})
}

// The most that a broker should carry: partitions that it leads, and replicas.
const (
	mostLed      = 2000
	mostReplicas = 4000
)

func policyBrokerLoad(m *maker, _ []*judged) {
	var over []state.BrokerID
	for i := range m.plan.Brokers {
		b := &m.plan.Brokers[i]
		if b.After.Leaders > mostLed || b.After.Replicas > mostReplicas {
			over = append(over, b.ID)
		}
	}
	if len(over) > 0 {
		m.warn("builtin_policy", "", config.Source{}, "Much on one broker: "+join(over),
			fmt.Sprintf("Each of them leads more than %d partitions or holds more than %d replicas once the plan has been carried out. Elections and restarts take long then. %s", mostLed, mostReplicas, switchOff("broker_load")))
	}
}

// warnTopics warns of the topics that a built-in policy is about, at the first
// of them.
func (m *maker) warnTopics(topics []*judged, policy, attribute, have, why string, about func(*judged) bool) {
	var names []string
	for _, t := range topics {
		if (t.change == nil || t.change.Action != Delete) && about(t) {
			names = append(names, t.name)
		}
	}
	if len(names) == 0 {
		return
	}
	topic, summary := "", fmt.Sprintf("%d topics have %s", len(names), have)
	if len(names) == 1 {
		topic, summary = names[0], fmt.Sprintf("Topic %q has %s", names[0], have)
	} else {
		why = some(names) + ". " + why
	}
	m.warn("builtin_policy", topic, m.byName[names[0]].want.At(attribute), summary, why+" "+switchOff(policy))
}

func switchOff(policy string) string {
	return "To hear no more of this: builtin_policies { " + policy + " = false }"
}
