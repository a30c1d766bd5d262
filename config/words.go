package config

import (
	"fmt"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// join lists words: "a, b and c".
func join(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// sentence makes an error's text end like a sentence.
func sentence(err error) string {
	s := err.Error()
	if strings.HasSuffix(s, ".") || strings.HasSuffix(s, "?") {
		return s
	}
	return s + "."
}

// article puts a or an before a word.
func article(word string) string {
	if strings.ContainsRune("aeiou", rune(word[0])) {
		return "an " + word
	}
	return "a " + word
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// place is a range as messages name it: main.hcl:7.
func place(at hcl.Range) string { return fmt.Sprintf("%s:%d", at.Filename, at.Start.Line) }

// declaredTwice is the one error for a thing that is declared at several
// places; it names them all.
func declaredTwice(what, code string, places []hcl.Range) Diagnostic {
	names := make([]string, len(places))
	for i, at := range places {
		names[i] = place(at)
	}
	return fault(code, "Declared twice", fmt.Sprintf("There is %s at %s. Keep one of them.", what, join(names)), places[len(places)-1])
}

// sortedKeys returns the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
