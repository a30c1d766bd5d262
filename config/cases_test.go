package config

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// expectation is what an acceptance case of testdata/cases wants of validate.
type expectation struct {
	Exit        int
	Errors      []mention
	Diagnostics []mention
}

type mention struct {
	File     string
	Line     int
	Mentions []string
}

// TestAcceptanceCases holds what is printed against the cases: one block of
// text, which begins with Error or Warning, has all that was wanted.
func TestAcceptanceCases(t *testing.T) {
	dirs, _ := filepath.Glob("testdata/cases/*")
	if len(dirs) == 0 {
		t.Fatal("no cases")
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var want expectation
			data, err := os.ReadFile(filepath.Join(dir, "expect.json"))
			if err == nil {
				err = json.Unmarshal(data, &want)
			}
			if err != nil {
				t.Fatal(err)
			}
			l := Load(dir, Options{})
			if failed := HasErrors(l.Diagnostics); failed != (want.Exit == 1) {
				t.Errorf("errors: %v\n%s", failed, printed(t, l))
			}
			blocks := regexp.MustCompile(`(?m)^[^\w\n]*(?:Error|Warning)\b`).Split(printed(t, l), -1)[1:]
			for _, m := range append(want.Errors, want.Diagnostics...) {
				if !m.among(blocks) {
					t.Errorf("nothing like %+v in\n%s", m, printed(t, l))
				}
			}
		})
	}
}

func (m mention) among(blocks []string) bool {
	for _, b := range blocks {
		if m.in(strings.ToLower(b)) {
			return true
		}
	}
	return false
}

func (m mention) in(text string) bool {
	if m.File != "" && !strings.Contains(text, m.File) {
		return false
	}
	if m.Line != 0 && !regexp.MustCompile(fmt.Sprintf(`(line |:)%d\b`, m.Line)).MatchString(text) {
		return false
	}
	for _, words := range m.Mentions {
		found := false
		for _, w := range strings.Split(words, "|") {
			found = found || strings.Contains(text, strings.ToLower(w))
		}
		if !found {
			return false
		}
	}
	return true
}
