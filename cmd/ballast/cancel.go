package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"ballast/apply"
	"ballast/cmd/ballast/internal/render"
	"ballast/state/kafka"
)

func cancelVerb(s *streams) *cli.Command {
	return &cli.Command{
		Name:      "cancel",
		Usage:     "take back moves in flight",
		UsageText: "ballast cancel [-all] [-auto-approve] [-lock-timeout TIME] [-log-format json] [-bootstrap HOST:PORT,…] [DIR]",
		Description: "Takes back the moves that ballast began, by the journal in DIR, and puts throttles back to what\n" +
			"they were. Copies that are not complete are dropped; what has ended already stays.",
		Flags: append([]cli.Flag{
			boolFlag("all", "also moves that are not ballast's by its journal"),
			autoApproveFlag(),
			lockTimeoutFlag(),
			logFormatFlag(),
			bootstrapFlag(),
		}, variableFlags()...),
		Action: func(c *cli.Context) error { return runCancel(s, c) },
	}
}

func runCancel(s *streams, c *cli.Context) error {
	dir, err := oneArgument(c, ".")
	if err != nil {
		return err
	}
	ctx, stop := interruptible(c.Context)
	client, d, err := dialFor(ctx, s, c)
	if err != nil {
		stop()
		return err
	}
	defer client.Close()
	journal, err := openJournal(ctx, d.Journal, dir, client)
	if err != nil {
		stop()
		return err
	}
	defer journal.Close()
	err = approveCancel(ctx, s, c, client, journal)
	stop()
	if err != nil {
		return err
	}
	return cancel(s, c, client, patient(s, c, journal))
}

// approveCancel shows what is in flight and asks.
func approveCancel(ctx context.Context, s *streams, c *cli.Context, client *kafka.Client, journal apply.Journal) error {
	moves, err := client.Reassignments(ctx)
	if err != nil {
		return fail("The moves in flight cannot be read", "%v", err)
	}
	if len(moves) == 0 || c.Bool("auto-approve") {
		return nil
	}
	mine, err := ours(ctx, journal)
	if err != nil {
		return fail("The journal cannot be read", "%v", err)
	}
	taken := 0
	for _, m := range moves {
		whose := "another tool's"
		if mine != nil && mine(m.Topic, m.Partition) {
			whose = "ballast's"
		}
		if whose == "ballast's" || c.Bool("all") {
			taken++
		}
		fmt.Fprintf(s.err, "  %s partition %d%s (%s)\n", render.Quote(m.Topic), m.Partition, render.AddsRemoves(m.Adding, m.Removing), whose)
	}
	return confirm(s, "cancel", fmt.Sprintf("Take back %d of these %d moves on cluster %s?", taken, len(moves), render.Quote(client.ClusterID())))
}

func cancel(s *streams, c *cli.Context, client *kafka.Client, journal apply.Journal) error {
	events, err := s.eventsOf(c)
	if err != nil {
		return err
	}
	view := render.NewEvents(s.err, events)
	ctx, stop, done := stopOnSignal(c.Context, view.Interrupted)
	defer done()
	result, err := apply.Cancel(ctx, apply.CancelOptions{
		Cluster: client, Journal: journal, Clock: apply.WallClock{}, Stop: stop,
		Events: view.Event, Holder: holder("cancel"), All: c.Bool("all"),
	})
	view.End()
	if err != nil {
		return err
	}
	view.Ended(result)
	if err := render.CancelResult(s.out, result, s.view(false)); err != nil {
		return err
	}
	if result.Exit != apply.ExitDone {
		return exit(result.Exit)
	}
	return nil
}
