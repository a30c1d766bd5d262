package config

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// digest is over the files' names and contents, and the variables. A sensitive
// variable is left out: a short one could be guessed from a digest.
func (l *loader) digest() string {
	h := sha256.New()
	for _, s := range l.sources {
		src := l.withoutSecrets(s)
		fmt.Fprintf(h, "file %q %d\n", s.name, len(src))
		h.Write(src)
	}
	for _, name := range sortedKeys(l.inputs) {
		if v := l.inputs[name]; !l.isSecret(v.value) {
			v.write(h)
		}
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// write writes a variable's value for the digest.
func (v *variable) write(w io.Writer) {
	if v.sensitive || v.value.ContainsMarked() || !v.value.IsWhollyKnown() {
		return
	}
	text, err := ctyjson.SimpleJSONValue{Value: v.value}.MarshalJSON()
	if err != nil {
		return // capsules only, which no variable holds
	}
	fmt.Fprintf(w, "variable %q %d\n%s", v.name, len(text), text)
}
