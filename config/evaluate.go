package config

import (
	"fmt"
	"sort"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// evaluate makes the Desired of the parsed files.
func (l *loader) evaluate() {
	l.ctx = &hcl.EvalContext{Functions: l.functions()}
	blocks := l.collect()
	vars := cty.ObjectVal(l.variables(blocks["variable"]))
	l.ctx.Variables = map[string]cty.Value{"var": vars}
	l.ctx.Variables["local"] = cty.ObjectVal(l.locals(blocks["locals"]))
	d := &Desired{Apply: DefaultApply(), Journal: Journal{Backend: LocalJournal}}
	l.loaded.Desired = d
	for _, s := range l.sources {
		d.Files = append(d.Files, s.name)
	}
	l.cluster(blocks["cluster"], d)
	l.apply(blocks["apply"], d)
	l.brokers(blocks["broker"], d)
	absent := l.absent(blocks["absent_topic"], d)
	l.classes(blocks["broker_class"], d)
	l.unmanaged(blocks["unmanaged"], d)
	l.journal(blocks["journal"], d)
	l.policies(blocks["policy"], d)
	l.builtinPolicies(blocks["builtin_policies"], d)
	l.topics(blocks, absent, d)
	d.Digest = l.digest()
	if l.partial {
		l.distrust(d)
	}
}

// distrust makes all topics broken: in the file that could not be parsed there
// may have been anything.
func (l *loader) distrust(d *Desired) {
	for _, s := range l.sources {
		if s.body != nil && HasErrors(s.diags) {
			d.Broken = append(d.Broken, labels(s.body)...)
		}
	}
	for _, t := range d.Topics {
		d.Broken = append(d.Broken, t.Name)
	}
	for _, t := range d.Absent {
		d.Broken = append(d.Broken, t.Name)
	}
	d.Topics, d.Absent = nil, nil
	d.Broken = sortedSet(d.Broken)
}

// labels returns the names of the topics that a file declares, as far as it
// could be parsed.
func labels(body *hclsyntax.Body) []string {
	var out []string
	for _, b := range body.Blocks {
		if (b.Type == "topic" || b.Type == "absent_topic") && len(b.Labels) == 1 && CheckTopicName(b.Labels[0]) == nil {
			out = append(out, b.Labels[0])
		}
	}
	return out
}

func sortedSet(names []string) []string {
	sort.Strings(names)
	var out []string
	for i, n := range names {
		if i == 0 || n != names[i-1] {
			out = append(out, n)
		}
	}
	return out
}

// collect sorts the top-level blocks of all files by type, in file order, and
// reports those that the language does not have.
func (l *loader) collect() map[string][]*hclsyntax.Block {
	out := map[string][]*hclsyntax.Block{}
	for _, s := range l.sources {
		if s.body == nil || HasErrors(s.diags) {
			continue // what is left of such a file would give errors that are none
		}
		for _, a := range attributesInOrder(s.body) {
			l.add(unknownAttribute(a, language))
		}
		for _, b := range s.body.Blocks {
			if l.wellFormed(b) {
				out[b.Type] = append(out[b.Type], b)
			}
		}
	}
	for name, blocks := range out {
		if schema := language.block(name); schema.once && len(blocks) > 1 {
			l.add(declaredTwice(article(name)+" block", "duplicate_block", defRanges(blocks)))
		}
	}
	return out
}

func defRanges(blocks []*hclsyntax.Block) []hcl.Range {
	out := make([]hcl.Range, len(blocks))
	for i, b := range blocks {
		out[i] = b.DefRange()
	}
	return out
}

// wellFormed says whether a top-level block is one of the language's and has
// the labels that it should.
func (l *loader) wellFormed(b *hclsyntax.Block) bool {
	schema := language.block(b.Type)
	switch {
	case schema == nil:
		l.add(unknownBlock(b, language))
		return false
	case schema.refused != "":
		l.add(fault("not_supported", "Not supported yet", schema.refused, b.DefRange()))
		return false
	case schema.label == "" && len(b.Labels) > 0:
		l.add(fault("unexpected_label", "Unexpected label", fmt.Sprintf("A block of this type takes no label. Write:\n  %s { … }", b.Type), b.LabelRanges[0]))
		return false
	case schema.label != "" && len(b.Labels) != 1:
		l.add(fault("missing_label", "One label needed", fmt.Sprintf("%s block takes one label, %s. Write:\n  %s \"…\" { … }", capital(article(b.Type)), schema.label, b.Type), b.DefRange()))
		return false
	}
	return true
}

// single decodes the blocks of a type that may be there once, all of them for
// the sake of their errors, and returns the last, or nil.
func (l *loader) single(blocks []*hclsyntax.Block, schema *block) (*hclsyntax.Block, *decoder) {
	var last *hclsyntax.Block
	var decoded *decoder
	for _, b := range blocks {
		last, decoded = b, l.decode(b.Body, schema, l.ctx, "")
	}
	return last, decoded
}

func sourceOf(at hcl.Range) Source { return Source{File: at.Filename, Line: at.Start.Line} }

// get puts a setting's value, where there is one, into a variable.
func get[T any](s settings, path string, to *T) {
	if x := s[path]; x != nil && !x.bad && x.value != nil {
		*to = x.value.(T)
	}
}
