package config

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// variable is a variable block, decoded.
type variable struct {
	name        string
	at          hcl.Range
	wanted      cty.Type           // cty.NilType: none declared
	optional    *typeexpr.Defaults // of optional attributes of the type, or nil
	standard    cty.Value          // of default, cty.NilVal where there is none
	sensitive   bool
	bad         bool
	validations []*decoder
	value       cty.Value // as it is used; unknown where it is bad
}

// given is a value for a variable from outside.
type given struct {
	text string               // of -var and the environment
	expr hclsyntax.Expression // of a file; nil for a text
	from string               // where it is from, in words
	at   hcl.Range
}

// variables evaluates the variable blocks and gives the value of var.
func (l *loader) variables(blocks []*hclsyntax.Block) map[string]cty.Value {
	byName, places := map[string]*variable{}, map[string][]hcl.Range{}
	for _, b := range blocks {
		v := l.variable(b)
		places[v.name] = append(places[v.name], v.at)
		byName[v.name] = v
	}
	for _, name := range sortedKeys(places) {
		if len(places[name]) > 1 {
			l.add(declaredTwice("the variable "+quote(name), "duplicate_variable", places[name]))
			byName[name].bad = true
		}
	}
	values := l.givenValues(byName)
	out := map[string]cty.Value{}
	for _, name := range sortedKeys(byName) {
		l.settle(byName[name], values[name])
		out[name] = byName[name].value
	}
	l.inputs = byName
	l.validate(byName, out)
	return out
}

// variable decodes a block.
func (l *loader) variable(b *hclsyntax.Block) *variable {
	v := &variable{name: b.Labels[0], at: b.DefRange()}
	if !hclsyntax.ValidIdentifier(v.name) {
		l.add(fault("invalid_name", "Invalid name", fmt.Sprintf("A variable's name has letters, digits, '_' and '-', and begins with a letter; %s does not.", quote(v.name)), b.LabelRanges[0]))
		v.bad = true
	}
	d := l.decode(b.Body, variableBlock, l.ctx, "")
	v.validations = d.many["validation"]
	v.bad = v.bad || d.bad()
	get(d.out, "sensitive", &v.sensitive)
	if e := d.expression("type"); e != nil {
		v.typed(l, e)
	}
	if e := d.expression("default"); e != nil {
		v.standard = l.constant(v, given{expr: e, at: e.Range(), from: "default"})
	}
	return v
}

func (v *variable) typed(l *loader, e hclsyntax.Expression) {
	wanted, optional, diags := typeexpr.TypeConstraintWithDefaults(e)
	for _, d := range fromHCL(diags, "invalid_type") {
		l.add(d)
	}
	v.bad = v.bad || diags.HasErrors()
	if !diags.HasErrors() {
		v.wanted, v.optional = wanted, optional
	}
}

// constant evaluates and converts a value that is given for a variable, and
// returns cty.NilVal where it is of no use.
func (l *loader) constant(v *variable, g given) cty.Value {
	value, ok := l.givenValue(v, g)
	if !ok {
		v.bad = true
		return cty.NilVal
	}
	if v.wanted == cty.NilType {
		return value
	}
	if v.optional != nil && !value.IsNull() {
		value = v.optional.Apply(value)
	}
	out, err := convert.Convert(value, v.wanted)
	if err != nil {
		v.bad = true
		l.add(fault("invalid_variable", "Invalid value for a variable", fmt.Sprintf("The variable %s is of type %s, and %s does not fit: %s", quote(v.name), typeexpr.TypeString(v.wanted), g.from, sentence(err)), g.at).hiding(v.sensitive))
		return cty.NilVal
	}
	return out
}

// givenValue evaluates what is given, before it is converted.
func (l *loader) givenValue(v *variable, g given) (cty.Value, bool) {
	if g.expr == nil {
		return l.parseGiven(v, g)
	}
	value, diags := g.expr.Value(nil)
	for _, d := range fromHCL(diags, "invalid_variable") {
		l.add(d.hiding(v.sensitive))
	}
	return value, !diags.HasErrors()
}

// parseGiven reads the text of -var or the environment: as it is for strings,
// numbers and bools, as an expression for all else.
func (l *loader) parseGiven(v *variable, g given) (cty.Value, bool) {
	wanted := v.wanted
	if wanted == cty.NilType && v.standard != cty.NilVal && !v.standard.IsNull() {
		wanted = v.standard.Type()
	}
	if wanted == cty.NilType || wanted.IsPrimitiveType() {
		value, err := textValue(g.text)
		if err == nil && wanted != cty.NilType {
			value, err = convert.Convert(value, wanted)
		}
		if err != nil {
			l.add(fault("invalid_variable", "Invalid value for a variable", fmt.Sprintf("The variable %s, from %s: %s", quote(v.name), g.from, sentence(err)), hcl.Range{}))
		}
		return value, err == nil
	}
	return l.parseExpression(v, g)
}

func (l *loader) parseExpression(v *variable, g given) (cty.Value, bool) {
	wrong := func(detail string) (cty.Value, bool) {
		if v.sensitive {
			detail = "It is not an expression of HCL."
		}
		l.add(fault("invalid_variable", "Invalid value for a variable", fmt.Sprintf("The variable %s, from %s: %s", quote(v.name), g.from, detail), hcl.Range{}))
		return cty.NilVal, false
	}
	if d := guard("-var", []byte(g.text)); d != nil {
		return wrong(d.Detail)
	}
	e, diags := hclsyntax.ParseExpression([]byte(g.text), "-var", hcl.InitialPos)
	if diags.HasErrors() {
		return wrong(diags[0].Detail)
	}
	value, diags := e.Value(nil)
	if diags.HasErrors() {
		return wrong(diags[0].Detail)
	}
	return value, true
}

// settle decides the value of a variable.
func (l *loader) settle(v *variable, g *given) {
	v.value = cty.DynamicVal
	value := v.standard
	switch {
	case g != nil:
		value = l.constant(v, *g)
	case v.standard == cty.NilVal && !v.bad:
		v.bad = true
		l.add(fault("missing_variable", "No value for a variable", fmt.Sprintf("The variable %s has no default. Give it a value:\n  -var %s=…, a -var-file, or BALLAST_VAR_%s in the environment", quote(v.name), v.name, v.name), v.at))
	}
	if v.bad || value == cty.NilVal {
		return
	}
	if err := l.bound(value); err != nil {
		l.add(fault("invalid_variable", "Invalid value for a variable", fmt.Sprintf("The variable %s: %s", quote(v.name), sentence(err)), v.at))
		return
	}
	if v.sensitive {
		l.keepSecret(value)
		value = value.Mark(sensitiveMark)
	}
	v.value = value
}

// validate evaluates the validation blocks of all variables.
func (l *loader) validate(all map[string]*variable, values map[string]cty.Value) {
	ctx := &hcl.EvalContext{Functions: l.ctx.Functions, Variables: map[string]cty.Value{"var": cty.ObjectVal(values)}}
	for _, name := range sortedKeys(all) {
		v := all[name]
		if v.bad {
			continue
		}
		for _, d := range v.validations {
			l.validation(v, d, ctx)
		}
	}
}

func (l *loader) validation(v *variable, d *decoder, ctx *hcl.EvalContext) {
	condition := d.expression("condition")
	if condition == nil {
		return
	}
	holds, ok := l.value(condition, ctx, "")
	if !ok {
		return
	}
	holds, _ = holds.UnmarkDeep()
	truth, err := convert.Convert(holds, cty.Bool)
	if err != nil || truth.IsNull() {
		l.add(fault("invalid_value", "Invalid condition", "A condition is true or false; this is "+friendly(holds)+".", condition.Range()))
		return
	}
	if truth.False() {
		l.add(fault("invalid_variable", "Invalid value for a variable", l.message(d, ctx, "The condition does not hold."), condition.Range()).evaluating(condition, ctx))
	}
}

// message evaluates an error_message, which says nothing that is sensitive.
func (l *loader) message(d *decoder, ctx *hcl.EvalContext, otherwise string) string {
	e := d.expression("error_message")
	if e == nil {
		return otherwise
	}
	v, ok := l.value(e, ctx, d.topic)
	if !ok || v.IsNull() {
		return otherwise
	}
	if v.ContainsMarked() {
		return "What there is to say of it is sensitive."
	}
	s, err := toString(v)
	if err != nil || strings.TrimSpace(s) == "" {
		return otherwise
	}
	return s
}
