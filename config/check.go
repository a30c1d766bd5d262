package config

import (
	"fmt"
	"strconv"

	"github.com/hashicorp/hcl/v2"
)

// checked is a topic with its defaults merged in, to be checked as a whole.
type checked struct {
	topic   *Topic
	set     settings // merged
	place   hcl.Range
	own     settings
	desired *Desired // its classes and brokers, for the rules on places
}

// at returns the place of a setting, or that of the topic where there is none.
func (c *checked) at(path string) hcl.Range {
	if s := c.set[path]; s != nil {
		return s.at
	}
	return c.place
}

// rules are the checks of a topic as a whole, each in a file of its own.
var rules = []func(*checked) []Diagnostic{
	ruleMinISR,
	ruleCompactionLag,
	ruleClass,
	ruleDistinctRacks,
	ruleEnoughBrokers,
	rulePerRack,
	rulePin,
	ruleLeaderPlaces,
}

// check says whether the topic passes all rules.
func (l *loader) check(c *checked) bool {
	ok := true
	for _, rule := range rules {
		for _, d := range rule(c) {
			ok = ok && d.Severity != SeverityError
			l.add(d.about(c.topic.Name))
		}
	}
	return ok
}

// ruleMinISR: more in-sync replicas than replicas can never be had, and no
// record could be written with acks=all.
func ruleMinISR(c *checked) []Diagnostic {
	text, ok := c.topic.Config["min.insync.replicas"]
	n, err := strconv.Atoi(text)
	rf := c.topic.ReplicationFactor
	if !ok || err != nil || rf == 0 || n <= rf {
		return nil
	}
	detail := fmt.Sprintf("min_insync_replicas is %d (%s), and replication_factor is %d (%s): nothing could be written with acks=all. Raise the one or lower the other.",
		n, place(c.at(minISRPath)), rf, place(c.at("replication_factor")))
	at := c.at(minISRPath)
	if c.own[minISRPath] == nil && c.own["replication_factor"] != nil {
		at = c.at("replication_factor")
	}
	return []Diagnostic{fault("min_isr_above_replication_factor", "min_insync_replicas above replication_factor", detail, at)}
}

// ruleCompactionLag: Kafka refuses a least lag above the greatest.
func ruleCompactionLag(c *checked) []Diagnostic {
	const low, high = "min.compaction.lag.ms", "max.compaction.lag.ms"
	least, errL := strconv.ParseInt(c.topic.Config[low], 10, 64)
	most, errH := strconv.ParseInt(c.topic.Config[high], 10, 64)
	if errL != nil || errH != nil || least <= most {
		return nil
	}
	return []Diagnostic{fault("invalid_config_value", "Invalid config value",
		fmt.Sprintf("%s is %d, above %s, which is %d (%s). Kafka refuses that.", low, least, high, most, place(c.at("config."+high))), c.at("config."+low))}
}

func matching(globs []string, s string) string {
	for _, g := range globs {
		if MatchGlob(g, s) {
			return g
		}
	}
	return ""
}

// ruleDistinctRacks: one replica a rack needs as many racks. It does not matter
// where per_rack or pins say it all.
func ruleDistinctRacks(c *checked) []Diagnostic {
	r, rf := c.topic.Replicas, c.topic.ReplicationFactor
	if r.RackSpread != SpreadDistinct || r.Racks == nil || rf <= len(r.Racks) || r.PerRack != nil {
		return nil
	}
	if n := c.topic.Partitions; n > 0 && len(r.Pin) >= n {
		return nil
	}
	return []Diagnostic{fault("too_few_racks", "Too few racks",
		fmt.Sprintf("rack_spread = \"distinct\" puts each of %d replicas in a rack of its own, and replicas.racks names %d (%s).", rf, len(r.Racks), place(c.at("replicas.racks"))), c.at("replicas.rack_spread"))}
}
