package planner

import (
	"fmt"
	"strings"

	"ballast/config"
	"ballast/planner/placement"
)

// failInfeasible reports rules that cannot be met, with the counts that show it.
func (m *maker) failInfeasible(t *subject) {
	o := m.obstacle(t)
	attribute, summary := m.explainRule(t, o.in)
	eligible := m.eligible(t.want)
	detail := fmt.Sprintf("Its rules leave %d eligible %s (%s)", len(eligible), brokerWord(len(eligible)), m.byRack(eligible))
	if why := m.leftOut(t.want); why != "" {
		detail += "; " + why
	}
	detail += o.words(o.in.RF) + "." + o.others(t.name) + " Nothing is planned for this topic."
	at := m.d.Unmanaged.Source
	if t.want != nil {
		at = t.want.At(o.declaredBy(attribute))
	}
	m.reject(t, "infeasible_"+string(o.in.Rule), at, summary+o.concerns(), detail)
}

// declaredBy is the attribute that an error is about: the rule's own if that is
// among what conflicts, or else the first that is, or the rule's own after all.
func (c *conflict) declaredBy(rule string) string {
	var all []string
	for _, r := range c.sets[0] {
		if r.attribute != "" {
			all = append(all, r.attribute)
		}
	}
	if len(all) == 0 || hasText(all, rule) {
		return rule
	}
	return all[0]
}

// explainRule says which rule fails, and the attribute that declares it.
func (m *maker) explainRule(t *subject, in *placement.Infeasible) (attribute, summary string) {
	partition := fmt.Sprintf("%s-%d", t.name, in.Partition)
	switch in.Rule {
	case placement.RuleEven:
		how := "spread evenly over racks"
		if t.want == nil {
			how = "spread over racks as they are now"
		}
		if in.Rack < 0 {
			return m.spreadAttribute(t), fmt.Sprintf("%s of %s cannot be %s: these can hold %d", counted(in.RF), partition, how, in.Have)
		}
		return m.spreadAttribute(t), fmt.Sprintf("%s of %s cannot be %s: rack %s has to hold %d and can hold %d",
			counted(in.RF), partition, how, m.rackName(in.Rack), in.Need, in.Have)
	case placement.RuleDistinct:
		return m.spreadAttribute(t), fmt.Sprintf("%s of %s in distinct racks need %d racks that can hold one, there are %d",
			counted(in.RF), partition, in.Need, in.Have)
	case placement.RulePerRack:
		return "replicas.per_rack", fmt.Sprintf("per_rack cannot be met for %s with %s: %d needed, %d there%s",
			partition, counted(in.RF), in.Need, in.Have, m.inRack(in.Rack))
	case placement.RulePin:
		return "replicas.pin", fmt.Sprintf("The pin of %s cannot be met", partition)
	case placement.RuleLeaderRequired:
		return "leaders.required", fmt.Sprintf("%s has to be led from %s, and its rules allow no eligible broker there", partition, leadersFrom(&t.want.Leaders))
	}
	return "replication_factor", fmt.Sprintf("%s wants %s, and only %d of its brokers can hold one", partition, counted(in.RF), in.Have)
}

// leadersFrom names the racks and brokers that leaders are wanted in.
func leadersFrom(l *config.Leaders) string {
	var out []string
	if len(l.Racks) > 0 {
		out = append(out, rackWord(len(l.Racks))+" "+some(l.Racks))
	}
	if len(l.Brokers) > 0 {
		out = append(out, brokerWord(len(l.Brokers))+" "+join(l.Brokers))
	}
	return strings.Join(out, " or ")
}

// spreadAttribute is where the rack rule, or else the number of replicas, is declared.
func (m *maker) spreadAttribute(t *subject) string {
	if t.want != nil {
		if _, ok := t.want.Lines["replicas.rack_spread"]; ok {
			return "replicas.rack_spread"
		}
	}
	return "replication_factor"
}

func (m *maker) rackName(r int) string {
	if r < 0 || r >= len(m.net.racks) {
		return "(none)"
	}
	return quoted(m.net.racks[r])
}

func (m *maker) inRack(r int) string {
	if r < 0 {
		return ""
	}
	return " in rack " + m.rackName(r)
}

// leftOut counts the brokers that a topic allows and cannot use.
func (m *maker) leftOut(want *config.Topic) string {
	dead, draining := 0, 0
	for b := range m.net.broker {
		if want != nil && !m.allows(want, b) {
			continue
		}
		switch {
		case !m.net.broker[b].Alive:
			dead++
		case m.net.broker[b].Drains:
			draining++
		}
	}
	var out []string
	each := func(n int, one, more string) {
		if n == 1 {
			out = append(out, "1 "+one)
		} else if n > 1 {
			out = append(out, fmt.Sprintf("%d %s", n, more))
		}
	}
	each(dead, "is dead", "are dead")
	each(draining, "drains", "drain")
	if len(out) == 0 {
		return ""
	}
	return "of the others that they allow " + strings.Join(out, " and ")
}

func brokerWord(n int) string {
	if n == 1 {
		return "broker"
	}
	return "brokers"
}

func rackWord(n int) string {
	if n == 1 {
		return "rack"
	}
	return "racks"
}
