package main

import (
	"context"
	"encoding/json"
	"time"

	"github.com/urfave/cli/v2"

	"ballast/apply"
	"ballast/cmd/ballast/internal/render"
)

func statusVerb(s *streams) *cli.Command {
	return &cli.Command{
		Name:      "status",
		Usage:     "show moves in flight, throttles, and what is not in sync",
		UsageText: "ballast status [-json] [-full] [-bootstrap HOST:PORT,…] [DIR]",
		Description: "Which moves and throttles are ballast's own is read from the journal in DIR. Where moves are in\n" +
			"flight the cluster is read twice, 2 seconds apart, to tell their rates.",
		Flags: append([]cli.Flag{
			boolFlag("json", "as a JSON document"),
			boolFlag("full", "fold nothing"),
			bootstrapFlag(),
		}, variableFlags()...),
		Action: func(c *cli.Context) error { return runStatus(s, c) },
	}
}

// rateWindow is how far apart the two reads are that rates are told from.
const rateWindow = 2 * time.Second

func runStatus(s *streams, c *cli.Context) error {
	dir, err := oneArgument(c, ".")
	if err != nil {
		return err
	}
	ctx, stop := interruptible(c.Context)
	defer stop()
	client, d, err := dialFor(ctx, s, c)
	if err != nil {
		return err
	}
	defer client.Close()
	journal, err := openJournal(ctx, d.Journal, dir, client)
	if err != nil {
		return err
	}
	defer journal.Close()
	rep, err := statusTwice(ctx, apply.StatusOptions{Cluster: client, Journal: journal})
	if err != nil {
		return fail("The cluster cannot be read", "%v", err)
	}
	if c.Bool("json") {
		e := json.NewEncoder(s.out)
		e.SetIndent("", "  ")
		return e.Encode(rep)
	}
	return render.Status(s.out, rep, s.view(c.Bool("full")))
}

// statusTwice reads a second time where something moves, for its rate.
func statusTwice(ctx context.Context, o apply.StatusOptions) (*apply.Report, error) {
	rep, err := apply.Status(ctx, o)
	if err != nil || len(rep.Moves) == 0 {
		return rep, err
	}
	if err := (apply.WallClock{}).Sleep(ctx, rateWindow); err != nil {
		return nil, err
	}
	o.Previous = rep
	return apply.Status(ctx, o)
}
