package config

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// references says whether all variables and locals that an expression uses are
// declared, and reports those that are not. While a file could not be parsed
// they may be in there, so that nothing is said.
func (l *loader) references(e hclsyntax.Expression, ctx *hcl.EvalContext, topic string) bool {
	ok := true
	for _, t := range e.Variables() {
		if d := l.reference(t, ctx); d != nil {
			ok = false
			if !l.partial {
				l.add(d.about(topic))
			}
		}
	}
	return ok
}

// reference returns what is wrong with one reference, or nil.
func (l *loader) reference(t hcl.Traversal, ctx *hcl.EvalContext) *Diagnostic {
	name, named := attributeOf(t)
	var d Diagnostic
	switch root := t.RootName(); {
	case root == "var" && named && l.inputs != nil && l.inputs[name] == nil:
		d = fault("unknown_variable", "Unknown variable", fmt.Sprintf("There is no variable %s.%s", quote(name), orElse(didYouMean(name, sortedKeys(l.inputs)), fmt.Sprintf(" Declare it:\n  variable %q {}", name))), t.SourceRange())
	case root == "local" && named && l.named != nil && l.named[name] == nil:
		d = fault("unknown_variable", "Unknown local", fmt.Sprintf("There is no local %s.%s", quote(name), orElse(didYouMean(name, sortedKeys(l.named)), fmt.Sprintf(" Locals are declared in a block:\n  locals { %s = … }", name))), t.SourceRange())
	case root == "each" && !hasEach(ctx):
		d = fault("unknown_variable", "No each here", "The object each is there only in a topic block with for_each.", t.SourceRange())
	default:
		return nil
	}
	return &d
}

func hasEach(ctx *hcl.EvalContext) bool {
	for ; ctx != nil; ctx = ctx.Parent() {
		if _, ok := ctx.Variables["each"]; ok {
			return true
		}
	}
	return false
}
