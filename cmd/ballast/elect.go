package main

import (
	"context"
	"fmt"
	"path"
	"slices"

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
		return 0, notRead(ctx, err)
	}
	globs := c.StringSlice("topic")
	if err := checkGlobs(globs, snap); err != nil {
		return 0, err
	}
	able, unable := ledByOthers(snap, globs)
	tellElections(s, able, unable)
	switch {
	case len(able)+len(unable) == 0:
		_, err := fmt.Fprintln(s.out, "Every partition is led by its preferred leader.")
		return 0, err
	case len(able) == 0:
		return 0, fail("No preferred leader can be elected now", "Nothing was written. Start the brokers, let the replicas join the ISR, and run ballast elect again.")
	case c.Bool("auto-approve"):
		return len(able), nil
	}
	return len(able), confirm(s, "elect", fmt.Sprintf("Elect the preferred %s on cluster %s?",
		render.Count(len(able), "leader of this partition", "leaders of these partitions"), render.Quote(client.ClusterID())))
}

// tellElections lists the partitions that can be elected for, and the others.
func tellElections(s *streams, able, unable []string) {
	for _, list := range [][]string{able, unable} {
		for i, line := range list {
			if i == mostElections {
				fmt.Fprintf(s.err, "  … %s\n", render.Count(len(list)-i, "more", "more"))
				break
			}
			fmt.Fprintln(s.err, "  "+line)
		}
	}
}

// mostElections is how many partitions are named.
const mostElections = 40

// checkGlobs refuses a glob that is the name of no topic.
func checkGlobs(globs []string, snap *state.Snapshot) error {
	names := make([]string, len(snap.Topics))
	for i, t := range snap.Topics {
		names[i] = t.Name
	}
	for _, g := range globs {
		if slices.ContainsFunc(names, func(name string) bool { return matchesAny([]string{g}, name) }) {
			continue
		}
		hint := "`ballast status` tells what there is."
		if n := nearest(g, names); n != "" {
			hint = "Did you mean " + render.Quote(n) + "?"
		}
		return fail("No topic is called "+render.Quote(g), "%s", hint)
	}
	return nil
}

// ledByOthers says of each partition that is not led by its preferred leader by
// whom it is led: where that can lead, and where it cannot, why.
func ledByOthers(snap *state.Snapshot, globs []string) (able, unable []string) {
	alive := map[state.BrokerID]bool{}
	for _, b := range snap.Brokers {
		alive[b.ID] = b.Alive
	}
	for _, t := range snap.Topics {
		if !matchesAny(globs, t.Name) {
			continue
		}
		for _, p := range t.Partitions {
			if p.InFlight() || p.Leader == state.NoLeader || len(p.Replicas) == 0 || p.Leader == p.Replicas[0] {
				continue
			}
			name, home := fmt.Sprintf("%s partition %d: ", render.Quote(t.Name), p.ID), p.Replicas[0]
			switch {
			case !alive[home]:
				unable = append(unable, name+fmt.Sprintf("stays with leader %d, as broker %d is dead", p.Leader, home))
			case !state.Contains(p.ISR, home):
				unable = append(unable, name+fmt.Sprintf("stays with leader %d, as the replica on broker %d is not in sync", p.Leader, home))
			default:
				able = append(able, name+fmt.Sprintf("leader %d -> %d", p.Leader, home))
			}
		}
	}
	return able, unable
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
