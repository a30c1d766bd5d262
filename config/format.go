package config

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// Format lays a file out in the canonical way and keeps its comments. What it
// returns it would return again for that. A file with syntax errors is not
// formatted: the diagnostics say why.
func Format(name string, src []byte) ([]byte, []Diagnostic) {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	if _, diags := parse(name, src); HasErrors(diags) {
		return nil, diags
	}
	out := canonicalEnds(hclwrite.Format(canonicalEnds(src)))
	// Aligning a line can move the comment of the one above it.
	for range 4 {
		again := canonicalEnds(hclwrite.Format(out))
		if bytes.Equal(again, out) {
			return out, nil
		}
		out = again
	}
	if _, diags := parse(name, out); HasErrors(diags) {
		return nil, []Diagnostic{fault("not_formattable", "Cannot lay the file out", "The layout does not settle. Simplify the file's comments and line breaks.", hcl.Range{Filename: name, Start: hcl.InitialPos, End: hcl.InitialPos})}
	}
	return out, nil
}

// canonicalEnds gives each line the one kind of end, and the file exactly one
// at its last line.
func canonicalEnds(src []byte) []byte {
	src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
	src = bytes.Trim(src, "\n")
	if len(src) == 0 {
		return nil
	}
	return append(src, '\n')
}
