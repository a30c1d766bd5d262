package config

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// maxInstances bounds the topics that one block declares.
const maxInstances = 100_000

// instance is one element of a for_each, or the block itself where there is
// none.
type instance struct {
	ctx  *hcl.EvalContext
	key  string
	each bool
}

// declarations returns the topics that a block declares. A block whose names
// cannot be told declares none.
func (l *loader) declarations(b *hclsyntax.Block) []*declaration {
	instances, ok := l.instances(b)
	if !ok {
		l.decode(b.Body, topicBlock, l.unknownEach(), "", "for_each", "name")
		return l.nameless(b)
	}
	var out []*declaration
	for _, i := range instances {
		decl := &declaration{at: b.DefRange(), nameAt: b.LabelRanges[0], key: i.key, each: i.each}
		if !l.name(decl, b, i.ctx) {
			l.decode(b.Body, topicBlock, i.ctx, "", "for_each", "name")
			out = append(out, l.nameless(b)...)
			continue
		}
		d := l.decode(b.Body, topicBlock, i.ctx, decl.name, "for_each", "name")
		decl.set, decl.broken = d.out, d.bad()
		out = append(out, decl)
	}
	return out
}

// unknownEach is for the sake of errors that do not come of the elements.
func (l *loader) unknownEach() *hcl.EvalContext {
	ctx := l.ctx.NewChild()
	ctx.Variables = map[string]cty.Value{"each": cty.ObjectVal(map[string]cty.Value{"key": cty.UnknownVal(cty.String), "value": cty.DynamicVal})}
	return ctx
}

// nameless declares, as broken, the topic that the label names where nothing
// else does.
func (l *loader) nameless(b *hclsyntax.Block) []*declaration {
	if b.Body.Attributes["for_each"] != nil || b.Body.Attributes["name"] != nil || CheckTopicName(b.Labels[0]) != nil {
		return nil
	}
	return []*declaration{{name: b.Labels[0], at: b.DefRange(), nameAt: b.LabelRanges[0], set: settings{}, broken: true}}
}

// name finds a topic's name: that of the attribute, or else the label.
func (l *loader) name(decl *declaration, b *hclsyntax.Block, ctx *hcl.EvalContext) bool {
	decl.name = b.Labels[0]
	a := b.Body.Attributes["name"]
	if a == nil {
		return l.checkName(decl)
	}
	d := &decoder{loader: l, ctx: ctx, out: settings{}}
	d.attribute(a, topicBlock, "")
	s := d.out["name"]
	if s.value == nil {
		if !s.bad {
			l.add(fault("invalid_value", "Invalid value", "The attribute name: it is null, and a topic needs a name.", a.Expr.Range()).evaluating(a.Expr, ctx))
		}
		return false
	}
	decl.name, decl.nameAt = s.value.(string), a.Expr.Range()
	return l.checkName(decl)
}

// instances evaluates for_each.
func (l *loader) instances(b *hclsyntax.Block) ([]instance, bool) {
	a := b.Body.Attributes["for_each"]
	if a == nil {
		return []instance{{ctx: l.ctx}}, true
	}
	if b.Body.Attributes["name"] == nil {
		l.add(fault("missing_attribute", "Missing attribute", "A topic block with for_each needs the attribute name, for instance:\n  name = \""+b.Labels[0]+"-${each.key}\"", a.NameRange))
		return nil, false
	}
	d := &decoder{loader: l, ctx: l.ctx, out: settings{}}
	v, ok := d.evaluate(a.Expr, kindAny)
	if !ok {
		return nil, false
	}
	out, err := l.each(v)
	if err != nil {
		l.add(fault("invalid_for_each", "Invalid for_each", "The attribute for_each: "+sentence(err), a.Expr.Range()).evaluating(a.Expr, l.ctx))
		return nil, false
	}
	return out, true
}

// each makes an instance of each element of a map or a list of strings.
func (l *loader) each(v cty.Value) ([]instance, error) {
	if v.IsNull() {
		return nil, fmt.Errorf("it is null")
	}
	t := v.Type()
	keyed := t.IsMapType() || t.IsObjectType()
	if !keyed && !t.IsListType() && !t.IsSetType() && !t.IsTupleType() {
		return nil, fmt.Errorf("a map or a list of strings is needed, this is %s", friendly(v))
	}
	if n := v.LengthInt(); n > maxInstances {
		return nil, fmt.Errorf("it has %d elements, and at most %d are possible", n, maxInstances)
	}
	var out []instance
	for it := v.ElementIterator(); it.Next(); {
		key, value := it.Element()
		if !keyed {
			if value.IsNull() || value.Type() != cty.String {
				return nil, fmt.Errorf("a map or a list of strings is needed, and an element of this list is %s", friendly(value))
			}
			key = value
		}
		ctx := l.ctx.NewChild()
		ctx.Variables = map[string]cty.Value{"each": cty.ObjectVal(map[string]cty.Value{"key": key, "value": value})}
		out = append(out, instance{ctx: ctx, key: key.AsString(), each: true})
	}
	return out, nil
}
