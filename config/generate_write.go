package config

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

func itoa(n int) string { return strconv.Itoa(n) }

// atoi reads a number that is known to be one.
func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

const minISRKey = "min.insync.replicas"

func (g *generator) writeDefaults(b *strings.Builder) {
	d := &g.defaults
	b.WriteString("# What most topics have in common.\ndefaults {\n")
	if d.factor > 0 {
		fmt.Fprintf(b, "replication_factor = %d\n", d.factor)
	}
	writeConfig(b, d.config)
	if d.spread != SpreadDefault {
		fmt.Fprintf(b, "\n# Some brokers have no rack.\nreplicas {\nrack_spread = %q\n}\n", d.spread)
	}
	b.WriteString("}\n")
}

// writeConfig writes min.insync.replicas as the attribute, and all else as
// config. A value of "" is null.
func writeConfig(b *strings.Builder, config map[string]string) {
	value, ok := config[minISRKey]
	attribute := ok && (value == "" || value == itoa(atoi(value)) && atoi(value) < 1<<15)
	if attribute {
		fmt.Fprintf(b, "min_insync_replicas = %s\n", literal(minISRKey, value))
	}
	var lines []string
	for _, key := range sortedKeys(config) {
		if key != minISRKey || !attribute {
			lines = append(lines, fmt.Sprintf("%s = %s", hclString(key), literal(key, config[key])))
		}
	}
	switch len(lines) {
	case 0:
	case 1:
		fmt.Fprintf(b, "config = { %s }\n", lines[0])
	default:
		fmt.Fprintf(b, "\nconfig = {\n%s\n}\n", strings.Join(lines, "\n"))
	}
}

var plainNumber = regexp.MustCompile(`^(-?[1-9][0-9]{0,18}|0)(\.[0-9]{1,17}[1-9]|\.[1-9])?$`)

// literal writes a config's value: numbers and bools bare, where that says the
// same.
func literal(key, value string) string {
	info, _ := KnownKey(key)
	switch {
	case value == "":
		return "null"
	case info.Type == TypeBoolean && (value == "true" || value == "false"):
		return value
	case (info.Type == TypeInt || info.Type == TypeLong || info.Type == TypeDouble) && plainNumber.MatchString(value):
		return value
	}
	return hclString(value)
}

// writeTopic writes what a topic does not take from the defaults.
func (g *generator) writeTopic(b *strings.Builder, t *surveyed) {
	b.WriteString("\n")
	for _, note := range t.notes {
		fmt.Fprintf(b, "# %s\n", note)
	}
	fmt.Fprintf(b, "topic %s {\n", hclString(t.name))
	fmt.Fprintf(b, "partitions = %d\n", t.partitions)
	switch {
	case t.factor == g.defaults.factor:
	case t.factor == 0:
		b.WriteString("replication_factor = null\n")
	default:
		fmt.Fprintf(b, "replication_factor = %d\n", t.factor)
	}
	writeConfig(b, g.ownConfig(t))
	g.writeIgnored(b, t)
	g.writePlaces(b, t)
	b.WriteString("}\n")
}

// ownConfig are the overrides that differ from the defaults, with "" for those
// to be taken away.
func (g *generator) ownConfig(t *surveyed) map[string]string {
	out := map[string]string{}
	for key, value := range t.config {
		if g.defaults.config[key] != value {
			out[key] = value
		}
	}
	for key := range g.defaults.config {
		if _, ok := t.config[key]; !ok && matching(t.ignored, key) == "" {
			out[key] = ""
		}
	}
	return out
}

// writeIgnored writes the keys that are left to somebody else, and takes away
// those attributes of existing defaults that are not in a block.
func (g *generator) writeIgnored(b *strings.Builder, t *surveyed) {
	for _, path := range g.nulls {
		if !strings.Contains(path, ".") && (path != "ignore_config" || len(t.ignored) == 0) {
			fmt.Fprintf(b, "%s = null\n", path)
		}
	}
	if len(t.ignored) == 0 {
		return
	}
	quoted := make([]string, len(t.ignored))
	for i, key := range t.ignored {
		quoted[i] = hclString(key)
	}
	fmt.Fprintf(b, "ignore_config = [%s]\n", strings.Join(quoted, ", "))
}

// writePlaces writes the replicas and leaders blocks, where there is anything
// to say.
func (g *generator) writePlaces(b *strings.Builder, t *surveyed) {
	var replicas, leaders []string
	if t.spread != g.defaults.spread {
		value := "null"
		if t.spread != SpreadDefault {
			value = strconv.Quote(string(t.spread))
		}
		replicas = append(replicas, "rack_spread = "+value)
	}
	for _, path := range g.nulls {
		if name, ok := strings.CutPrefix(path, "replicas."); ok {
			replicas = append(replicas, name+" = null")
		}
		if name, ok := strings.CutPrefix(path, "leaders."); ok {
			leaders = append(leaders, name+" = null")
		}
	}
	writeBlock(b, "replicas", replicas)
	writeBlock(b, "leaders", leaders)
}

func writeBlock(b *strings.Builder, name string, lines []string) {
	if len(lines) > 0 {
		fmt.Fprintf(b, "\n%s {\n%s\n}\n", name, strings.Join(lines, "\n"))
	}
}
