package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"ballast/cmd/ballast/internal/render"
	"ballast/planner"
)

func showVerb(s *streams) *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "show a saved plan, or what differs between two",
		UsageText: "ballast show [-format FORMAT | -json] [-full | -quiet] PLAN_FILE\nballast show -against PLAN_FILE [-full] PLAN_FILE",
		Description: "   ballast show prod.plan                        as plan printed it\n" +
			"   ballast show -against reviewed.plan prod.plan what has changed since the review; exits with 2 where something has",
		Flags: []cli.Flag{
			formatFlag(),
			boolFlag("json", "print the plan document; the same as -format json"),
			boolFlag("full", "fold nothing"),
			quietFlag(),
			stringFlag("against", "print what differs from the plan in `PLAN_FILE`, as text only"),
		},
		Action: func(c *cli.Context) error { return runShow(s, c) },
	}
}

func runShow(s *streams, c *cli.Context) error {
	file, err := oneArgument(c, "")
	if err != nil {
		return err
	}
	format, err := formatOf(c)
	if err != nil {
		return err
	}
	p, err := readPlan(file)
	if err != nil {
		return err
	}
	if c.Bool("quiet") && c.String("against") != "" {
		return fail("-against and -quiet exclude each other", "What differs is printed whole.")
	}
	if other := c.String("against"); other != "" {
		return showAgainst(s, c, format, other, file, p)
	}
	return printPlan(s, p, format, render.Options{Full: c.Bool("full"), Quiet: c.Bool("quiet")})
}

// showAgainst prints how a plan differs from an earlier one.
func showAgainst(s *streams, c *cli.Context, format, earlierFile, file string, p *planner.Plan) error {
	if format != formatText {
		return fail("-against prints a text only", "What differs has no other format: leave out -json and -format.")
	}
	earlier, err := readPlan(earlierFile)
	if err != nil {
		return err
	}
	if earlier.Digest == p.Digest {
		_, err := fmt.Fprintf(s.out, "Both plans decide the same: %s\n", p.Digest)
		return err
	}
	if err := render.Difference(s.out, earlierFile, earlier, file, p, s.view(c.Bool("full"))); err != nil {
		return err
	}
	return exit(exitChanges)
}
