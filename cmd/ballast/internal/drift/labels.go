package drift

import (
	"strings"
	"unicode"
)

// label is a name as the value of a metric's label. Prometheus takes any text;
// what acts on a terminal or turns a line around is written so that it is seen.
func label(name string) string {
	if !strings.ContainsFunc(name, acts) {
		return name
	}
	var b strings.Builder
	for _, r := range name {
		if acts(r) {
			r = unicode.ReplacementChar
		}
		b.WriteRune(r)
	}
	return b.String()
}

// acts says whether a character is no text: a control character or one that
// only formats.
func acts(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029'
}
