package config

import (
	"fmt"
	"math/big"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// snippet is the part of a source that a diagnostic shows.
type snippet struct {
	context string // the block around it: topic "orders"
	lines   []snippetLine
}

// snippetLine is a line of a source, of which text[from:to] is marked.
type snippetLine struct {
	number   int
	text     string
	from, to int
	marked   bool // where from is to, the mark is between two characters
}

// mostLines is how many lines of a range are shown.
const mostLines = 5

// document is a source as diagnostics show it.
type document struct {
	src    []byte
	lines  []int           // where each line begins
	body   *hclsyntax.Body // nil where it could not be parsed
	places []secretPlace
}

func newDocument(src []byte, body *hclsyntax.Body, sound bool) *document {
	d := &document{src: src, body: body, lines: []int{0}, places: placesIn(src, body, sound)}
	for i, c := range src {
		if c == '\n' {
			d.lines = append(d.lines, i+1)
		}
	}
	return d
}

// line returns a line without its end, and where it begins.
func (d *document) line(number int) (string, int) {
	begin, end := d.lines[number-1], len(d.src)
	if number < len(d.lines) {
		end = d.lines[number]
	}
	return strings.TrimRight(string(d.src[begin:end]), "\r\n"), begin
}

// snippetOf finds the source of a diagnostic. One that knows only its line has
// the whole line, unmarked.
func snippetOf(d Diagnostic, sources map[string]*document) snippet {
	doc := sources[d.File]
	if doc == nil || d.Line < 1 || d.Line > len(doc.lines) {
		return snippet{}
	}
	text, begin := doc.line(d.Line)
	s := snippet{context: doc.contextAt(begin + len(text))}
	if d.hcl == nil || d.hcl.Subject == nil {
		text = masked(doc.places, text, begin)
		s.lines = []snippetLine{{number: d.Line, text: text, from: len(text), to: len(text)}}
		return s
	}
	s.lines = doc.marked(d.Line, *d.hcl.Subject)
	return s
}

// marked cuts a range into lines, beginning with the given one.
func (d *document) marked(first int, r hcl.Range) []snippetLine {
	var out []snippetLine
	for n := first; n <= len(d.lines) && len(out) < mostLines; n++ {
		text, begin := d.line(n)
		if begin >= r.End.Byte && n > first {
			break
		}
		from := min(max(r.Start.Byte-begin, len(text)-len(strings.TrimLeft(text, " \t"))), len(text))
		to := min(max(r.End.Byte-begin, from), len(text))
		marked := n == first || to > from
		text = masked(d.places, text, begin, &from, &to)
		out = append(out, snippetLine{number: n, text: text, from: runeStart(text, from), to: runeStart(text, to), marked: marked})
	}
	return out
}

// runeStart moves an index back to where its character begins.
func runeStart(s string, i int) int {
	for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}

// contextAt names the block around a place by its header.
func (d *document) contextAt(offset int) string {
	if d.body == nil {
		return ""
	}
	blocks := d.body.Blocks
	i := sort.Search(len(blocks), func(i int) bool { return blocks[i].TypeRange.Start.Byte > offset }) - 1
	if i < 0 || offset > blocks[i].CloseBraceRange.End.Byte {
		return ""
	}
	words := []string{blocks[i].Type}
	for _, label := range blocks[i].Labels {
		words = append(words, quoteShort(label, 60))
	}
	return strings.Join(words, " ")
}

// valuesOf describes the variables of the expression that a diagnostic is of:
// `with var.env as "prod"`. Sensitive ones are named without their values.
func valuesOf(d Diagnostic, doc *document) []string {
	if d.hcl == nil || d.hcl.Expression == nil || d.hcl.EvalContext == nil {
		return nil
	}
	at := d.hcl.Expression.Range()
	hidden := doc != nil && within(doc.places, &at) != nil
	var out []string
	for _, traversal := range d.hcl.Expression.Variables() {
		traversal, v := resolved(traversal, d.hcl.EvalContext)
		if v == cty.NilVal || !v.IsKnown() {
			continue
		}
		shown := valueText(v)
		if hidden {
			shown = hiddenText
		}
		line := fmt.Sprintf("with %s as %s", traversalText(traversal), shown)
		if !contains(out, line) {
			out = append(out, line)
		}
	}
	sort.Strings(out)
	return out
}

// resolved is a variable with its value, or as much of its path as has one.
func resolved(t hcl.Traversal, ctx *hcl.EvalContext) (hcl.Traversal, cty.Value) {
	for n := len(t); n > 1; n-- {
		if v, diags := t[:n].TraverseAbs(ctx); !diags.HasErrors() {
			return t[:n], v
		}
	}
	if v, diags := t.TraverseAbs(ctx); len(t) == 1 && !diags.HasErrors() {
		return t, v
	}
	return nil, cty.NilVal
}

func traversalText(t hcl.Traversal) string {
	var b strings.Builder
	for _, step := range t {
		switch s := step.(type) {
		case hcl.TraverseRoot:
			b.WriteString(s.Name)
		case hcl.TraverseAttr:
			b.WriteString("." + s.Name)
		case hcl.TraverseIndex:
			b.WriteString("[" + valueText(s.Key) + "]")
		}
	}
	return escape(b.String())
}

// valueText shows a value in a word or two.
func valueText(v cty.Value) string {
	switch t := v.Type(); {
	case v.ContainsMarked():
		return "(sensitive)"
	case v.IsNull():
		return "null"
	case !v.IsKnown():
		return "(unknown)"
	case t == cty.Bool:
		return fmt.Sprint(v.True())
	case t == cty.Number:
		return shortNumber(v.AsBigFloat())
	case t == cty.String:
		return quote(v.AsString())
	case t.IsObjectType() || t.IsMapType():
		return "an " + plural(v.LengthInt(), "object with %d attribute")
	case t.IsTupleType() || t.IsListType() || t.IsSetType():
		return "a " + plural(v.LengthInt(), "list with %d element")
	default:
		return t.FriendlyName()
	}
}

func shortNumber(f *big.Float) string {
	if f.IsInt() && f.MantExp(nil) <= 64 {
		return f.Text('f', 0)
	}
	return f.Text('g', 20)
}

func plural(n int, format string) string {
	s := fmt.Sprintf(format, n)
	if n != 1 {
		s += "s"
	}
	return s
}
