package main

import (
	"strings"
	"unicode"

	"github.com/urfave/cli/v2"
)

// given says whether a flag stands on the command line itself. What an
// environment variable sets is a default: the command line goes before it.
func given(c *cli.Context, name string) bool {
	line, _ := c.App.Metadata[commandLine].([]string)
	for _, token := range line {
		if token == "--" {
			return false
		}
		if flag, _, _ := strings.Cut(token, "="); flag == "-"+name {
			return true
		}
	}
	return false
}

// commandLine is where the application keeps the line that it was given.
const commandLine = "line"

// checkSource refuses flags of one source of the cluster's state beside those
// of the other.
func checkSource(c *cli.Context) error {
	switch {
	case c.String("snapshot") != "" && given(c, "bootstrap"):
		return fail("-snapshot and -bootstrap exclude each other", "A snapshot is read instead of a cluster. Give one of them.")
	case given(c, "max-snapshot-age") && c.String("snapshot") == "":
		return fail("-max-snapshot-age is for -snapshot only", "A live cluster is read as it is now.")
	}
	return nil
}

// targets are the values of -target. No name of a topic has a comma or a space,
// so that one variable of the environment can hold several.
func targets(c *cli.Context) []string {
	var out []string
	for _, list := range c.StringSlice("target") {
		out = append(out, strings.FieldsFunc(list, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })...)
	}
	return out
}
