package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// local is a named expression.
type local struct {
	name  string
	attr  *hclsyntax.Attribute
	state int // 0 untouched, 1 under way, 2 done
	value cty.Value
}

// locals evaluates the locals blocks, each after what it needs, and gives the
// value of local.
func (l *loader) locals(blocks []*hclsyntax.Block) map[string]cty.Value {
	l.named = map[string]*local{}
	places := map[string][]hcl.Range{}
	for _, b := range blocks {
		for _, inner := range b.Body.Blocks {
			l.add(fault("unknown_block", "Unknown block", "A locals block has attributes only: NAME = EXPRESSION", inner.TypeRange))
		}
		for _, a := range attributesInOrder(b.Body) {
			places[a.Name] = append(places[a.Name], a.SrcRange)
			l.named[a.Name] = &local{name: a.Name, attr: a, value: cty.DynamicVal}
		}
	}
	out := map[string]cty.Value{}
	for _, name := range sortedKeys(l.named) {
		if len(places[name]) > 1 {
			l.add(declaredTwice("the local "+quote(name), "duplicate_local", places[name]))
			l.named[name].state = 2
		}
		l.resolve(l.named[name], nil)
		out[name] = l.named[name].value
	}
	return out
}

// resolve evaluates a local. path are the locals that wait for it.
func (l *loader) resolve(x *local, path []*local) {
	if x.state == 2 {
		return
	}
	if x.state == 1 {
		l.cycle(x, path)
		return
	}
	x.state = 1
	needs := map[string]cty.Value{}
	for _, name := range l.localsIn(x.attr.Expr) {
		if other := l.named[name]; other != nil {
			l.resolve(other, append(path, x))
			needs[name] = other.value
		}
	}
	x.state = 2
	ctx := &hcl.EvalContext{Functions: l.ctx.Functions, Variables: map[string]cty.Value{"var": l.ctx.Variables["var"], "local": cty.ObjectVal(needs)}}
	v, ok := l.value(x.attr.Expr, ctx, "")
	if !ok {
		return
	}
	if err := l.bound(v); err != nil {
		l.add(fault("invalid_local", "Invalid local", capital(sentence(err)), x.attr.Expr.Range()))
		return
	}
	x.value = v
}

// localsIn returns the names of the locals that an expression uses.
func (l *loader) localsIn(e hclsyntax.Expression) []string {
	var out []string
	for _, t := range e.Variables() {
		if t.RootName() != "local" {
			continue
		}
		name, ok := attributeOf(t)
		if !ok {
			return sortedKeys(l.named) // the object as a whole
		}
		out = append(out, name)
	}
	return out
}

// attributeOf returns the NAME of var.NAME or var["NAME"].
func attributeOf(t hcl.Traversal) (string, bool) {
	if len(t) < 2 {
		return "", false
	}
	switch step := t[1].(type) {
	case hcl.TraverseAttr:
		return step.Name, true
	case hcl.TraverseIndex:
		if step.Key.IsKnown() && !step.Key.IsNull() && step.Key.Type() == cty.String {
			return step.Key.AsString(), true
		}
	}
	return "", false
}

// cycle reports that a local needs itself.
func (l *loader) cycle(x *local, path []*local) {
	var names []string
	for i := len(path) - 1; i >= 0; i-- {
		names = append([]string{fmt.Sprintf("local.%s (%s)", path[i].name, place(path[i].attr.SrcRange))}, names...)
		if path[i] == x {
			break
		}
	}
	names = append(names, "local."+x.name)
	l.add(fault("cycle", "Cycle among locals", "Each of these needs the next: "+strings.Join(names, ", ")+".", x.attr.SrcRange))
}

// What the values of variables and locals may come to: a small text that refers
// to itself in turns can describe any amount.
const (
	maxValueSize  = 16 << 20 // of all together: the characters of texts and the number of elements
	maxValueDepth = 100
)

// bound returns an error for a value that only a mistake makes.
func (l *loader) bound(v cty.Value) error {
	v, _ = v.UnmarkDeep()
	return cty.Walk(v, func(path cty.Path, e cty.Value) (bool, error) {
		l.size++
		if len(path) > maxValueDepth {
			return false, fmt.Errorf("the value is nested more than %d deep", maxValueDepth)
		}
		if e.IsNull() || !e.IsKnown() {
			return false, nil
		}
		switch e.Type() {
		case cty.String:
			l.size += len(e.AsString())
		case cty.Number:
			if _, err := toNumber(e); err != nil {
				return false, err
			}
		}
		if l.size > maxValueSize {
			return false, errors.New("with this value, all variables and locals together are too large")
		}
		return true, nil
	})
}
