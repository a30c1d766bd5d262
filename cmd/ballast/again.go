package main

import (
	"regexp"
	"strings"

	"ballast/cmd/ballast/internal/render"
	"ballast/planner"
)

// plainWord is what a shell takes as it is.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// shellWord is a word as a POSIX shell is to be given it.
func shellWord(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(render.Safe(text), "'", `'\''`) + "'"
}

// planAgain is the command that makes a saved plan anew.
func planAgain(p *planner.Plan, file, dir string) string {
	words := []string{"ballast plan"}
	for _, t := range p.Targets {
		words = append(words, "-target", shellWord(t))
	}
	words = append(words, "-out", shellWord(file))
	if dir != "." {
		words = append(words, shellWord(dir))
	}
	return strings.Join(words, " ")
}

// again is what a command that goes on with this run has to be given too: where
// the cluster is, and the configuration beside which the journal is.
func (r *applyRun) again(dir string) string {
	var words []string
	if r.rehearse == nil && r.c.String("bootstrap") != "" {
		words = append(words, "-bootstrap", shellWord(r.c.String("bootstrap")))
	}
	for _, file := range r.c.StringSlice("var-file") {
		words = append(words, "-var-file", shellWord(file))
	}
	for _, v := range r.c.StringSlice("var") {
		name, _, _ := strings.Cut(v, "=") // a value may be a secret
		words = append(words, "-var", shellWord(name)+"=…")
	}
	if dir != "." {
		words = append(words, shellWord(dir))
	}
	return strings.Join(words, " ")
}
