package main

import (
	"fmt"
	"io"
	"time"

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
	m := makePlan(ctx, r.s, r.c, dir, planning{bootstrap: r.bootstrap(), targets: reviewed.Targets})
	defer m.close()
	if m.plan.Errored || m.plan.Digest == reviewed.Digest {
		return
	}
	fmt.Fprintln(r.s.err, "How a plan made now differs from the reviewed one:")
	_ = render.Difference(r.s.err, file, reviewed, "now", m.plan, render.Options{Color: r.s.color(r.s.err)})
	fmt.Fprintln(r.s.err)
}

// warnOfLocalJournal says to a runner, which may be another machine the next
// time, what a journal in a file cannot do: once the run has begun, so that a
// run that is refused does not say it.
func (r *applyRun) warnOfLocalJournal(j apply.Journal, next func(apply.Event)) func(apply.Event) {
	declared := r.loaded.Desired.Journal.Source != (config.Source{})
	_, person := terminal(r.s.in)
	if _, seen := terminal(r.s.err); person || seen || declared || r.rehearse != nil {
		return next
	}
	return func(e apply.Event) {
		if e.Kind == apply.EventStarted {
			r.sayLocalJournal(j, next, e.At)
		}
		next(e)
	}
}

func (r *applyRun) sayLocalJournal(j apply.Journal, next func(apply.Event), at time.Time) {
	next(apply.Event{Kind: apply.EventWarning, At: at, Message: fmt.Sprintf("the journal is a file on this machine, %s: it keeps out and resumes runs of this machine only. A block `journal { backend = \"kafka\" }` keeps it in the cluster.", render.Quote(j.Name()))})
}

// writeReport writes the report for a comment or a job's summary.
func (r *applyRun) writeReport(result apply.Result, failed error, dir string) error {
	file := r.c.String("report")
	if file == "" {
		return nil
	}
	return reportOutput.write(r.s, file, func(w io.Writer) error { return render.Report(w, r.plan, result, failed, r.again(dir)) })
}
