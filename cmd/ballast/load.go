package main

import (
	"github.com/urfave/cli/v2"

	"ballast/config"
)

// load reads the configuration of a directory with the variables of the flags.
func load(s *streams, c *cli.Context, dir string) *config.Loaded {
	return config.Load(dir, config.Options{
		Vars:     c.StringSlice("var"),
		VarFiles: c.StringSlice("var-file"),
		Env:      s.env,
	})
}

// loadAll reads a configuration that has to be whole: its warnings are
// printed, and with errors nothing goes on.
func loadAll(s *streams, c *cli.Context, dir string) (*config.Loaded, error) {
	l := load(s, c, dir)
	l.Print(s.err, l.Diagnostics, s.diagnostics())
	if l.Desired == nil || config.HasErrors(l.Diagnostics) {
		return nil, exit(exitError)
	}
	return l, nil
}
