package config

import (
	"strconv"
	"strings"
	"unicode"
)

// quote quotes a text that a person wrote; control characters are escaped.
func quote(s string) string { return quoteShort(s, 300) }

// quoteShort quotes the first bytes of a text, no more than most.
func quoteShort(s string, most int) string {
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return strconv.Quote(s)
}

// escape makes a text safe for a terminal: control characters other than the
// newline are escaped, what is not UTF-8 is replaced.
func escape(s string) string {
	s = strings.ToValidUTF8(s, "�")
	clean := true
	for _, r := range s {
		if unsafeRune(r) {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unsafeRune(r) {
			q := strconv.QuoteRune(r)
			b.WriteString(q[1 : len(q)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func unsafeRune(r rune) bool {
	return r != '\n' && (unicode.IsControl(r) || isBidi(r))
}

// isBidi says whether the rune turns the direction of the text, by which a
// line can be made to look like another.
func isBidi(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f || r == 0x061c
}
