package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"ballast/cmd/ballast/internal/render"
	"ballast/config"
)

func validateVerb(s *streams) *cli.Command {
	return &cli.Command{
		Name:      "validate",
		Usage:     "check the whole configuration, without a cluster",
		UsageText: "ballast validate [-var NAME=VALUE] [-var-file FILE] [DIR]",
		Description: "Prints all errors at once, each with its line. Exits with 1 where there is one.\n" +
			"What only a cluster can tell, such as whether racks have room, `ballast plan` checks.",
		Flags: variableFlags(),
		Action: func(c *cli.Context) error {
			dir, err := oneArgument(c, ".")
			if err != nil {
				return err
			}
			return validate(s, load(s, c, dir))
		},
	}
}

func validate(s *streams, l *config.Loaded) error {
	l.Print(s.err, l.Diagnostics, s.diagnostics())
	if l.Desired == nil || config.HasErrors(l.Diagnostics) {
		return exit(exitError)
	}
	_, err := fmt.Fprintf(s.out, "The configuration is valid: %s in %s.\n", render.Count(len(l.Desired.Topics), "topic", "topics"), render.Count(len(l.Desired.Files), "file", "files"))
	return err
}
