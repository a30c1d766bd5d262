package state

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"
)

// maxDepth is how deep a value may be nested that is skipped.
const maxDepth = 100

// scanner reads JSON (RFC 8259) in one pass over bytes that are all in memory.
// After an error it answers every further question with the same error, so
// callers look at the error where it matters and need not after each step.
type scanner struct {
	data []byte
	pos  int
	err  error
	errs int // offset of err

	words map[string]string // strings seen, so that equal ones share memory
	buf   []byte            // scratch for strings with escapes
}

// fail keeps the first error, with where it happened.
func (s *scanner) fail(at int, format string, args ...any) {
	if s.err == nil {
		s.err, s.errs = fmt.Errorf(format, args...), at
	}
}

// space skips white space and gives the next byte, 0 at the end.
func (s *scanner) space() byte {
	for s.pos < len(s.data) {
		switch c := s.data[s.pos]; c {
		case ' ', '\n', '\t', '\r':
			s.pos++
		default:
			return c
		}
	}
	return 0
}

var errCut = errors.New("the document ends here, before it is complete: the file is cut off")

// expect consumes c or fails with what was wanted.
func (s *scanner) expect(c byte, wanted string) bool {
	if s.err != nil {
		return false
	}
	got := s.space()
	if got == c && s.pos < len(s.data) {
		s.pos++
		return true
	}
	s.unexpected(wanted)
	return false
}

// unexpected fails at the present byte.
func (s *scanner) unexpected(wanted string) {
	if s.pos >= len(s.data) {
		s.fail(s.pos, "%w", errCut)
		return
	}
	switch c := s.data[s.pos]; {
	case c == '"':
		s.fail(s.pos, "expected %s, found a string", wanted)
	case c == '{':
		s.fail(s.pos, "expected %s, found an object", wanted)
	case c == '[':
		s.fail(s.pos, "expected %s, found a list", wanted)
	case c == '-' || '0' <= c && c <= '9':
		s.fail(s.pos, "expected %s, found a number", wanted)
	default:
		s.fail(s.pos, "expected %s, found %s", wanted, s.word())
	}
}

// word is the bare word (true, null, …) or the byte at the present place, quoted.
func (s *scanner) word() string {
	end := s.pos
	for end < len(s.data) && end < s.pos+20 && 'a' <= s.data[end] && s.data[end] <= 'z' {
		end++
	}
	if end == s.pos {
		_, n := utf8.DecodeRune(s.data[s.pos:])
		end += n
	}
	return fmt.Sprintf("%q", s.data[s.pos:end])
}

// null consumes a null, if there is one.
func (s *scanner) null() bool {
	if s.err == nil && s.space() == 'n' && bytes.HasPrefix(s.data[s.pos:], []byte("null")) {
		s.pos += len("null")
		return true
	}
	return false
}

// object calls member for each key; member must consume the value.
func (s *scanner) object(wanted string, member func(key []byte, at int)) {
	if !s.expect('{', wanted) {
		return
	}
	if s.space() == '}' {
		s.pos++
		return
	}
	for s.err == nil {
		s.space()
		at := s.pos
		key := s.text("a field's name in quotes")
		if !s.expect(':', "a colon after the field's name") {
			return
		}
		if member(key, at); s.err != nil {
			return
		}
		if s.space() == '}' {
			s.pos++
			return
		}
		s.expect(',', "a comma or the end of the object")
	}
}

// list calls item for each item; item must consume it.
func (s *scanner) list(wanted string, item func()) {
	if !s.expect('[', wanted) {
		return
	}
	if s.space() == ']' {
		s.pos++
		return
	}
	for s.err == nil {
		if item(); s.err != nil {
			return
		}
		if s.space() == ']' {
			s.pos++
			return
		}
		s.expect(',', "a comma or the end of the list")
	}
}

// integer reads a whole number between lo and hi.
func (s *scanner) integer(lo, hi int64, wanted string) int64 {
	if s.err != nil {
		return 0
	}
	s.space()
	at, n, negative, ok := s.pos, uint64(0), false, true
	if s.pos < len(s.data) && s.data[s.pos] == '-' {
		negative = true
		s.pos++
	}
	first := s.pos
	for s.pos < len(s.data) && '0' <= s.data[s.pos] && s.data[s.pos] <= '9' {
		ok = ok && n <= (1<<63)/10
		n = n*10 + uint64(s.data[s.pos]-'0')
		s.pos++
	}
	if s.pos == first {
		s.pos = at
		s.unexpected(wanted)
		return 0
	}
	if s.pos == len(s.data) {
		s.fail(s.pos, "%w", errCut)
		return 0
	}
	if c := s.data[s.pos]; c == '.' || c == 'e' || c == 'E' || s.data[first] == '0' && s.pos > first+1 {
		s.fail(at, "expected %s, found another kind of number", wanted)
		return 0
	}
	if v, fits := signed(n, negative); ok && fits && lo <= v && v <= hi {
		return v
	}
	s.fail(at, "expected %s, found %s", wanted, s.data[at:min(s.pos, at+24)])
	return 0
}

// signed is ±n as an int64, if it fits.
func signed(n uint64, negative bool) (int64, bool) {
	if negative {
		return -int64(n), n <= 1<<63
	}
	return int64(n), n < 1<<63
}

// boolean reads true or false.
func (s *scanner) boolean() bool {
	if s.err != nil {
		return false
	}
	s.space()
	for _, word := range []string{"true", "false"} {
		if bytes.HasPrefix(s.data[s.pos:], []byte(word)) {
			s.pos += len(word)
			return word == "true"
		}
	}
	s.unexpected("true or false")
	return false
}

// str reads a string; equal strings share memory.
func (s *scanner) str(wanted string) string {
	return s.intern(s.text(wanted))
}

// intern gives b as a string that equal ones share.
func (s *scanner) intern(b []byte) string {
	if w, ok := s.words[string(b)]; ok {
		return w
	}
	w := string(b)
	s.words[w] = w
	return w
}
