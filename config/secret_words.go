package config

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// wordsOf are the texts of an expression that may be a password or part of one:
// its literals, and names that mean nothing, as those of a password without
// quotes. The names of environment variables and files are none.
func wordsOf(e hclsyntax.Expression) []string {
	var out []string
	named := map[hclsyntax.Node]bool{}
	_ = hclsyntax.VisitAll(e, func(node hclsyntax.Node) hcl.Diagnostics {
		switch n := node.(type) {
		case *hclsyntax.FunctionCallExpr:
			if _, known := standardFunctions[n.Name]; !known && !ownFunctions[n.Name] {
				out = append(out, n.Name)
			}
			if (n.Name == "env" || n.Name == "file") && len(n.Args) > 0 {
				nameNothing(n.Args[0], named)
			}
		case *hclsyntax.LiteralValueExpr:
			if !named[node] {
				out = append(out, literalText(n.Val)...)
			}
		case *hclsyntax.ScopeTraversalExpr:
			if root := n.Traversal.RootName(); root != "var" && root != "local" {
				out = append(out, strings.Split(traversalText(n.Traversal), ".")...)
			}
		}
		return nil
	})
	return out
}

// nameNothing remembers the literals of a name, which are no password.
func nameNothing(name hclsyntax.Node, named map[hclsyntax.Node]bool) {
	_ = hclsyntax.VisitAll(name, func(node hclsyntax.Node) hcl.Diagnostics {
		named[node] = true
		return nil
	})
}

// ownFunctions are the functions that are not taken from cty as they are.
var ownFunctions = func() map[string]bool {
	out := map[string]bool{}
	for name := range (&loader{}).functions() {
		out[name] = true
	}
	return out
}()

// literalText is the text of a literal, where it has one.
func literalText(v cty.Value) []string {
	switch {
	case v.IsNull() || !v.IsKnown():
		return nil
	case v.Type() == cty.String:
		return []string{v.AsString()}
	case v.Type() == cty.Number:
		return []string{shortNumber(v.AsBigFloat())}
	}
	return nil
}

// without takes the words of a secret place out of a message about it: long
// ones wherever they are, short ones where they are quoted.
func (p *secretPlace) without(text string) string {
	for _, w := range p.words {
		if len(w) >= shortestSecret {
			text = strings.ReplaceAll(text, w, hiddenText)
		} else if w != "" {
			text = strings.ReplaceAll(text, quote(w), hiddenText)
		}
	}
	return text
}
