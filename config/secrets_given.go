package config

import (
	"bytes"
	"regexp"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// evaluateFor is evaluate for an attribute that may be private or secret.
func (d *decoder) evaluateFor(known *attribute, e hclsyntax.Expression) (cty.Value, bool) {
	if !known.private && !known.secret {
		return d.evaluate(e, known.kind)
	}
	v, ok := d.value(e, d.ctx, d.topic)
	if !ok {
		return cty.NilVal, false
	}
	if known.secret || v.ContainsMarked() {
		d.keepSecret(v)
	}
	v, _ = v.UnmarkDeep()
	if known.secret && !v.IsNull() && v.Type() == cty.Number {
		if text, err := numberText(v); err == nil {
			d.secrets.add(text)
		}
	}
	return v, true
}

// secretExpressions are the expressions at a node of a file whose values
// nothing may show: arguments of sensitive, what is meant for a password in a
// cluster block, and all that a sasl block has but what is known to be no
// secret, so that a misspelt password is one too.
func secretExpressions(node hclsyntax.Node) []hclsyntax.Expression {
	switch n := node.(type) {
	case *hclsyntax.FunctionCallExpr:
		if n.Name == "sensitive" {
			return n.Args
		}
	case *hclsyntax.Block:
		switch n.Type {
		case clusterBlock.name:
			return secretsOfCluster(n.Body)
		case saslBlock.name:
			return secretsIn(n.Body, true)
		case variableBlock.name:
			return secretDefault(n.Body)
		}
	}
	return nil
}

// secretsOfCluster are those of a cluster block itself, and of blocks in it
// that the language does not have: they may be a misspelt sasl.
func secretsOfCluster(body *hclsyntax.Body) []hclsyntax.Expression {
	out := secretsIn(body, false)
	for _, inner := range body.Blocks {
		if inner.Type != saslBlock.name {
			out = append(out, secretsIn(inner.Body, clusterBlock.block(inner.Type) == nil)...)
		}
	}
	return out
}

// secretsIn are the expressions of the attributes that are, or may be meant
// for, passwords: in a block of credentials, all that are not known to be none.
func secretsIn(body *hclsyntax.Body, credentials bool) []hclsyntax.Expression {
	var out []hclsyntax.Expression
	for _, a := range attributesInOrder(body) {
		unknown := credentials && saslBlock.attr(a.Name) == nil
		if unknown || looksSecret(a.Name) {
			out = append(out, a.Expr)
		}
	}
	return out
}

// secretDefault is the default of a variable that is sensitive.
func secretDefault(body *hclsyntax.Body) []hclsyntax.Expression {
	sensitive, standard := body.Attributes["sensitive"], body.Attributes["default"]
	if sensitive == nil || standard == nil {
		return nil
	}
	if v, diags := sensitive.Expr.Value(nil); !diags.HasErrors() && v.Type() == cty.Bool && !v.IsNull() && v.False() {
		return nil
	}
	return []hclsyntax.Expression{standard.Expr}
}

// withoutSecrets is a file's text without the literals that are secrets, for
// the digest: whoever knows all else of a file could guess a short one.
func (l *loader) withoutSecrets(s *source) []byte {
	if s.body == nil || len(l.secrets.whole) == 0 {
		return s.src
	}
	var cut []hcl.Range
	_ = hclsyntax.VisitAll(s.body, func(node hclsyntax.Node) hcl.Diagnostics {
		if e, ok := node.(*hclsyntax.TemplateExpr); ok && len(e.Variables()) == 0 {
			if v, diags := e.Value(nil); !diags.HasErrors() && l.isSecret(v) {
				cut = append(cut, e.Range())
			}
		}
		if e, ok := node.(*hclsyntax.LiteralValueExpr); ok && e.Val.Type() == cty.Number {
			if text, err := numberText(e.Val); err == nil && l.secrets.whole[text] {
				cut = append(cut, e.Range())
			}
		}
		return nil
	})
	sortRanges(cut)
	var out bytes.Buffer
	at := 0
	for _, r := range cut {
		if r.Start.Byte >= at {
			out.Write(s.src[at:r.Start.Byte])
			at = r.End.Byte
		}
	}
	out.Write(s.src[at:])
	return out.Bytes()
}

// isSecret says whether a variable that is not called sensitive has a text
// that is used as a password.
func (l *loader) isSecret(v cty.Value) bool {
	return v.Type() == cty.String && v.IsKnown() && !v.IsNull() && !v.IsMarked() && l.secrets.whole[v.AsString()]
}

var passwordLine = regexp.MustCompile(`^\s*(password|token)\s*=`)

// hidePasswords hides the lines of syntax errors that look like a password's:
// what could not be parsed is known by its looks alone.
func hidePasswords(src []byte, diags []Diagnostic) []Diagnostic {
	if len(diags) == 0 {
		return nil
	}
	lines := bytes.Split(src, []byte("\n"))
	for i, d := range diags {
		if d.hcl.Subject == nil {
			continue
		}
		for n := d.Line; n >= 1 && n <= d.hcl.Subject.End.Line && n <= len(lines); n++ {
			diags[i] = diags[i].hiding(passwordLine.Match(lines[n-1]))
		}
	}
	return diags
}
