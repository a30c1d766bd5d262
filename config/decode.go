package config

import (
	"fmt"
	"sort"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// setting is an attribute that was set, converted to plain data.
type setting struct {
	value any // nil: null, or bad
	bad   bool
	at    hcl.Range // of the attribute, or of a config's key
}

func (s *setting) source() Source { return Source{File: s.at.Filename, Line: s.at.Start.Line} }

// settings are a block's attributes by path: "partitions", "replicas.racks",
// "config.retention.ms".
type settings map[string]*setting

// decoder decodes the body of one block, for one instance of it.
type decoder struct {
	*loader
	ctx   *hcl.EvalContext
	topic string // the topic that the diagnostics are about, "" where none
	skip  []string
	out   settings
	many  map[string][]*decoder // inner blocks of which there may be several
	lost  bool                  // something was wrong that is not the value of one attribute
}

// decode reads a block's body by its schema, without the attributes to skip.
func (l *loader) decode(body *hclsyntax.Body, schema *block, ctx *hcl.EvalContext, topic string, skip ...string) *decoder {
	d := &decoder{loader: l, ctx: ctx, topic: topic, out: settings{}, skip: skip}
	d.body(body, schema, "")
	return d
}

// bad says whether anything in the block was wrong.
func (d *decoder) bad() bool {
	for _, s := range d.out {
		if s.bad {
			return true
		}
	}
	return d.lost
}

func (d *decoder) report(f Diagnostic) { d.add(f.about(d.topic)) }

// wrong reports what is wrong with the block as such.
func (d *decoder) wrong(f Diagnostic) {
	d.lost = true
	d.report(f)
}

func (d *decoder) body(body *hclsyntax.Body, schema *block, prefix string) {
	for _, a := range attributesInOrder(body) {
		if !contains(d.skip, prefix+a.Name) {
			d.attribute(a, schema, prefix)
		}
	}
	first := map[string]*hclsyntax.Block{}
	for _, b := range body.Blocks {
		d.inner(b, schema, prefix, first)
	}
	for i := range schema.attrs {
		if a := &schema.attrs[i]; a.required && body.Attributes[a.name] == nil {
			d.wrong(fault("missing_attribute", "Missing attribute", fmt.Sprintf("%s needs the attribute %s, for instance:\n  %s = %s", capital(schema.words()), a.name, a.name, a.example), body.MissingItemRange()))
		}
	}
}

func attributesInOrder(body *hclsyntax.Body) []*hclsyntax.Attribute {
	out := make([]*hclsyntax.Attribute, 0, len(body.Attributes))
	for _, a := range body.Attributes {
		out = append(out, a)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].SrcRange.Start.Byte < out[j].SrcRange.Start.Byte })
	return out
}

// inner decodes a block inside a block.
func (d *decoder) inner(b *hclsyntax.Block, schema *block, prefix string, first map[string]*hclsyntax.Block) {
	inner := schema.block(b.Type)
	switch {
	case inner == nil:
		d.wrong(unknownBlock(b, schema))
	case inner.refused != "":
		d.wrong(fault("not_supported", "Not supported yet", inner.refused, b.DefRange()))
	case len(b.Labels) > 0:
		d.wrong(fault("unexpected_label", "Unexpected label", fmt.Sprintf("A block of this type takes no label. Write:\n  %s { … }", b.Type), b.LabelRanges[0]))
	case inner.many:
		each := d.decode(b.Body, inner, d.ctx, d.topic)
		d.lost = d.lost || each.bad()
		if d.many == nil {
			d.many = map[string][]*decoder{}
		}
		d.many[b.Type] = append(d.many[b.Type], each)
	case first[b.Type] != nil:
		d.wrong(declaredTwice(article(b.Type)+" block", "duplicate_block", []hcl.Range{first[b.Type].DefRange(), b.DefRange()}))
	default:
		first[b.Type] = b
		d.body(b.Body, inner, prefix+b.Type+".")
	}
}

func unknownBlock(b *hclsyntax.Block, schema *block) Diagnostic {
	detail := fmt.Sprintf("%s has no block %s.", capital(schema.words()), quote(b.Type))
	if a := schema.attr(b.Type); a != nil {
		detail = fmt.Sprintf("In %s, %s is an attribute, not a block. Write it with an equals sign:\n  %s = %s", schema.words(), a.name, a.name, a.example)
	} else if hint := didYouMean(b.Type, schema.names()); hint != "" {
		detail += hint
	} else {
		detail += " " + schema.has()
	}
	return fault("unknown_block", "Unknown block", detail, b.TypeRange)
}

// words is how messages call the block.
func (b *block) words() string {
	if b == language {
		return article(b.name)
	}
	return article(b.name) + " block"
}

// has lists what the block may hold.
func (b *block) has() string {
	names := b.names()
	sort.Strings(names)
	if len(names) == 0 {
		return "It is empty."
	}
	return "It may have " + join(names) + "."
}

// attribute decodes an attribute.
func (d *decoder) attribute(a *hclsyntax.Attribute, schema *block, prefix string) {
	known := schema.attr(a.Name)
	switch {
	case known == nil:
		d.wrong(unknownAttribute(a, schema))
		return
	case known.refused != "":
		d.wrong(fault("not_supported", "Not supported yet", known.refused, a.NameRange))
		return
	}
	s := &setting{at: a.SrcRange}
	if known.kind.convert == nil {
		s.value = a.Expr
		d.out[prefix+a.Name] = s
		return
	}
	value, ok := d.evaluateFor(known, a.Expr)
	switch {
	case !ok:
		s.bad = true
	case value.IsNull():
	default:
		s.value, s.bad = d.convert(a, known, value)
	}
	d.put(prefix+a.Name, s, a)
}

func unknownAttribute(a *hclsyntax.Attribute, schema *block) Diagnostic {
	detail := fmt.Sprintf("%s has no attribute %s.", capital(schema.words()), quote(a.Name))
	if b := schema.block(a.Name); b != nil {
		detail = fmt.Sprintf("In %s, %s is a block, not an attribute. Write it without the equals sign:\n  %s { … }", schema.words(), b.name, b.name)
	} else if hint := didYouMean(a.Name, schema.names()); hint != "" {
		detail += hint
	} else {
		detail += " " + schema.has()
	}
	return fault("unknown_attribute", "Unknown attribute", detail, a.NameRange)
}

// evaluate gives the value of an expression, known and without marks, or says
// that there is none, which has been reported then.
func (d *decoder) evaluate(e hclsyntax.Expression, k kind) (cty.Value, bool) {
	if word := hcl.ExprAsKeyword(e); contains(k.choices, word) {
		d.report(fault("unquoted_word", "Missing quotes", fmt.Sprintf("A word is written in quotes: %q", word), e.Range()))
		return cty.NilVal, false
	}
	v, ok := d.value(e, d.ctx, d.topic)
	if !ok {
		return cty.NilVal, false
	}
	if v.ContainsMarked() {
		d.report(fault("sensitive_value", "Sensitive value", "This value would be shown in plans and journals, and it comes from something that is marked sensitive. Use a value that may be shown.", e.Range()))
		return cty.NilVal, false
	}
	return v, true
}

// value evaluates an expression. Where that fails it reports why, unless
// something before it had failed, and returns false.
func (l *loader) value(e hclsyntax.Expression, ctx *hcl.EvalContext, topic string) (cty.Value, bool) {
	if !l.references(e, ctx, topic) {
		return cty.NilVal, false
	}
	v, diags := e.Value(ctx)
	for _, d := range fromHCL(diags, "invalid_expression") {
		l.add(d.about(topic))
	}
	if diags.HasErrors() || !v.IsWhollyKnown() {
		return cty.NilVal, false
	}
	return v, true
}

// convert makes plain data of an attribute's value and says whether it was
// bad.
func (d *decoder) convert(a *hclsyntax.Attribute, known *attribute, v cty.Value) (any, bool) {
	out, err := known.kind.convert(v)
	if err != nil {
		d.report(fault("invalid_value", "Invalid value", fmt.Sprintf("The attribute %s: %s", a.Name, sentence(err)), a.Expr.Range()).evaluating(a.Expr, d.ctx).hiding(known.secret))
		return nil, true
	}
	return out, false
}

// expression returns the expression of an attribute that is evaluated later,
// or nil.
func (d *decoder) expression(name string) hclsyntax.Expression {
	if s := d.out[name]; s != nil && s.value != nil {
		return s.value.(hclsyntax.Expression)
	}
	return nil
}
