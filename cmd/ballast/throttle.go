package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"ballast/apply"
	"ballast/cmd/ballast/internal/render"
	"ballast/state"
	"ballast/state/kafka"
)

func throttleVerb(s *streams) *cli.Command {
	return &cli.Command{
		Name:      "throttle",
		Usage:     "show every replication throttle and whose it is, or clear leftovers",
		UsageText: "ballast throttle show [-bootstrap HOST:PORT,…] [DIR]\n   ballast throttle clear [-auto-approve] [-bootstrap HOST:PORT,…] [DIR]",
		Description: "clear asks for each throttle, or with -auto-approve takes all away. Those of an apply that has not\n" +
			"ended are left: resume or cancel it, which puts back what was there before.",
		Flags:  append([]cli.Flag{autoApproveFlag(), bootstrapFlag()}, variableFlags()...),
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
	rep, err := apply.Status(ctx, apply.StatusOptions{Cluster: client, Journal: journal})
	if err != nil {
		return fail("The cluster cannot be read", "%v", err)
	}
	if what == "show" {
		return render.Throttles(s.out, rep.Throttles, s.view(true))
	}
	return clearThrottles(ctx, s, c.Bool("auto-approve"), client, rep)
}

// clearThrottles takes throttles away, each as it is approved.
func clearThrottles(ctx context.Context, s *streams, approved bool, client *kafka.Client, rep *apply.Report) error {
	if n := len(rep.Moves); n > 0 {
		fmt.Fprintf(s.err, "Warning: %d moves are in flight; without a throttle they go on as fast as they can.\n", n)
	}
	cleared := 0
	for _, t := range rep.Throttles {
		if t.Ours && rep.Unfinished {
			fmt.Fprintf(s.err, "Left: %s is of an apply that has not ended; `ballast apply -resume` or `ballast cancel` puts it back.\n", throttleWords(t))
			continue
		}
		if !approved {
			if err := confirm(s, "throttle clear", "Take away "+throttleWords(t)+"?"); err != nil {
				return err
			}
		}
		if err := clearThrottle(ctx, client, t); err != nil {
			return fail("A throttle cannot be taken away", "%s: %v\n%d were taken away before it.", throttleWords(t), err, cleared)
		}
		cleared++
	}
	_, err := fmt.Fprintf(s.out, "%d throttles taken away.\n", cleared)
	return err
}

func throttleWords(t apply.ThrottleStatus) string {
	return render.Resource(t.Resource) + " " + t.Name + " = " + render.Quote(t.Value)
}

// clearThrottle deletes the override, where it is set: on the resource itself
// or as the default of all brokers.
func clearThrottle(ctx context.Context, client *kafka.Client, t apply.ThrottleStatus) error {
	r := t.Resource
	switch t.Source {
	case state.SourceCluster:
		r.Name = ""
	case state.SourceStatic:
		return fmt.Errorf("it is in the broker's server.properties")
	}
	errs, err := client.AlterConfigs(ctx, []state.AlterConfigs{{Resource: r, Changes: []state.ConfigChange{{Name: t.Name}}}})
	if err != nil {
		return err
	}
	return errs[0]
}
