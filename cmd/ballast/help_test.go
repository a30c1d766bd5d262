package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// An example is a line of a description that has the program in it.
var example = regexp.MustCompile(`(?m)^   +(?:source <\()?ballast ([a-z]+)(.*)$`)

// Help shows for each verb how it is typed, with flags that it takes.
func TestHelpHasExamplesOfEveryVerb(t *testing.T) {
	s, _, _ := testStreams(nil)
	for _, verb := range newApp(s).Commands {
		found := example.FindAllStringSubmatch(verb.Description, -1)
		if len(found) == 0 {
			t.Errorf("the help of %s has no example", verb.Name)
		}
		flags := map[string]bool{}
		for _, f := range verb.Flags {
			flags[f.Names()[0]] = true
		}
		for _, e := range found {
			if e[1] != verb.Name {
				t.Errorf("the help of %s has an example of %s", verb.Name, e[1])
			}
			typed, _, _ := strings.Cut(e[2], "   ")
			for _, word := range strings.Fields(typed) {
				if name, is := strings.CutPrefix(word, "-"); is && !flags[name] {
					t.Errorf("%s takes no -%s: %s", verb.Name, name, e[0])
				}
			}
		}
	}
}

// A default is told once, and not where nothing is the default.
func TestHelpTellsDefaultsOnce(t *testing.T) {
	quiet, _, _ := testStreams(nil)
	for _, verb := range newApp(quiet).Commands {
		s, out, _ := testStreams(nil)
		run([]string{"ballast", "help", verb.Name}, s)
		for _, line := range strings.Split(out.String(), "\n") {
			if strings.Count(line, "(default:") > 1 || strings.Contains(line, "(default: 0s)") || strings.Contains(line, "(default: )") {
				t.Errorf("the help of %s says %q", verb.Name, line)
			}
		}
		if out.Len() == 0 || bytes.Contains(out.Bytes(), []byte("\n      ballast "+verb.Name+" [")) {
			t.Errorf("the usage of %s is not aligned:\n%s", verb.Name, out)
		}
	}
}
