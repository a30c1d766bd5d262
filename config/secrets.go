package config

import (
	"bytes"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

type mark string

// sensitiveMark is on values that nothing may show.
const sensitiveMark mark = "sensitive"

// shortestSecret is the length below which a sensitive text is not looked for
// in messages: it would be found everywhere.
const shortestSecret = 4

// keepSecret remembers the texts of a sensitive value, so that no message
// quotes them by chance.
func (l *loader) keepSecret(v cty.Value) {
	v, _ = v.UnmarkDeep()
	if !v.IsWhollyKnown() {
		return
	}
	_ = cty.Walk(v, func(_ cty.Path, e cty.Value) (bool, error) {
		if !e.IsNull() && e.Type() == cty.String {
			l.secrets.add(e.AsString())
		}
		return true, nil
	})
}

// secrets are texts to be taken out of whatever is shown, and whole literals
// to be left out of digests.
type secrets struct{ texts, whole map[string]bool }

func (s *secrets) add(text string) {
	if s.texts == nil {
		s.texts, s.whole = map[string]bool{}, map[string]bool{}
	}
	s.whole[text] = true
	if len(text) >= shortestSecret {
		s.texts[text] = true
	}
}

// redact replaces the secrets in a text.
func (s *secrets) redact(text string) string {
	if s == nil || len(s.texts) == 0 {
		return text
	}
	list := sortedKeys(s.texts)
	sort.SliceStable(list, func(i, j int) bool { return len(list[i]) > len(list[j]) })
	for _, secret := range list {
		text = strings.ReplaceAll(text, secret, "(sensitive)")
	}
	return text
}

// keepLiterals remembers the texts that a file has as arguments of sensitive
// and as passwords: an error elsewhere in their line must not show them.
func (l *loader) keepLiterals(s *source) {
	if s.body == nil || !bytes.Contains(s.src, []byte("sensitive")) && !bytes.Contains(s.src, []byte(saslBlock.name)) {
		return
	}
	_ = hclsyntax.VisitAll(s.body, func(node hclsyntax.Node) hcl.Diagnostics {
		for _, e := range secretExpressions(node) {
			if v, diags := e.Value(nil); !diags.HasErrors() {
				l.keepSecret(v)
			}
		}
		return nil
	})
}
