package config

import (
	"fmt"
	"sort"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// declaration is one topic as a block declares it, before the defaults.
type declaration struct {
	name   string
	at     hcl.Range // of the block's header
	nameAt hcl.Range // of its name
	key    string    // each.key, where it comes of for_each
	each   bool      // whether it does
	set    settings
	broken bool
}

// topics reads the defaults and the topic blocks, merges them and checks the
// outcome. What is wrong keeps its name in Broken.
func (l *loader) topics(blocks map[string][]*hclsyntax.Block, absent []*declaration, d *Desired) {
	defaults := l.defaults(blocks["defaults"])
	if t, ok := l.build(&declaration{set: settings{}}, defaults, d); ok {
		d.Defaults = t
	}
	var all []*declaration
	for _, b := range blocks["topic"] {
		all = append(all, l.declarations(b)...)
	}
	l.duplicates(all, absent)
	l.collisions(all)
	l.journalTopic(append(append([]*declaration(nil), all...), absent...), d)
	for _, decl := range all {
		t, ok := l.build(decl, defaults, d)
		if !ok || decl.broken {
			d.Broken = append(d.Broken, decl.name)
			continue
		}
		d.Topics = append(d.Topics, t)
	}
	d.keepAbsent(absent)
	sort.Slice(d.Topics, func(i, j int) bool { return d.Topics[i].Name < d.Topics[j].Name })
	sort.Slice(d.Absent, func(i, j int) bool { return d.Absent[i].Name < d.Absent[j].Name })
	d.Broken = sortedSet(d.Broken)
}

// keepAbsent drops the absent topics that are declared twice.
func (d *Desired) keepAbsent(absent []*declaration) {
	broken := map[string]bool{}
	for _, a := range absent {
		if a.broken {
			broken[a.name] = true
			d.Broken = append(d.Broken, a.name)
		}
	}
	kept := d.Absent[:0]
	for _, a := range d.Absent {
		if !broken[a.Name] {
			kept = append(kept, a)
		}
	}
	d.Absent = kept
}

// defaults reads the defaults block.
func (l *loader) defaults(blocks []*hclsyntax.Block) *declaration {
	b, d := l.single(blocks, defaultsBlock)
	if b == nil {
		return &declaration{set: settings{}}
	}
	return &declaration{at: b.DefRange(), set: d.out, broken: d.lost || len(blocks) > 1}
}

// absent reads the absent_topic blocks.
func (l *loader) absent(blocks []*hclsyntax.Block, d *Desired) []*declaration {
	var out []*declaration
	for _, b := range blocks {
		decl := &declaration{name: b.Labels[0], at: b.DefRange(), nameAt: b.LabelRanges[0]}
		if !l.checkName(decl) {
			continue
		}
		s := l.decode(b.Body, absentTopicBlock, l.ctx, decl.name)
		decl.broken = s.bad()
		topic := AbsentTopic{Name: decl.name, Source: sourceOf(decl.at)}
		get(s.out, "max_bytes", &topic.MaxBytes)
		get(s.out, "allow_remote", &topic.AllowRemote)
		d.Absent = append(d.Absent, topic)
		out = append(out, decl)
	}
	return out
}

// duplicates reports each name that is declared more than once, once, with all
// its places.
func (l *loader) duplicates(topics, absent []*declaration) {
	byName := map[string][]*declaration{}
	for _, decl := range append(append([]*declaration(nil), topics...), absent...) {
		byName[decl.name] = append(byName[decl.name], decl)
	}
	for name, decls := range byName {
		if len(decls) < 2 {
			continue
		}
		places := make([]hcl.Range, len(decls))
		for i, decl := range decls {
			decl.broken = true
			places[i] = decl.at
		}
		sortRanges(places)
		l.add(sameName(name, decls, places).about(name))
	}
}

// sameName is the error for a name that several declarations have.
func sameName(name string, decls []*declaration, places []hcl.Range) Diagnostic {
	for _, d := range decls {
		if d.at != decls[0].at || !d.each {
			return declaredTwice("the topic "+quote(name), "duplicate_topic", places)
		}
	}
	keys := make([]string, len(decls))
	for i, d := range decls {
		keys[i] = quote(d.key)
	}
	return fault("duplicate_topic", "Declared twice",
		fmt.Sprintf("for_each makes the topic %s at %s for several elements: %s. Put each.key into the name.", quote(name), place(decls[0].at), join(keys)), decls[0].nameAt)
}

func sortRanges(places []hcl.Range) {
	sort.Slice(places, func(i, j int) bool {
		a, b := places[i], places[j]
		if a.Filename != b.Filename {
			return a.Filename < b.Filename
		}
		return a.Start.Byte < b.Start.Byte
	})
}
