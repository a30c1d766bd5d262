package config

import (
	"fmt"
	"sort"
	"strings"

	"ballast/state"
)

// GenerateOptions say which topics are written down, and how.
type GenerateOptions struct {
	Topics   []string // globs of names; none: all
	Internal bool     // internal topics too
	// Cluster, where it is not nil, is written as the cluster block.
	Cluster *Cluster
	// Existing is the configuration that the files are added to, or nil. Topics
	// that it declares are left out, and its defaults are those that count.
	Existing *Desired
	// Separator, where it is not "", splits the topics into files by what
	// their names have before it.
	Separator string
}

// GeneratedFile is a file of a configuration, in the canonical layout.
type GeneratedFile struct {
	Name   string
	Text   []byte
	Topics int // how many it declares
}

// The names of generated files.
const (
	clusterFile = "cluster.hcl"
	topicsFile  = "topics.hcl"
)

// Generate writes live topics down as a configuration that leaves them as they
// are: planned at once, it changes nothing. What most topics have in common is
// in defaults. It returns an error where no topic is left to write.
func Generate(s *state.Snapshot, o GenerateOptions) ([]GeneratedFile, error) {
	topics, err := chosen(s, o)
	if err != nil {
		return nil, err
	}
	g := &generator{snapshot: s, options: o, racks: racksOf(s)}
	for _, t := range topics {
		g.topics = append(g.topics, g.survey(t))
	}
	if o.Existing == nil {
		g.lift()
	} else {
		g.adopt(&o.Existing.Defaults)
	}
	return g.files(), nil
}

// chosen returns the topics to write, sorted by name.
func chosen(s *state.Snapshot, o GenerateOptions) ([]*state.Topic, error) {
	var out []*state.Topic
	for i := range s.Topics {
		t := &s.Topics[i]
		switch {
		case t.Internal && !o.Internal:
		case len(o.Topics) > 0 && matching(o.Topics, t.Name) == "":
		case o.Existing != nil && o.Existing.mentions(t.Name):
		default:
			out = append(out, t)
		}
	}
	for _, t := range out {
		if err := CheckTopicName(t.Name); err != nil {
			return nil, err
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no topic to import: of the cluster's %d topics none is left that is not declared, not internal and called as asked", len(s.Topics))
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out, nil
}

// mentions says whether a topic is declared, soundly or not.
func (d *Desired) mentions(name string) bool {
	if name == d.Journal.Topic && name != "" || d.Topic(name) != nil || contains(d.Broken, name) {
		return true
	}
	for _, a := range d.Absent {
		if a.Name == name {
			return true
		}
	}
	return false
}

// generator is the state of one Generate.
type generator struct {
	snapshot *state.Snapshot
	options  GenerateOptions
	racks    rackView
	topics   []*surveyed
	defaults common
	nulls    []string // paths of existing defaults that a topic has to take away
}

// common are the settings that topics share.
type common struct {
	factor int               // 0: none
	config map[string]string // min.insync.replicas among them
	spread RackSpread
}

// files lays the topics out.
func (g *generator) files() []GeneratedFile {
	texts, counts := map[string]*strings.Builder{}, map[string]int{}
	file := func(name string) *strings.Builder {
		if texts[name] == nil {
			texts[name] = &strings.Builder{}
		}
		return texts[name]
	}
	if g.options.Cluster != nil {
		writeCluster(file(clusterFile), g.options.Cluster)
	}
	if g.options.Existing == nil && !g.defaults.empty() {
		name := topicsFile
		if g.options.Separator != "" {
			name = "defaults.hcl"
		}
		g.writeDefaults(file(name))
	}
	for _, t := range g.topics {
		name := g.fileOf(t.name)
		g.writeTopic(file(name), t)
		counts[name]++
	}
	var out []GeneratedFile
	for _, name := range sortedKeys(texts) {
		text, _ := Format(name, []byte(texts[name].String()))
		out = append(out, GeneratedFile{Name: name, Text: text, Topics: counts[name]})
	}
	return out
}

// fileOf is the file that a topic goes into.
func (g *generator) fileOf(topic string) string {
	if g.options.Separator == "" {
		return topicsFile
	}
	prefix, _, found := strings.Cut(topic, g.options.Separator)
	if !found || prefix == "" {
		return topicsFile
	}
	return "topics-" + strings.ToLower(prefix) + ".hcl"
}

func writeCluster(b *strings.Builder, c *Cluster) {
	fmt.Fprintf(b, "cluster %s {\n", hclString(orElse(c.Name, "main")))
	if len(c.Bootstrap) > 0 {
		quoted := make([]string, len(c.Bootstrap))
		for i, address := range c.Bootstrap {
			quoted[i] = hclString(address)
		}
		fmt.Fprintf(b, "bootstrap = [%s]\n", strings.Join(quoted, ", "))
	}
	if c.ClusterID != "" {
		fmt.Fprintf(b, "cluster_id = %s\n", hclString(c.ClusterID))
	}
	b.WriteString("}\n")
}
