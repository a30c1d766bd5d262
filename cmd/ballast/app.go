package main

import (
	"fmt"

	"github.com/urfave/cli/v2"
)

// verbs are the commands, in the order in which help lists them.
func verbs(s *streams) []*cli.Command {
	return []*cli.Command{
		initVerb(s),
		importVerb(s),
		fmtVerb(s),
		validateVerb(s),
		planVerb(s),
		showVerb(s),
		applyVerb(s),
		driftVerb(s),
		statusVerb(s),
		consumersVerb(s),
		cancelVerb(s),
		electVerb(s),
		throttleVerb(s),
		snapshotVerb(s),
		sandboxVerb(s),
		reassignmentVerb(s),
		allocateVerb(s),
		sizeVerb(s),
		completionVerb(s),
		versionVerb(s),
	}
}

func newApp(s *streams) *cli.App {
	app := &cli.App{
		Name:                      "ballast",
		Usage:                     "keeps Kafka topics where they were declared to be",
		UsageText:                 "ballast VERB [flags] [DIR]\n\nDIR is `.` unless it is given; all *.hcl files in it are one configuration.",
		Description:               "Exit codes: 0 done or nothing to do; 1 an error, a refusal or a no, and nothing is half done;\n2 changes present (drift, plan -detailed-exitcode, show -against); 3 stopped part way, and the\njournal says where.\nEvery flag can be set by its environment variable; `ballast help VERB` names it.",
		Commands:                  verbs(s),
		HideHelpCommand:           true,
		HideVersion:               true,
		DisableSliceFlagSeparator: true,
		Writer:                    s.out,
		ErrWriter:                 s.err,
		ExitErrHandler:            func(*cli.Context, error) {},
		OnUsageError:              func(_ *cli.Context, err error, _ bool) error { return err },
	}
	for _, c := range app.Commands {
		describe(c)
		c.HideHelpCommand = true
		c.OnUsageError = app.OnUsageError
	}
	return app
}

// run is the program: it returns the exit code.
func run(line []string, s *streams) int {
	app := newApp(s)
	arranged, err := arrange(app, line)
	if err != nil {
		return report(s, err)
	}
	app.Metadata = map[string]any{commandLine: arranged}
	return report(s, usageError(app, arranged[1:], app.Run(arranged)))
}

// oneArgument returns the only argument of a verb, or what it is by default.
func oneArgument(c *cli.Context, byDefault string) (string, error) {
	switch c.NArg() {
	case 0:
		if byDefault == "" {
			return "", fail("`ballast "+c.Command.Name+"` needs an argument", "Usage: %s", c.Command.UsageText)
		}
		return byDefault, nil
	case 1:
		return c.Args().First(), nil
	}
	return "", fail(fmt.Sprintf("`ballast %s` takes one argument, not %d", c.Command.Name, c.NArg()), "Usage: %s", c.Command.UsageText)
}

// noArgument refuses arguments of a verb that takes none.
func noArgument(c *cli.Context) error {
	if c.NArg() == 0 {
		return nil
	}
	return fail(fmt.Sprintf("`ballast %s` takes no argument", c.Command.Name), "Usage: %s", c.Command.UsageText)
}
