package main

import (
	"bytes"
	"fmt"

	"github.com/google/renameio/v2"

	"ballast/apply"
	"ballast/cmd/ballast/internal/render"
	"ballast/config"
	"ballast/planner"
)

// tellDifference prints how the present plan differs from the reviewed one,
// where the configuration can be planned.
func (r *applyRun) tellDifference(file string, reviewed *planner.Plan, dir string) {
	ctx, stop := interruptible(r.c.Context)
	defer stop()
	m := makePlan(ctx, r.s, r.c, dir, r.bootstrap())
	defer m.close()
	if m.plan.Errored || m.plan.Digest == reviewed.Digest {
		return
	}
	fmt.Fprintln(r.s.err, "How a plan made now differs from the reviewed one:")
	_ = render.Difference(r.s.err, file, reviewed, "now", m.plan, render.Options{Color: r.s.color(r.s.err)})
	fmt.Fprintln(r.s.err)
}

// warnOfLocalJournal says to a runner, which may be another machine the next
// time, what a journal in a file cannot do.
func (r *applyRun) warnOfLocalJournal(j apply.Journal) {
	declared := r.loaded.Desired.Journal.Source != (config.Source{})
	if _, ok := terminal(r.s.in); ok || declared || r.rehearse != nil {
		return
	}
	fmt.Fprintf(r.s.err, "Warning: the journal is a file on this machine, %s: it keeps out and resumes runs of this machine only. A block `journal { backend = \"kafka\" }` keeps it in the cluster.\n", render.Quote(j.Name()))
}

// writeReport writes the report for a comment or a job's summary.
func (r *applyRun) writeReport(result apply.Result, failed error, dir string) error {
	file := r.c.String("report")
	if file == "" {
		return nil
	}
	var b bytes.Buffer
	if err := render.Report(&b, r.plan, result, failed, dir); err != nil {
		return err
	}
	if err := renameio.WriteFile(file, b.Bytes(), 0o644); err != nil {
		return fail("The report cannot be written", "%v", err)
	}
	return nil
}
