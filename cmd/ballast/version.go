package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

// version is ballast's own; the linker may set another.
var version = "0.1.0"

// tool is how documents name the program that wrote them.
func tool() string { return "ballast " + version }

func versionVerb(s *streams) *cli.Command {
	return &cli.Command{
		Name:      "version",
		Usage:     "print the version",
		UsageText: "ballast version [-json]",
		Flags:     []cli.Flag{boolFlag("json", "as a JSON document")},
		Action: func(c *cli.Context) error {
			if err := noArgument(c); err != nil {
				return err
			}
			return printVersion(s, c.Bool("json"))
		},
	}
}

func printVersion(s *streams, asJSON bool) error {
	commit, modified := revision()
	if !asJSON {
		_, err := fmt.Fprintln(s.out, tool())
		return err
	}
	doc := struct {
		Version  string `json:"version"`
		Commit   string `json:"commit,omitempty"`
		Modified bool   `json:"modified"`
		Go       string `json:"go"`
		Platform string `json:"platform"`
	}{version, commit, modified, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
	e := json.NewEncoder(s.out)
	e.SetIndent("", "  ")
	return e.Encode(doc)
}

// revision is the commit that the program was built from, where Go recorded it.
func revision() (commit string, modified bool) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", false
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	return commit, modified
}
