package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"ballast/cmd/ballast/internal/drift"
	"ballast/cmd/ballast/internal/render"
	"ballast/planner"
	"ballast/state"
)

func driftVerb(s *streams) *cli.Command {
	flags := []cli.Flag{
		boolFlag("json", "as a JSON document"),
		stringFlag("metrics", "write metrics for Prometheus to `FILE`, whole or not at all"),
		stringFlag("include", "`transient`: what passes by itself counts too"),
		stringFlag("against", "say whether the cluster or the declaration has changed since the snapshot or plan in `FILE`"),
		listFlag("target", "only `topic.NAME`, which may be a glob; may be given several times"),
		stringFlag("snapshot", "from the snapshot in `FILE`; no cluster is needed"),
		durationFlag("max-snapshot-age", "refuse a snapshot that is older than `AGE`, such as 24h"),
		boolFlag("full", "fold nothing"),
		bootstrapFlag(),
	}
	return &cli.Command{
		Name:      "drift",
		Usage:     "tell how the cluster differs from its declaration, for cron",
		UsageText: "ballast drift [flags] [DIR]",
		Description: "Exits with 2 where something differs that stays until somebody acts, with 0 where nothing does, and\n" +
			"with 1 on an error. What passes by itself (a leader that is away, a replica out of sync, a dead\n" +
			"broker) is listed, and counts with -include transient.",
		Flags:  append(flags, variableFlags()...),
		Action: func(c *cli.Context) error { return runDrift(s, c) },
	}
}

func runDrift(s *streams, c *cli.Context) error {
	dir, err := oneArgument(c, ".")
	if err != nil {
		return err
	}
	if v := c.String("include"); v != "" && v != "transient" {
		return fail("-include "+render.Quote(v)+" is not known", "What can be included is transient.")
	}
	if err := errors.Join(metricsOutput.check(c.String("metrics")), checkSource(c)); err != nil {
		return err
	}
	ctx, stop := interruptible(c.Context)
	defer stop()
	m := makePlan(ctx, s, c, dir, planningOf(c))
	defer m.close()
	m.printDiagnostics(s, formatText)
	if m.snapshot == nil {
		return exit(exitError)
	}
	report := drift.Make(tool(), m.plan, m.snapshot)
	if file := c.String("against"); file != "" {
		earlier, err := earlierPlan(m, file, targets(c))
		if err != nil {
			return err
		}
		report.Compare(file, earlier)
	}
	if err := printDrift(s, c, report); err != nil {
		return err
	}
	return driftExit(report, c.String("include") != "")
}

func driftExit(r *drift.Report, transient bool) error {
	switch {
	case r.Errored:
		return exit(exitError)
	case r.Drifted || transient && len(r.Transient) > 0:
		return exit(exitChanges)
	}
	return nil
}

func printDrift(s *streams, c *cli.Context, r *drift.Report) error {
	if err := writeMetrics(s, c.String("metrics"), r); err != nil {
		return err
	}
	if !c.Bool("json") {
		return render.Drift(s.out, r, s.view(c.Bool("full")))
	}
	return printJSON(s, r)
}

// writeMetrics writes the metrics. A declaration with errors is no success: the
// time of the last one stays what the file has.
func writeMetrics(s *streams, file string, r *drift.Report) error {
	success := time.Now()
	if r.Errored && file != "" {
		src, _ := os.ReadFile(file) // there need be none
		success = drift.LastSuccess(src)
	}
	return metricsOutput.write(s, file, func(w io.Writer) error { return r.WriteMetrics(w, success) })
}

// earlierPlan is the plan in a file, or what the present declaration gives for
// the snapshot in it.
func earlierPlan(m *made, file string, targets []string) (*planner.Plan, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, fail("There is nothing to compare with", "%v", err)
	}
	head := struct{ Format string }{}
	_ = json.Unmarshal(src, &head) // what it is not, a decoder says better
	if head.Format == planner.Format {
		p, err := planner.Decode(bytes.NewReader(src), file)
		if err != nil {
			return nil, fail("The plan cannot be used", "%v", err)
		}
		return p, nil
	}
	snap, _, err := state.Decode(bytes.NewReader(src), file)
	if err != nil {
		return nil, fail("There is nothing to compare with", "%v", err)
	}
	return planner.Make(m.loaded.Desired, snap, planner.Options{Tool: tool(), Targets: targets}), nil
}
