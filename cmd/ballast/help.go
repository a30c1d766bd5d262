package main

import (
	"strings"

	"github.com/urfave/cli/v2"
)

func init() { cli.FlagStringer = flagLine }

// flagLine is a flag's line of the help: its name with what it takes, what it
// does, its default where that is not nothing, and its environment variable.
func flagLine(f cli.Flag) string {
	doc, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return ""
	}
	usage := doc.GetUsage()
	name := "-" + strings.Join(f.Names(), ", -")
	if before, after, found := strings.Cut(usage, "`"); found {
		takes, rest, _ := strings.Cut(after, "`")
		name, usage = name+" "+takes, before+takes+rest
	}
	if d := doc.GetDefaultText(); d != "" && d != "0" && doc.TakesValue() && !strings.Contains(usage, "(default:") {
		usage += " (default: " + strings.Trim(d, `"`) + ")"
	}
	for _, v := range doc.GetEnvVars() {
		usage += " [$" + v + "]"
	}
	return name + "\t" + usage
}
