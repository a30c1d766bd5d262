package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"ballast/apply"
	"ballast/cmd/ballast/internal/render"
	"ballast/cmd/ballast/internal/status"
)

func statusVerb(s *streams) *cli.Command {
	return &cli.Command{
		Name:      "status",
		Usage:     "show moves in flight, throttles, and what is not in sync",
		UsageText: "ballast status [-json] [-full] [-watch [-every TIME]] [-bootstrap HOST:PORT,…] [DIR]",
		Description: "Which moves and throttles are ballast's own is read from the journal in DIR. Where moves are in\n" +
			"flight the cluster is read twice, 2 seconds apart, to tell their rates. With -watch it is read again\n" +
			"and again until an interrupt, which is no error; with -json too, each report is a line.",
		Flags: append([]cli.Flag{
			boolFlag("json", "as a JSON document"),
			boolFlag("full", "fold nothing"),
			boolFlag("watch", "read the cluster again and again, until an interrupt"),
			durationFlag("every", "with -watch: `TIME` between two reads, 2s at least (default: 5s)"),
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
	if c.IsSet("every") && (!c.Bool("watch") || c.Duration("every") < rateWindow) {
		return fail("-every is for -watch, and at least "+rateWindow.String(), "Usage: %s", c.Command.UsageText)
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
	o := apply.StatusOptions{Cluster: client, Journal: journal}
	if c.Bool("watch") {
		return watchStatus(ctx, s, c, o)
	}
	rep, err := statusTwice(ctx, o)
	if err != nil {
		return notRead(ctx, err)
	}
	return printStatus(s, c, rep)
}

func printStatus(s *streams, c *cli.Context, rep *apply.Report) error {
	if c.Bool("json") {
		if c.Bool("watch") {
			return render.Visible(s.out, func(w io.Writer) error { return json.NewEncoder(w).Encode(status.Make(tool(), rep)) })
		}
		return printJSON(s, status.Make(tool(), rep))
	}
	return render.Status(s.out, rep, s.view(c.Bool("full")))
}

// watchStatus prints a report again and again. A cluster that cannot be read
// for a while is told, and read again.
func watchStatus(ctx context.Context, s *streams, c *cli.Context, o apply.StatusOptions) error {
	every := max(rateWindow, c.Duration("every"))
	if c.Duration("every") == 0 {
		every = watchEvery
	}
	_, screen := terminal(s.out)
	for ctx.Err() == nil {
		rep, err := apply.Status(ctx, o)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			fmt.Fprintf(s.err, "The cluster cannot be read: %s\n", render.Safe(err.Error()))
		default:
			if screen && !c.Bool("json") {
				fmt.Fprint(s.out, "\x1b[H\x1b[2J")
			}
			if err := printStatus(s, c, rep); err != nil {
				return err
			}
			o.Previous = rep
		}
		_ = (apply.WallClock{}).Sleep(ctx, every)
	}
	return nil
}

// watchEvery is how far apart the reads of -watch are, unless -every says.
const watchEvery = 5 * time.Second

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
