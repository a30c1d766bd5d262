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
	m.printDiagnostics(s, formatText, c.Bool("full"))
	report := drift.Make(tool(), m.plan, m.snapshot)
	if m.snapshot == nil {
		return nothingRead(s, c, report)
	}
	if file := c.String("against"); file != "" {
		if err := compare(m, report, file); err != nil {
			return err
		}
	}
	if err := printDrift(s, c, report); err != nil {
		return err
	}
	return driftExit(report, c.String("include") != "")
}

// nothingRead prints what there is to say where neither the declaration nor the
// cluster could be read: a program gets its document, a person has the errors.
// Metrics stay as they are, and their time of the last success gets old.
func nothingRead(s *streams, c *cli.Context, r *drift.Report) error {
	if c.Bool("json") {
		if err := printJSON(s, r); err != nil {
			return err
		}
	}
	return exit(exitError)
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

// printDrift prints the report, and then writes the metrics: a report that
// could not be printed is no success.
func printDrift(s *streams, c *cli.Context, r *drift.Report) error {
	var err error
	if c.Bool("json") {
		err = printJSON(s, r)
	} else {
		err = render.Drift(s.out, r, s.view(c.Bool("full")))
	}
	return errors.Join(err, writeMetrics(s, c.String("metrics"), r, err == nil))
}

// writeMetrics writes the metrics. What exits with neither 0 nor 2, such as a
// declaration with errors, is no success: the time of the last one stays what
// the file has.
func writeMetrics(s *streams, file string, r *drift.Report, printed bool) error {
	success := time.Now()
	if (r.Errored || !printed) && file != "" {
		src, _ := os.ReadFile(file) // there need be none
		success = drift.LastSuccess(src)
	}
	return metricsOutput.write(s, file, func(w io.Writer) error { return r.WriteMetrics(w, success) })
}

// compare compares a report with the snapshot or the plan in a file.
func compare(m *made, r *drift.Report, file string) error {
	src, err := os.ReadFile(file)
	if err != nil {
		return fail("There is nothing to compare with", "%v", err)
	}
	head := struct{ Format string }{}
	_ = json.Unmarshal(src, &head) // what it is not, a decoder says better
	if head.Format == planner.Format {
		earlier, err := planner.Decode(bytes.NewReader(src), file)
		if err != nil {
			return fail("The plan cannot be used", "%v", err)
		}
		if err := sameCluster(m, "plan", file, earlier.Cluster.ID); err != nil {
			return err
		}
		r.CompareWithPlan(file, m.plan, earlier)
		return nil
	}
	then, _, err := state.Decode(bytes.NewReader(src), file)
	if err != nil {
		return fail("There is nothing to compare with", "%v", err)
	}
	if err := sameCluster(m, "snapshot", file, then.ClusterID); err != nil {
		return err
	}
	planned := planner.Make(m.loaded.Desired, then, planner.Options{Tool: tool(), Targets: m.options.Targets})
	r.CompareWithState(file, then, m.snapshot, planned)
	return nil
}

// sameCluster refuses to compare one cluster with another.
func sameCluster(m *made, what, file, id string) error {
	if id == m.snapshot.ClusterID {
		return nil
	}
	return fail("The "+what+" in "+render.Quote(file)+" is of another cluster", "It is of cluster %s, and what is compared is of cluster %s.\nGive -against an earlier snapshot or plan of the same cluster.",
		render.Quote(id), render.Quote(m.snapshot.ClusterID))
}
