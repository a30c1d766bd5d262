package config

import (
	"sort"
	"strings"
)

func (c *common) empty() bool {
	return c.factor == 0 && len(c.config) == 0 && c.spread == SpreadDefault
}

// lift finds what most topics have in common: where writing it once, and the
// exceptions each, is shorter than writing it each time.
func (g *generator) lift() {
	g.defaults.config = map[string]string{}
	factors, values := map[string]int{}, map[string]map[string]int{}
	loose := 0
	for _, t := range g.topics {
		factors[itoa(t.factor)]++
		for key, value := range t.config {
			if values[key] == nil {
				values[key] = map[string]int{}
			}
			values[key][value]++
		}
		if t.spread == SpreadNone {
			loose++
		}
	}
	if value, n := mostCommon(factors); n > 1 && value != "0" {
		g.defaults.factor = atoi(value)
	}
	for key, counts := range values {
		if value, n := mostCommon(counts); n-g.without(key) > 1 {
			g.defaults.config[key] = value
		}
	}
	if loose == len(g.topics) && loose > 1 {
		g.defaults.spread = SpreadNone
	}
	g.dropImpossible()
}

// dropImpossible takes a default min.insync.replicas above the default
// replication factor away: no configuration may say that.
func (g *generator) dropImpossible() {
	if value, ok := g.defaults.config[minISRKey]; ok && g.defaults.factor > 0 && atoi(value) > g.defaults.factor {
		delete(g.defaults.config, minISRKey)
	}
}

// without counts the topics that a default of the key would have to be taken
// away from.
func (g *generator) without(key string) int {
	n := 0
	for _, t := range g.topics {
		if _, ok := t.config[key]; !ok && matching(t.ignored, key) == "" {
			n++
		}
	}
	return n
}

// mostCommon returns the value that most have, the first in order of those.
func mostCommon(counts map[string]int) (string, int) {
	best := ""
	for _, value := range sortedKeys(counts) {
		if counts[value] > counts[best] {
			best = value
		}
	}
	return best, counts[best]
}

// adopt takes the defaults of a configuration that there is. What they say of
// placement each topic has to take away, to stay where it is.
func (g *generator) adopt(d *Topic) {
	g.defaults = common{factor: d.ReplicationFactor, config: d.Config, spread: d.Replicas.RackSpread}
	for path := range d.Lines {
		switch {
		case strings.HasPrefix(path, "config."), path == "replication_factor", path == "partitions", path == "replicas.rack_spread":
		default:
			g.nulls = append(g.nulls, path)
		}
	}
	sort.Strings(g.nulls)
}
