package main

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"ballast/cmd/ballast/internal/render"
	"ballast/state"
)

func snapshotVerb(s *streams) *cli.Command {
	return &cli.Command{
		Name:        "snapshot",
		Usage:       "write the cluster's present state as a document",
		UsageText:   "ballast snapshot [-out FILE] [-bootstrap HOST:PORT,…] [DIR]",
		Description: "The document is what `ballast plan -snapshot FILE` and `ballast sandbox -snapshot FILE` read.",
		Flags: append([]cli.Flag{
			stringFlag("out", "write to `FILE`; - is standard output, as without it"),
			bootstrapFlag(),
		}, variableFlags()...),
		Action: func(c *cli.Context) error { return runSnapshot(s, c) },
	}
}

func runSnapshot(s *streams, c *cli.Context) error {
	if err := snapshotOutput.check(c.String("out")); err != nil {
		return err
	}
	ctx, stop := interruptible(c.Context)
	defer stop()
	client, _, err := dialFor(ctx, s, c)
	if err != nil {
		return err
	}
	defer client.Close()
	snap, err := client.Snapshot(ctx)
	if err != nil {
		return notRead(ctx, err)
	}
	for _, u := range snap.Unread {
		fmt.Fprintf(s.err, "Warning: could not read %s: %s\n", render.Unread(u), render.Safe(u.Reason))
	}
	return writeSnapshot(s, snap, c.String("out"))
}

func writeSnapshot(s *streams, snap *state.Snapshot, file string) error {
	if file == "" {
		file = "-"
	}
	if err := snapshotOutput.write(s, file, func(w io.Writer) error {
		return render.Visible(w, func(w io.Writer) error { return state.Encode(w, snap) })
	}); err != nil {
		return err
	}
	if file != "-" {
		fmt.Fprintf(s.err, "Saved in %s: %s, %s.\n", render.Quote(file), render.Count(len(snap.Brokers), "broker", "brokers"), render.Count(len(snap.Topics), "topic", "topics"))
	}
	return nil
}
