package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"ballast/cmd/ballast/internal/render"
	"ballast/state"
)

//go:embed starter.hcl
var starter string

// starterFile is what init writes.
const starterFile = "cluster.hcl"

func initVerb(s *streams) *cli.Command {
	return &cli.Command{
		Name:      "init",
		Usage:     "write a starter configuration",
		UsageText: "ballast init [-bootstrap HOST:PORT,…] [DIR]",
		Description: "Writes " + starterFile + " with comments, and asks nothing. With -bootstrap it writes the block of\n" +
			"that cluster instead, with its id and brokers. A file that is there already is left alone.",
		Flags:  []cli.Flag{stringFlag("bootstrap", "`HOST:PORT,…` of a live cluster to write the block of")},
		Action: func(c *cli.Context) error { return runInit(s, c) },
	}
}

func runInit(s *streams, c *cli.Context) error {
	dir, err := oneArgument(c, ".")
	if err != nil {
		return err
	}
	text := starter
	if b := c.String("bootstrap"); b != "" {
		if text, err = clusterBlock(c.Context, b); err != nil {
			return err
		}
	}
	file := filepath.Join(dir, starterFile)
	if err := writeNew(file, text); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%s\n", render.Safe(file))
	fmt.Fprintln(s.err, "Next: declare topics in it, then `ballast plan`.")
	return nil
}

// writeNew writes a file that must not be there yet.
func writeNew(file, text string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fail("The configuration cannot be written", "%v", err)
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fail(render.Quote(file)+" is there already", "init changes no file. Move it away, or give another directory: ballast init DIR")
	}
	if err != nil {
		return fail("The configuration cannot be written", "%v", err)
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return fail("The configuration cannot be written", "%v", err)
	}
	return nil
}

// clusterBlock reads a live cluster and writes its block.
func clusterBlock(parent context.Context, bootstrap string) (string, error) {
	ctx, stop := interruptible(parent)
	defer stop()
	client, err := dialAny(ctx, bootstrap)
	if err != nil {
		return "", err
	}
	defer client.Close()
	snap, err := client.Metadata(ctx, []string{})
	if err != nil {
		return "", fail("The cluster cannot be read", "%v", err)
	}
	return describeCluster(client.ClusterID(), snap, addresses(bootstrap)), nil
}

func describeCluster(id string, snap *state.Snapshot, bootstrap []string) string {
	var b strings.Builder
	quoted := make([]string, len(bootstrap))
	for i, a := range bootstrap {
		quoted[i] = render.Quote(a)
	}
	fmt.Fprintf(&b, "cluster \"main\" {\n  bootstrap  = [%s]\n  cluster_id = %s\n}\n\n# Its brokers:\n", strings.Join(quoted, ", "), render.Quote(id))
	for _, x := range snap.Brokers {
		fmt.Fprintf(&b, "#   %d  %s:%d  %s\n", x.ID, render.Safe(x.Host), x.Port, rackWords(x))
	}
	return b.String()
}

func rackWords(b state.Broker) string {
	switch {
	case b.Rack == "" && b.Alive:
		return "no rack"
	case b.Rack == "":
		return "dead, its rack is not known"
	case !b.Alive:
		return "rack " + render.Quote(b.Rack) + ", dead"
	}
	return "rack " + render.Quote(b.Rack)
}
