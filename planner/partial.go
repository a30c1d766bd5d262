package planner

import (
	"fmt"
	"strings"

	"ballast/config"
	"ballast/state"
)

// partialRules is the list of what a plan of some topics may depend on in the
// topics that it leaves out, or may itself leave undone. Each gives a line for
// each thing.
var partialRules = []func(m *maker) []string{
	partialDeletions,
	partialDrains,
	partialBalance,
	partialPolicies,
}

// warnPartial says that the plan is partial, and what that means for it.
func (m *maker) warnPartial() {
	lines := []string{"Only what " + strings.Join(m.o.Targets, ", ") + " names is planned; all other topics stay as they are. Plan without -target to see the rest."}
	for _, rule := range partialRules {
		lines = append(lines, rule(m)...)
	}
	m.warn("partial_plan", "", config.Source{}, "This is a partial plan", strings.Join(lines, "\n"))
}

// partialDeletions: topics that are declared absent stay.
func partialDeletions(m *maker) []string {
	var names []string
	for _, t := range m.subjects {
		if t.leftOut && t.absent != nil && t.live != nil {
			names = append(names, t.name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{"Not deleted, and still there: " + some(names) + "."}
}

// partialDrains: a broker is not empty before every topic has left it.
func partialDrains(m *maker) []string {
	held := map[state.BrokerID][]string{}
	for _, t := range m.subjects {
		if !t.leftOut || t.live == nil {
			continue
		}
		for i := range t.live.Partitions {
			for _, b := range t.live.Partitions[i].Target() {
				if n := len(held[b]); n == 0 || held[b][n-1] != t.name {
					held[b] = append(held[b], t.name)
				}
			}
		}
	}
	var out []string
	for _, b := range m.d.Brokers {
		if names := held[b.ID]; b.Drain && len(names) > 0 {
			out = append(out, fmt.Sprintf("Broker %d drains and will not be empty: left out topics have replicas on it, %s.", b.ID, some(names)))
		}
	}
	return out
}

// partialBalance: an even share depends on where all others are.
func partialBalance(m *maker) []string {
	var names []string
	others := 0
	for _, t := range m.subjects {
		switch {
		case t.leftOut && t.live != nil:
			others++
		case t.role == declared && t.want != nil && t.want.Replicas.Balance == config.BalanceCluster:
			names = append(names, t.name)
		}
	}
	if len(names) == 0 || others == 0 {
		return nil
	}
	return []string{fmt.Sprintf("Balanced over the cluster with %d left out topics fixed where they are: %s. Planned with them, replicas may go elsewhere.", others, some(names))}
}

// partialPolicies: a condition on the plan as a whole sees only this part.
func partialPolicies(m *maker) []string {
	if len(m.d.Policies) == 0 {
		return nil
	}
	var names []string
	for _, p := range m.d.Policies {
		names = append(names, p.Name)
	}
	return []string{"Policies judge this part alone, and not what is left out: " + some(names) + "."}
}
