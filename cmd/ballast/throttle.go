package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"ballast/apply"
	"ballast/cmd/ballast/internal/render"
	"ballast/state/kafka"
)

func throttleVerb(s *streams) *cli.Command {
	return &cli.Command{
		Name:      "throttle",
		Usage:     "show every replication throttle and whose it is, or clear leftovers",
		UsageText: "ballast throttle show [-bootstrap HOST:PORT,…] [DIR]\nballast throttle clear [-auto-approve] [-lock-timeout TIME] [-bootstrap HOST:PORT,…] [DIR]",
		Description: "clear asks for each throttle, or with -auto-approve takes all away. Those of an apply that has not\n" +
			"ended are left: resume or cancel it, which puts back what was there before. It refuses while a move\n" +
			"is in flight that a throttle holds: without it the move would copy at full speed.",
		Flags:  append([]cli.Flag{autoApproveFlag(), lockTimeoutFlag(), bootstrapFlag()}, variableFlags()...),
		Action: func(c *cli.Context) error { return runThrottle(s, c) },
	}
}

func runThrottle(s *streams, c *cli.Context) error {
	what, dir := c.Args().First(), "."
	if c.NArg() == 2 {
		dir = c.Args().Get(1)
	}
	if what != "show" && what != "clear" || c.NArg() > 2 {
		return fail("`ballast throttle` takes show or clear, and a DIR", "Usage: %s", c.Command.UsageText)
	}
	ctx, stop := interruptible(c.Context)
	defer stop()
	d, err := desiredFor(s, c, dir)
	if err != nil {
		return err
	}
	client, err := dial(ctx, d, c.String("bootstrap"))
	if err != nil {
		return err
	}
	defer client.Close()
	journal, err := openJournal(ctx, d.Journal, dir, client)
	if err != nil {
		return err
	}
	defer journal.Close()
	if what == "clear" {
		stop()
		return clearThrottles(s, c, client, patient(s, c, journal))
	}
	rep, err := apply.Status(ctx, apply.StatusOptions{Cluster: client, Journal: journal})
	if err != nil {
		return notRead(ctx, err)
	}
	return render.Throttles(s.out, rep.Throttles, s.view(true))
}

// clearThrottles takes throttles away, those that are approved, under the lock.
func clearThrottles(s *streams, c *cli.Context, client *kafka.Client, journal apply.Journal) error {
	view := render.NewEvents(s.err, s.events(false))
	ctx, stop, done := stopOnSignal(c.Context, view.Interrupted)
	defer done()
	gone, err := apply.ClearThrottles(ctx, apply.ClearOptions{
		Cluster: client, Journal: journal, Clock: apply.WallClock{}, Stop: stop, Events: view.Event, Holder: holder("throttle clear"),
		Choose: func(t apply.ThrottleStatus) (bool, error) {
			if c.Bool("auto-approve") {
				return true, nil
			}
			return ask(s, "throttle clear", "Take away "+throttleWords(t)+"?")
		},
	})
	view.End()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "%s taken away.\n", render.Count(len(gone), "throttle", "throttles"))
	return err
}

func throttleWords(t apply.ThrottleStatus) string {
	return render.Resource(t.Resource) + " " + t.Name + " = " + render.Quote(t.Value)
}
