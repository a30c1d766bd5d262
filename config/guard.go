package config

import (
	"fmt"
	"regexp"
	"strconv"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// What a file may hold at most. hcl descends by recursion and writes numbers
// out digit by digit, so that these are checked on the tokens before it parses.
const (
	maxFileBytes = 4 << 20
	maxDepth     = 1000 // brackets and operators around one another
	maxDigits    = 400  // of a number as it is written
	maxExponent  = 400
)

// guard returns what keeps a source from being parsed at all, or nil.
func guard(name string, src []byte) *Diagnostic {
	if len(src) > maxFileBytes {
		d := fault("file_too_large", "File too large",
			fmt.Sprintf("%s has %d bytes; a file may have at most %d. Split it: all *.hcl files of a directory are one configuration.", name, len(src), maxFileBytes), start(name))
		return &d
	}
	if !utf8.Valid(src) {
		d := fault("invalid_utf8", "Not UTF-8", "A byte here is not UTF-8 text. Save the file in UTF-8.", invalidAt(name, src))
		return &d
	}
	tokens, _ := hclsyntax.LexConfig(src, name, hcl.InitialPos) // the parser reports the errors, with all else
	return guardTokens(tokens)
}

// start is the place at which a file begins.
func start(name string) hcl.Range {
	return hcl.Range{Filename: name, Start: hcl.InitialPos, End: hcl.InitialPos}
}

// invalidAt finds the first byte that is not UTF-8.
func invalidAt(name string, src []byte) hcl.Range {
	pos := hcl.InitialPos
	for pos.Byte < len(src) {
		r, n := utf8.DecodeRune(src[pos.Byte:])
		if r == utf8.RuneError && n <= 1 {
			break
		}
		pos.Byte += n
		pos.Column++
		if r == '\n' {
			pos.Line, pos.Column = pos.Line+1, 1
		}
	}
	end := pos
	end.Byte, end.Column = pos.Byte+1, pos.Column+1
	return hcl.Range{Filename: name, Start: pos, End: end}
}

// guardTokens returns the first token that makes its expression too deep or
// its number too long, or nil.
func guardTokens(tokens hclsyntax.Tokens) *Diagnostic {
	var n nesting
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenNumberLit:
			if tooLong(string(t.Bytes)) {
				d := fault("number_too_large", "Number too large", fmt.Sprintf("A number may have %d digits and an exponent of %d.", maxDigits, maxExponent), t.Range)
				return &d
			}
		case hclsyntax.TokenQuotedLit, hclsyntax.TokenStringLit:
			if numberPattern.Match(t.Bytes) && tooLong(string(t.Bytes)) {
				d := fault("number_too_large", "Number too large", fmt.Sprintf("A number may have %d digits and an exponent of %d, in quotes too.", maxDigits, maxExponent), t.Range)
				return &d
			}
		}
		if n.step(t.Type); n.total > maxDepth {
			d := fault("too_deep", "Nested too deep", fmt.Sprintf("Brackets and operators are nested more than %d deep here. Use locals for parts of the expression.", maxDepth), t.Range)
			return &d
		}
	}
	return nil
}

var numberPattern = regexp.MustCompile(`^\s*[+-]?[0-9.]+([eE][+-]?[0-9]+)?\s*$`)

var exponentPattern = regexp.MustCompile(`[eE][+-]?0*([0-9]+)\s*$`)

func tooLong(number string) bool {
	if m := exponentPattern.FindStringSubmatch(number); m != nil {
		if e, err := strconv.Atoi(m[1]); err != nil || e > maxExponent {
			return true
		}
	}
	return len(number) > maxDigits+10
}

// nesting follows how deep the parser would have to go: a level for each open
// bracket, and one for each operator since the last separator inside it.
type nesting struct {
	open  []level
	top   level
	total int
}

type level struct {
	kind      hclsyntax.TokenType
	operators int
}

func (n *nesting) step(t hclsyntax.TokenType) {
	switch t {
	case hclsyntax.TokenOBrack, hclsyntax.TokenOParen: // an index or a call nests what stands before it
		n.count()
		n.push(t)
	case hclsyntax.TokenOBrace, hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc, hclsyntax.TokenTemplateInterp:
		n.push(t)
	case hclsyntax.TokenTemplateControl: // %{ if } and %{ for } stay open for the rest of their template
		n.count()
		n.push(t)
	case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc, hclsyntax.TokenTemplateSeqEnd:
		n.pop()
	case hclsyntax.TokenComma:
		n.separate()
	case hclsyntax.TokenNewline:
		if n.top.kind == 0 || n.top.kind == hclsyntax.TokenOBrace {
			n.separate()
		}
	case hclsyntax.TokenIdent, hclsyntax.TokenNumberLit, hclsyntax.TokenQuotedLit, hclsyntax.TokenStringLit, hclsyntax.TokenComment, hclsyntax.TokenEqual, hclsyntax.TokenEOF:
	default:
		n.count()
	}
}

func (n *nesting) push(t hclsyntax.TokenType) {
	n.open = append(n.open, n.top)
	n.top = level{kind: t}
	n.total++
}

func (n *nesting) pop() {
	if len(n.open) == 0 {
		return
	}
	n.total -= n.top.operators + 1
	n.top, n.open = n.open[len(n.open)-1], n.open[:len(n.open)-1]
}

func (n *nesting) count() {
	n.top.operators++
	n.total++
}

func (n *nesting) separate() {
	n.total -= n.top.operators
	n.top.operators = 0
}
