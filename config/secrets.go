package config

import (
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
// to be left out of digests. It knows where in the files secrets stand.
type secrets struct {
	texts, whole map[string]bool
	places       map[string][]secretPlace // by file
}

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
		text = strings.ReplaceAll(text, secret, hiddenText)
	}
	return text
}

// hideAt takes what a diagnostic says of a secret place out of it.
func (s *secrets) hideAt(d *Diagnostic) {
	if s == nil || d.hcl == nil {
		return
	}
	if p := within(s.places[d.File], d.hcl.Subject); p != nil {
		d.Summary, d.Detail = p.without(d.Summary), p.without(d.Detail)
	}
}

// keepPlaces remembers where in a file secrets stand.
func (s *secrets) keepPlaces(file string, d *document) {
	if s.places == nil {
		s.places = map[string][]secretPlace{}
	}
	if len(d.places) > 0 {
		s.places[file] = d.places
	}
}

// keepLiterals remembers the texts that a file has as arguments of sensitive
// and as passwords: an error elsewhere in their line must not show them.
func (l *loader) keepLiterals(s *source) {
	if s.body == nil || len(s.document.places) == 0 {
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
