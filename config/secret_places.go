package config

import (
	"regexp"
	"sort"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// secretPlace is a part of a source that nothing may show, whether it can be
// evaluated or not: what is assigned to a password, an argument of sensitive.
type secretPlace struct {
	from, to int      // bytes
	words    []string // what stands in it, to be taken out of messages of it
}

// secretName is how attributes are called that are passwords, in a block where
// some are or in a file that cannot be parsed.
var secretName = regexp.MustCompile(`(?i)passw|passphrase|^pass$|secret|token|credential|^sasl$`)

// looksSecret says whether an attribute that the language does not have may be
// meant for a password.
func looksSecret(name string) bool {
	if known := saslBlock.attr(name); known != nil {
		return known.secret
	}
	return secretName.MatchString(name) || contains([]string{"password", "token"}, nearest(name, []string{"password", "token"}))
}

// placesIn are the secret places of a source. Where it could not be parsed they
// are found by the looks of its tokens.
func placesIn(src []byte, body *hclsyntax.Body, sound bool) []secretPlace {
	var out []secretPlace
	if body != nil {
		for _, e := range secretsIn(body, false) {
			out = append(out, placeOf(e))
		}
		_ = hclsyntax.VisitAll(body, func(node hclsyntax.Node) hcl.Diagnostics {
			for _, e := range secretExpressions(node) {
				out = append(out, placeOf(e))
			}
			return nil
		})
	}
	if !sound {
		out = append(out, placesByLooks(src)...)
	}
	return joined(out)
}

func placeOf(e hclsyntax.Expression) secretPlace {
	r := e.Range()
	return secretPlace{from: r.Start.Byte, to: r.End.Byte, words: wordsOf(e)}
}

// hide makes expressions of a source secret.
func (d *document) hide(expressions []hclsyntax.Expression) {
	for _, e := range expressions {
		d.places = append(d.places, placeOf(e))
	}
	d.places = joined(d.places)
}

// placesByLooks finds what follows the name of a password and an equals sign,
// to the end of the line, and what stands in sensitive's brackets.
func placesByLooks(src []byte) []secretPlace {
	tokens, _ := hclsyntax.LexConfig(src, "", hcl.InitialPos)
	var out []secretPlace
	for i := 0; i+1 < len(tokens); i++ {
		name, next := string(tokens[i].Bytes), tokens[i+1]
		if tokens[i].Type != hclsyntax.TokenIdent {
			continue
		}
		assigned := next.Type == hclsyntax.TokenEqual && looksSecret(name)
		if called := next.Type == hclsyntax.TokenOParen && name == "sensitive"; assigned || called {
			out = append(out, secretPlace{from: next.Range.End.Byte, to: endOf(tokens[i+1:], len(src))})
		}
	}
	return out
}

// endOf is where the expression after the first token ends: at the first line
// end or closing bracket that is not inside of others.
func endOf(tokens hclsyntax.Tokens, end int) int {
	depth := 0
	for i, t := range tokens[1:] {
		switch t.Type {
		case hclsyntax.TokenOParen, hclsyntax.TokenOBrack, hclsyntax.TokenOBrace, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl, hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc:
			depth++
		case hclsyntax.TokenCParen, hclsyntax.TokenCBrack, hclsyntax.TokenCBrace, hclsyntax.TokenTemplateSeqEnd, hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc:
			depth--
		}
		if depth < 0 || depth == 0 && t.Type == hclsyntax.TokenNewline && i > 0 {
			return t.Range.Start.Byte
		}
	}
	return end
}

// within says whether a range touches a secret place, and returns it.
func within(places []secretPlace, r *hcl.Range) *secretPlace {
	if r == nil {
		return nil
	}
	for i := range places {
		if p := &places[i]; r.Start.Byte < p.to && r.End.Byte > p.from {
			return p
		}
	}
	return nil
}

// masked is a line of a source, which begins at a byte, without the secrets in
// it; the positions, which are of the line, move with it.
func masked(places []secretPlace, line string, begin int, positions ...*int) string {
	for i := len(places) - 1; i >= 0; i-- { // from the end, so that what is before keeps its place
		from, to := max(places[i].from-begin, 0), min(places[i].to-begin, len(line))
		if from >= to {
			continue
		}
		line = line[:from] + hiddenText + line[to:]
		for _, p := range positions {
			switch {
			case *p >= to:
				*p += len(hiddenText) - (to - from)
			case *p > from:
				*p = from + len(hiddenText)
			}
		}
	}
	return line
}

// joined are the places in order, those that overlap made one.
func joined(places []secretPlace) []secretPlace {
	sort.SliceStable(places, func(i, j int) bool { return places[i].from < places[j].from })
	var out []secretPlace
	for _, p := range places {
		if n := len(out) - 1; n >= 0 && p.from < out[n].to {
			out[n].to = max(out[n].to, p.to)
			out[n].words = append(out[n].words, p.words...)
			continue
		}
		out = append(out, p)
	}
	return out
}
