package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"ballast/apply"
	"ballast/cmd/ballast/internal/render"
	"ballast/config"
	"ballast/planner"
	"ballast/state/kafka"
)

func applyVerb(s *streams) *cli.Command {
	flags := []cli.Flag{
		stringFlag("config", "`DIR` of the configuration that says where the cluster is, for a PLAN_FILE (default: .)"),
		autoApproveFlag(),
		stringFlag("expect-digest", "refuse any plan but the one with this `DIGEST`, sha256:…"),
		stringFlag("throttle", "`RATE` per broker such as 50MB/s, or none, instead of the plan's"),
		stringFlag("sandbox", "rehearse: carry it out on an embedded cluster that begins as the snapshot in `FILE`"),
		&cli.Float64Flag{Name: "speed", Usage: "with -sandbox: its time runs `X` times as fast as yours (default: as fast as this machine can)", EnvVars: variable("speed")},
		boolFlag("resume", "go on with the plan of a run that stopped"),
		stringFlag("report", "write what was done, how long it took and what is left to `FILE`, as Markdown"),
		lockTimeoutFlag(),
		durationFlag("max-duration", "start no batch that cannot end within `TIME`, such as 5h, then exit with 3"),
		listFlag("target", "with DIR: only `topic.NAME`, which may be a glob; may be given several times"),
		boolFlag("full", "fold nothing of the plan"),
		quietFlag(),
		logFormatFlag(),
		bootstrapFlag(),
	}
	return &cli.Command{
		Name:      "apply",
		Usage:     "carry a plan out, batch by batch, and verify each",
		UsageText: "ballast apply [flags] [DIR|PLAN_FILE]",
		Description: "   ballast apply                      plan, ask, carry out\n" +
			"   ballast apply prod.plan            carry out exactly the plan that was reviewed\n" +
			"   ballast apply -resume              go on after a run that stopped\n" +
			"   ballast apply -sandbox prod.json   rehearse on an embedded cluster\n\n" +
			"The first interrupt submits nothing more and exits with 3; what is in flight stays throttled.\n" +
			"The journal of a run is DIR/.ballast/CLUSTER_ID.journal, DIR being the configuration's (-config for a\n" +
			"PLAN_FILE), unless a journal block keeps it in the cluster. -resume and cancel need the same DIR.",
		Flags:  append(flags, variableFlags()...),
		Action: func(c *cli.Context) error { return runApply(s, c) },
	}
}

func runApply(s *streams, c *cli.Context) error {
	target, err := oneArgument(c, ".")
	if err != nil {
		return err
	}
	r := &applyRun{s: s, c: c}
	if err := r.flags(); err != nil {
		return err
	}
	defer r.close()
	switch info, err := os.Stat(target); {
	case errors.Is(err, os.ErrNotExist):
		return fail("There is no file or directory "+render.Quote(target), "What is carried out is a DIR with *.hcl files, or a saved plan: ballast plan -out PLAN_FILE")
	case err != nil:
		return fail(render.Quote(target)+" cannot be read", "%v", err)
	case c.Bool("resume"):
		return r.resume(target, info.IsDir())
	case info.IsDir():
		return r.directory(target)
	}
	return r.planFile(target)
}

// applyRun is one run of the verb.
type applyRun struct {
	s        *streams
	c        *cli.Context
	throttle *config.Throttle // with -throttle
	events   render.EventOptions
	client   *kafka.Client
	rehearse *rehearsal // with -sandbox
	loaded   *config.Loaded
	plan     *planner.Plan // nil with -resume: the journal holds it
	closers  []func()
}

func (r *applyRun) close() {
	for i := len(r.closers) - 1; i >= 0; i-- {
		r.closers[i]()
	}
}

// flags checks the flags that can be checked alone.
func (r *applyRun) flags() error {
	c := r.c
	var err error
	if r.events, err = r.s.eventsOf(c); err != nil {
		return err
	}
	if text := c.String("throttle"); text != "" {
		t, err := config.ParseThrottle(text)
		if err != nil {
			return fail("-throttle "+render.Quote(text)+" is no rate", "%v", err)
		}
		r.throttle = &t
	}
	switch {
	case reportOutput.check(c.String("report")) != nil:
		return reportOutput.check(c.String("report"))
	case given(c, "bootstrap") && given(c, "sandbox"):
		return fail("-sandbox and -bootstrap exclude each other", "A rehearsal writes to its embedded cluster only.")
	case given(c, "speed") && c.String("sandbox") == "":
		return fail("-speed is for -sandbox only", "A live cluster has one speed.")
	case c.Bool("resume") && c.String("sandbox") != "":
		return fail("-resume and -sandbox exclude each other", "A rehearsal leaves no journal.")
	case c.Bool("resume") && len(targets(c)) > 0:
		return fail("-resume takes no -target", "It goes on with the plan of the run that stopped, which the journal holds.")
	case c.Duration("max-duration") < 0:
		return fail("-max-duration is negative", "Leave it out for no bound.")
	}
	return nil
}

// directory plans from a configuration and carries that out.
func (r *applyRun) directory(dir string) error {
	ctx, stop := interruptible(r.c.Context)
	m, err := r.makePlan(ctx, dir)
	stop()
	if err != nil {
		return err
	}
	if m.snapshot == nil {
		m.printDiagnostics(r.s, formatText, r.c.Bool("full"))
		return exit(exitError)
	}
	if err := printPlan(r.s, m.plan, formatText, render.Options{Full: r.c.Bool("full"), Quiet: r.c.Bool("quiet"), ErrorsElsewhere: true}); err != nil {
		return err
	}
	m.printDiagnostics(r.s, formatText, r.c.Bool("full"))
	if err := r.admit(m.plan, dir); err != nil {
		return err
	}
	if len(m.plan.Changes) > 0 && r.rehearse == nil && !r.c.Bool("auto-approve") {
		if err := confirm(r.s, "apply", "Carry this plan out on cluster "+render.Quote(m.plan.Cluster.ID)+"?"); err != nil {
			return err
		}
	}
	return r.run(apply.Options{Plan: m.plan}, dir)
}

// planFile carries out a saved plan. It was decided elsewhere: nobody is asked.
func (r *applyRun) planFile(file string) error {
	if len(targets(r.c)) > 0 {
		return fail("-target is for a DIR only", "A saved plan is carried out whole. Make a partial one: ballast plan -target 'topic.NAME' -out %s", file)
	}
	p, err := readPlan(file)
	if err != nil {
		return err
	}
	dir := r.configDir()
	if err := r.admit(p, dir); err != nil {
		return err
	}
	if err := r.connect(dir); err != nil {
		return err
	}
	if err := r.judge(p); err != nil {
		return err
	}
	err = r.run(apply.Options{Plan: p}, dir)
	var refusal *apply.Refusal
	if errors.As(err, &refusal) && refusal.Code == "stale_plan" {
		r.tellDifference(file, p, dir)
		refusal.Next = "Plan again, review it, and apply that: " + planAgain(p, file, dir)
	}
	return err
}

// resume goes on with the journal's plan, which was approved when it began.
func (r *applyRun) resume(target string, isDir bool) error {
	dir := target
	if !isDir {
		return fail("-resume takes no PLAN_FILE", "It goes on with the plan that the journal holds: ballast apply -resume [DIR]")
	}
	if r.c.NArg() == 0 {
		dir = r.configDir()
	}
	if err := r.connect(dir); err != nil {
		return err
	}
	return r.run(apply.Options{Resume: true}, dir)
}

// admit refuses a plan that is not to be carried out.
func (r *applyRun) admit(p *planner.Plan, dir string) error {
	if want := r.c.String("expect-digest"); want != "" && want != p.Digest {
		return fail("This is not the plan that was expected", "-expect-digest is %s, this plan's digest is %s.\nNothing was written. Review this one: ballast plan %s", render.Safe(want), p.Digest, dir)
	}
	if p.Errored {
		return fail("A plan with errors is not carried out", "Nothing was written. %s", afterErrors(p))
	}
	return nil
}

// afterErrors says what to do about a plan's errors. Only where some topics
// could be planned is there a part to carry out.
func afterErrors(p *planner.Plan) string {
	if len(p.Changes) == 0 {
		return "Correct what is wrong first."
	}
	return "Correct what is wrong, or leave it out with -target 'topic.NAME'."
}

func (r *applyRun) configDir() string {
	if dir := r.c.String("config"); dir != "" {
		return dir
	}
	return "."
}

// run carries a plan out and says how it ended.
func (r *applyRun) run(o apply.Options, dir string) error {
	r.plan = o.Plan
	journal, err := r.openJournal(dir)
	if err != nil {
		return err
	}
	defer journal.Close()
	journal = patient(r.s, r.c, journal)
	view := render.NewEvents(r.s.err, r.events)
	ctx, stop, done := stopOnSignal(r.c.Context, view.Interrupted)
	defer done()
	o.Cluster, o.Journal, o.Clock, o.Stop = r.client, journal, r.clock(), stop
	o.Events, o.MaxDuration = r.warnOfLocalJournal(journal, view.Event), r.c.Duration("max-duration")
	if r.throttle != nil {
		o.Throttle = &r.throttle.BytesPerSecond
	}
	rate, ignore := rateOnSignal()
	defer ignore()
	o.Rate, o.Holder = rate, holder("apply")
	result, err := apply.Run(ctx, o)
	if result.Plan != nil {
		r.plan = result.Plan
	}
	view.End()
	if err == nil || result.Exit == apply.ExitStopped {
		view.Ended(result)
	}
	if err := r.writeReport(result, err, dir); err != nil {
		return err
	}
	return r.ended(result, err, dir)
}

// ended prints a run's result and returns its exit code.
func (r *applyRun) ended(result apply.Result, err error, dir string) error {
	if err != nil && result.Exit != apply.ExitStopped {
		return err
	}
	closing := ""
	if r.rehearse != nil {
		result, closing = r.rehearse.told(result)
	}
	if printErr := render.Result(r.s.out, result, r.again(dir), r.s.view(r.c.Bool("full"))); printErr != nil {
		return printErr
	}
	if closing != "" {
		fmt.Fprintln(r.s.out, closing)
	}
	if err != nil {
		report(r.s, err)
	}
	if result.Exit != apply.ExitDone {
		return exit(result.Exit)
	}
	return nil
}
