package config

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// digest is over the files' names and contents.
func (l *loader) digest() string {
	h := sha256.New()
	for _, s := range l.sources {
		fmt.Fprintf(h, "file %q %d\n", s.name, len(s.src))
		h.Write(s.src)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
