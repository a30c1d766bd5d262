package render

import (
	"fmt"
	"strings"
	"unicode"
)

// inert writes a text so that Markdown shows it and does nothing with it: no
// markup, no HTML, no mention, no link, on one line.
func inert(text string) string {
	text = strings.ReplaceAll(Safe(text), "\n", " ")
	www := strings.Contains(strings.ToLower(text), "www.")
	var b strings.Builder
	for _, r := range text {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(" -,()/%?;'+", r), r == '.' && !www, r > unicode.MaxASCII:
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "&#%d;", r)
		}
	}
	return b.String()
}

// code is a name set as code. A code span would need its backticks escaped,
// which Markdown cannot; within the element all is inert.
func code(name string) string {
	if name == "" {
		return ""
	}
	return "<code>" + inert(name) + "</code>"
}
