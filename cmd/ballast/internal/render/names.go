package render

import (
	"strconv"
	"strings"
	"unicode"
)

// Quote puts a name that a person wrote into quotes, with everything that does
// not print escaped: a terminal never obeys a topic's name.
func Quote(name string) string { return strconv.Quote(name) }

// word is a name for a table: as it is where that cannot be misread, else quoted.
func word(name string) string {
	if name == "" {
		return "-"
	}
	for _, r := range name {
		if !strconv.IsPrint(r) || unicode.IsSpace(r) || r == '"' {
			return Quote(name)
		}
	}
	return name
}

// Safe escapes what does not print in a message of several lines.
func Safe(text string) string {
	clean := func(r rune) bool { return r == '\n' || strconv.IsPrint(r) }
	if strings.IndexFunc(text, func(r rune) bool { return !clean(r) }) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if clean(r) {
			b.WriteRune(r)
			continue
		}
		q := strconv.QuoteRune(r)
		b.WriteString(q[1 : len(q)-1])
	}
	return b.String()
}
