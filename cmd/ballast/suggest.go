package main

import (
	"strings"

	"github.com/agext/levenshtein"
	"github.com/urfave/cli/v2"

	"ballast/cmd/ballast/internal/render"
)

// nearest returns the candidate that was probably meant, or "".
func nearest(given string, candidates []string) string {
	best, distance := "", 1+max(2, len(given)/3)
	if len(given) < 4 {
		distance = 2
	}
	for _, c := range candidates {
		d := levenshtein.Distance(strings.ToLower(given), c, nil)
		if d < distance {
			best, distance = c, d
		}
	}
	return best
}

func unknownVerb(app *cli.App, given string) error {
	var verbs []string
	for _, c := range app.Commands {
		verbs = append(verbs, c.Name)
	}
	hint := "`ballast help` lists the verbs."
	if v := nearest(given, append(verbs, "help")); v != "" {
		hint = "Did you mean `ballast " + v + "`? " + hint
	}
	return fail("Unknown verb "+render.Quote(given), "%s", hint)
}

func unknownFlag(verb *cli.Command, given string) error {
	var names []string
	for _, f := range verb.Flags {
		names = append(names, f.Names()...)
	}
	name, _, _ := strings.Cut(strings.TrimLeft(given, "-"), "=")
	hint := "`ballast help " + verb.Name + "` lists its flags."
	if n := nearest(name, names); n != "" {
		hint = "Did you mean -" + n + "? " + hint
	}
	return fail("`ballast "+verb.Name+"` has no flag "+render.Quote(given), "%s", hint)
}
