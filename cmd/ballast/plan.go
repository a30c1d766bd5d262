package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"ballast/cmd/ballast/internal/render"
	"ballast/config"
	"ballast/planner"
)

func planVerb(s *streams) *cli.Command {
	flags := []cli.Flag{
		stringFlag("out", "save the plan in `FILE`, for show and apply"),
		formatFlag(),
		boolFlag("json", "print the plan document; the same as -format json"),
		boolFlag("full", "fold nothing"),
		quietFlag(),
		boolFlag("detailed-exitcode", "exit with 2 where there are changes"),
		listFlag("target", "plan only `topic.NAME`, which may be a glob; may be given several times"),
		stringFlag("explain", "tell why the replicas of `topic.NAME[PARTITION]` are where the plan puts them"),
		stringFlag("snapshot", "plan from the snapshot in `FILE`; no cluster is needed"),
		durationFlag("max-snapshot-age", "refuse a snapshot that is older than `AGE`, such as 24h"),
		bootstrapFlag(),
	}
	return &cli.Command{
		Name:      "plan",
		Usage:     "show what apply would do",
		UsageText: "ballast plan [flags] [DIR]",
		Description: "Reads the configuration in DIR and the cluster, and shows what differs.\n\n" +
			"   ballast plan -out prod.plan          save it, for `ballast apply prod.plan`\n" +
			"   ballast plan -snapshot prod.json     without access to the cluster\n" +
			"   ballast plan -target 'topic.orders*' only some topics; all others stay as they are",
		Flags:  append(flags, variableFlags()...),
		Action: func(c *cli.Context) error { return runPlan(s, c) },
	}
}

func runPlan(s *streams, c *cli.Context) error {
	dir, err := oneArgument(c, ".")
	if err != nil {
		return err
	}
	format, err := formatOf(c)
	if err != nil {
		return err
	}
	out := c.String("out")
	if err := errors.Join(planOutput.check(out), checkSource(c)); err != nil {
		return err
	}
	ctx, stop := interruptible(c.Context)
	defer stop()
	m := makePlan(ctx, s, c, dir, planningOf(c))
	defer m.close()
	if target := c.String("explain"); target != "" {
		return m.explain(s, c, target, format)
	}
	if m.snapshot != nil {
		if err := savePlan(s, out, m.plan); err != nil {
			return err
		}
	}
	if err := printPlan(s, m.plan, format, render.Options{Full: c.Bool("full"), Quiet: c.Bool("quiet"), ErrorsElsewhere: true}); err != nil {
		return err
	}
	m.printDiagnostics(s, format, c.Bool("full"))
	if out != "" && m.snapshot != nil {
		fmt.Fprintf(s.err, "\nSaved in %s. %s\n", render.Quote(out), afterSaving(m.plan, out, dir))
	} else if out != "" {
		fmt.Fprintf(s.err, "\nNothing could be planned: %s was not written.\n", render.Quote(out))
	}
	return planExit(m.plan, c.Bool("detailed-exitcode"))
}

// printDiagnostics prints errors with their source lines on standard error,
// and warnings too where the plan's text does not show them here. What is the same
// of several topics is told once, unless all is to be told in full.
func (m *made) printDiagnostics(s *streams, format string, full bool) {
	var shown []config.Diagnostic
	for _, d := range m.plan.Diagnostics {
		if d.Severity == config.SeverityError || format != formatText {
			shown = append(shown, d)
		}
	}
	if !full {
		shown = render.Alike(shown)
	}
	if len(shown) > 0 {
		m.loaded.Print(s.err, shown, s.diagnostics())
	}
}

func planExit(p *planner.Plan, detailed bool) error {
	switch {
	case p.Errored:
		return exit(exitError)
	case detailed && len(p.Changes) > 0:
		return exit(exitChanges)
	}
	return nil
}

func afterSaving(p *planner.Plan, file, dir string) string {
	file = shellWord(file)
	switch {
	case p.Errored:
		return "It has errors: `ballast apply` refuses it, `ballast show " + file + "` shows it again."
	case len(p.Changes) == 0:
		return "`ballast show " + file + "` shows it again."
	}
	from := ""
	if dir != "." {
		from = " -config " + shellWord(dir)
	}
	return "To carry out exactly this plan: ballast apply" + from + " " + file
}

// savePlan writes a plan to a file, whole or not at all.
func savePlan(s *streams, file string, p *planner.Plan) error {
	return planOutput.write(s, file, func(w io.Writer) error {
		return render.Visible(w, func(w io.Writer) error { return planner.Encode(w, p) })
	})
}

// readPlan reads a saved plan.
func readPlan(file string) (*planner.Plan, error) {
	f, err := openInput(file, "a plan", "ballast plan -out PLAN_FILE")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p, err := planner.Decode(f, render.Quote(file))
	if err != nil {
		return nil, fail("The plan cannot be used", "%v", err)
	}
	return p, nil
}

// clocksApart is how much two machines' clocks may differ before a snapshot
// counts as one from the future.
const clocksApart = time.Minute

// snapshotAge refuses a snapshot that is older than a limit; 0 is no limit. The
// age of one from the future is not known, so a limit refuses it too.
func snapshotAge(taken time.Time, now time.Time, limit time.Duration) error {
	age := now.Sub(taken)
	if limit == 0 || age <= limit && age >= -clocksApart {
		return nil
	}
	if age < 0 {
		return fail("The snapshot is from the future", "It says that it was taken at %s, which is %s from now by this machine's clock, and -max-snapshot-age is %s.\nCheck both machines' clocks, or take another one: ballast snapshot -out FILE",
			taken.UTC().Format(time.RFC3339), render.Seconds(int64(-age/time.Second)), limit)
	}
	return fail("The snapshot is too old", "It was taken at %s, %s ago, and -max-snapshot-age is %s.\nTake another one: ballast snapshot -out FILE",
		taken.UTC().Format(time.RFC3339), render.Seconds(int64(age/time.Second)), limit)
}
