package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strconv"

	"github.com/urfave/cli/v2"
)

// What the linker may set: make does.
var (
	version  = "0.1.0" // ballast's own
	commit   = ""      // that was built from; "" where Go's own record of it counts
	modified = ""      // of that: "true" or "false"; "" where that is not known
)

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

// build is the version document. What is not known is absent.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Modified *bool  `json:"modified,omitempty"` // the sources differ from the commit's
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func printVersion(s *streams, asJSON bool) error {
	if !asJSON {
		_, err := fmt.Fprintln(s.out, tool())
		return err
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return printJSON(s, buildOf(commit, modified, info.Settings))
}

// buildOf takes the commit from the linker, or else from what Go recorded.
func buildOf(commit, modified string, recorded []debug.BuildSetting) build {
	if commit == "" {
		modified = ""
		for _, s := range recorded {
			switch s.Key {
			case "vcs.revision":
				commit = s.Value
			case "vcs.modified":
				modified = s.Value
			}
		}
	}
	out := build{Version: version, Commit: commit, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if dirty, err := strconv.ParseBool(modified); err == nil && commit != "" {
		out.Modified = &dirty
	}
	return out
}
