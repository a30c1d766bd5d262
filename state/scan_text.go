package state

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// text reads a string and gives its bytes, which are good until the next call.
func (s *scanner) text(wanted string) []byte {
	if !s.expect('"', wanted) {
		return nil
	}
	start := s.pos
	for s.pos < len(s.data) {
		switch c := s.data[s.pos]; {
		case c == '"':
			s.pos++
			return s.valid(s.data[start:s.pos-1], start)
		case c == '\\':
			return s.escaped(start)
		case c < ' ':
			s.fail(s.pos, "a string holds the control character %q, which JSON wants escaped", c)
			return nil
		}
		s.pos++
	}
	s.fail(s.pos, "%w", errCut)
	return nil
}

// valid gives b if it is UTF-8.
func (s *scanner) valid(b []byte, at int) []byte {
	if !utf8.Valid(b) {
		s.fail(at, "a string is not valid UTF-8")
		return nil
	}
	return b
}

// escaped reads on in a string that began at start and has an escape here.
func (s *scanner) escaped(start int) []byte {
	s.buf = append(s.buf[:0], s.data[start:s.pos]...)
	for s.pos < len(s.data) {
		switch c := s.data[s.pos]; {
		case c == '"':
			s.pos++
			return s.valid(s.buf, start)
		case c == '\\':
			if !s.escape() {
				return nil
			}
		case c < ' ':
			s.fail(s.pos, "a string holds the control character %q, which JSON wants escaped", c)
			return nil
		default:
			s.buf = append(s.buf, c)
			s.pos++
		}
	}
	s.fail(s.pos, "%w", errCut)
	return nil
}

// escape reads one escape into buf.
func (s *scanner) escape() bool {
	if s.pos+1 >= len(s.data) {
		s.fail(len(s.data), "%w", errCut)
		return false
	}
	c := s.data[s.pos+1]
	if c == 'u' {
		return s.unicodeEscape()
	}
	i := bytes.IndexByte([]byte(`"\/bfnrt`), c)
	if i < 0 {
		s.fail(s.pos, "a string holds an escape that JSON does not know: \\%c", c)
		return false
	}
	s.buf = append(s.buf, "\"\\/\b\f\n\r\t"[i])
	s.pos += 2
	return true
}

// unicodeEscape reads \uXXXX, or a surrogate pair of them.
func (s *scanner) unicodeEscape() bool {
	r := s.hex()
	if utf16.IsSurrogate(r) {
		r = utf16.DecodeRune(r, s.hex())
	}
	if r < 0 || r == utf8.RuneError {
		s.fail(s.pos, `a string holds a \u escape that is no character`)
		return false
	}
	s.buf = utf8.AppendRune(s.buf, r)
	return true
}

// hex consumes \uXXXX and gives its number, or -1.
func (s *scanner) hex() rune {
	if s.pos+6 > len(s.data) || s.data[s.pos] != '\\' || s.data[s.pos+1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(s.data[s.pos+2:s.pos+6]), 16, 16)
	if err != nil {
		return -1
	}
	s.pos += 6
	return rune(n)
}

// skip consumes a value of any kind.
func (s *scanner) skip(depth int) {
	if s.err != nil {
		return
	}
	if depth > maxDepth {
		s.fail(s.pos, "values are nested more than %d deep", maxDepth)
		return
	}
	switch c := s.space(); {
	case c == '{':
		s.object("an object", func([]byte, int) { s.skip(depth + 1) })
	case c == '[':
		s.list("a list", func() { s.skip(depth + 1) })
	case c == '"':
		s.text("a string")
	case c == '-' || '0' <= c && c <= '9':
		s.skipNumber()
	case c == 't' || c == 'f':
		s.boolean()
	case !s.null():
		s.unexpected("a value")
	}
}

// skipNumber consumes a number of any kind, by JSON's grammar.
func (s *scanner) skipNumber() {
	at := s.pos
	digits := func() bool {
		first := s.pos
		for s.pos < len(s.data) && '0' <= s.data[s.pos] && s.data[s.pos] <= '9' {
			s.pos++
		}
		return s.pos > first
	}
	one := func(set string) bool {
		if s.pos < len(s.data) && bytes.IndexByte([]byte(set), s.data[s.pos]) >= 0 {
			s.pos++
			return true
		}
		return false
	}
	one("-")
	ok := one("0") || digits()
	if ok && one(".") {
		ok = digits()
	}
	if ok && one("eE") {
		one("+-")
		ok = digits()
	}
	if !ok {
		s.fail(at, "expected a number")
	}
}
