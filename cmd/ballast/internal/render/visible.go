package render

import (
	"fmt"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Visible lets fill write a document and escapes on the way what would act on a
// terminal or turn the text around: control characters and those that only
// format. They are written as \u001b, which JSON reads back as what it was.
func Visible(w io.Writer, fill func(io.Writer) error) error {
	v := &visible{w: w}
	if err := fill(v); err != nil {
		return err
	}
	_, err := w.Write(v.rest)
	return err
}

type visible struct {
	w    io.Writer
	rest []byte // of a character that is not whole yet
	out  []byte
}

// Write passes on what it has escaped.
func (v *visible) Write(p []byte) (int, error) {
	if len(v.rest) == 0 && harmless(p) {
		return v.w.Write(p)
	}
	text := append(v.rest, p...)
	v.out, v.rest = v.out[:0], nil
	for len(text) > 0 {
		if !utf8.FullRune(text) {
			v.rest = append([]byte(nil), text...)
			break
		}
		r, n := utf8.DecodeRune(text)
		v.out = appendVisible(v.out, r, text[:n])
		text = text[n:]
	}
	if _, err := v.w.Write(v.out); err != nil {
		return 0, err
	}
	return len(p), nil
}

func appendVisible(out []byte, r rune, as []byte) []byte {
	if r == '\n' || r == '\t' || r == '\r' || !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r) {
		return append(out, as...)
	}
	for _, unit := range utf16.Encode([]rune{r}) {
		out = fmt.Appendf(out, `\u%04x`, unit)
	}
	return out
}

// harmless says that bytes are ASCII and none is a control character.
func harmless(p []byte) bool {
	for _, c := range p {
		if (c < ' ' && c != '\n' && c != '\t' && c != '\r') || c >= 0x7f {
			return false
		}
	}
	return true
}
