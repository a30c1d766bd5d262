package main

import (
	"context"
	"fmt"
	"path"

	"github.com/urfave/cli/v2"

	"ballast/apply"
	"ballast/cmd/ballast/internal/render"
	"ballast/config"
	"ballast/state"
	"ballast/state/kafka"
)

func electVerb(s *streams) *cli.Command {
	return &cli.Command{
		Name:      "elect",
		Usage:     "let preferred leaders lead again",
		UsageText: "ballast elect [-topic GLOB] [-auto-approve] [-lock-timeout TIME] [-log-format json] [-bootstrap HOST:PORT,…] [DIR]",
		Description: "Elects the preferred leader of each partition that another replica leads, where it is in sync.\n" +
			"No data is copied. The apply block's `elections` spaces them out.",
		Flags: append([]cli.Flag{
			listFlag("topic", "only topics whose name matches `GLOB`; may be given several times"),
			autoApproveFlag(),
			lockTimeoutFlag(),
			logFormatFlag(),
			bootstrapFlag(),
		}, variableFlags()...),
		Action: func(c *cli.Context) error { return runElect(s, c) },
	}
}

func runElect(s *streams, c *cli.Context) error {
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
	n, err := approveElections(ctx, s, c, client)
	if err != nil || n == 0 {
		stop()
		return err
	}
	journal, err := openJournal(ctx, d.Journal, dir, client)
	stop()
	if err != nil {
		return err
	}
	return elect(s, c, client, patient(s, c, journal), d.Apply.Elections)
}

// approveElections shows which partitions are not led as preferred, and asks.
func approveElections(ctx context.Context, s *streams, c *cli.Context, client *kafka.Client) (int, error) {
	snap, err := client.Metadata(ctx, nil)
	if err != nil {
		return 0, fail("The cluster cannot be read", "%v", err)
	}
	lines := ledByOthers(snap, c.StringSlice("topic"))
	if len(lines) == 0 {
		_, err := fmt.Fprintln(s.out, "Every partition is led by its preferred leader.")
		return 0, err
	}
	for _, l := range lines {
		fmt.Fprintln(s.err, "  "+l)
	}
	if c.Bool("auto-approve") {
		return len(lines), nil
	}
	return len(lines), confirm(s, "elect", fmt.Sprintf("Elect the preferred leaders of these %d partitions on cluster %s?", len(lines), render.Quote(client.ClusterID())))
}

// ledByOthers says of each partition that is not led by its preferred leader
// by whom it is led.
func ledByOthers(snap *state.Snapshot, globs []string) []string {
	var out []string
	for _, t := range snap.Topics {
		if !matchesAny(globs, t.Name) {
			continue
		}
		for _, p := range t.Partitions {
			if p.InFlight() || p.Leader == state.NoLeader || len(p.Replicas) == 0 || p.Leader == p.Replicas[0] {
				continue
			}
			out = append(out, fmt.Sprintf("%s partition %d: leader %d -> %d", render.Quote(t.Name), p.ID, p.Leader, p.Replicas[0]))
		}
	}
	return out
}

// matchesAny says whether a name is one of the names or matches one of the
// globs; none is all.
func matchesAny(globs []string, name string) bool {
	for _, g := range globs {
		if ok, _ := path.Match(g, name); ok || g == name {
			return true
		}
	}
	return len(globs) == 0
}

// elect holds the elections, some at a time, and verifies each.
func elect(s *streams, c *cli.Context, client *kafka.Client, journal apply.Journal, pace config.Elections) error {
	defer journal.Close()
	events, err := s.eventsOf(c)
	if err != nil {
		return err
	}
	view := render.NewEvents(s.err, events)
	ctx, stop, done := stopOnSignal(c.Context, view.Interrupted)
	defer done()
	result, err := apply.Elect(ctx, apply.ElectOptions{
		Cluster: client, Journal: journal, Clock: apply.WallClock{}, Stop: stop, Events: view.Event,
		Holder: holder("elect"), Topics: c.StringSlice("topic"), Elections: apply.Elections(pace),
	})
	view.End()
	if err != nil {
		return err
	}
	view.Ended(result)
	if err := render.ElectResult(s.out, result, s.view(false)); err != nil {
		return err
	}
	if result.Exit != apply.ExitDone {
		return exit(result.Exit)
	}
	return nil
}
