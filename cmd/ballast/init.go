package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"ballast/cmd/ballast/internal/render"
	"ballast/config"
)

// starterFile is what init writes.
const starterFile = "cluster.hcl"

func initVerb(s *streams) *cli.Command {
	return &cli.Command{
		Name:      "init",
		Usage:     "write a starter configuration",
		UsageText: "ballast init [-bootstrap HOST:PORT,…] [DIR]",
		Description: "Writes " + starterFile + " with comments, and asks nothing. With -bootstrap it names that cluster and\n" +
			"its id. A file that is there already is left alone.",
		Flags:  []cli.Flag{stringFlag("bootstrap", "`HOST:PORT,…` of a live cluster to name in it")},
		Action: func(c *cli.Context) error { return runInit(s, c) },
	}
}

func runInit(s *streams, c *cli.Context) error {
	dir, err := oneArgument(c, ".")
	if err != nil {
		return err
	}
	o, err := starterOptions(c.Context, c.String("bootstrap"))
	if err != nil {
		return err
	}
	file := filepath.Join(dir, starterFile)
	if err := writeNew(file, config.Starter(o)); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%s\n", render.Safe(file))
	fmt.Fprintln(s.err, "Next: declare topics in it, then `ballast plan`.")
	return nil
}

// writeNew writes a file that must not be there yet.
func writeNew(file string, text []byte) error {
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
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return fail("The configuration cannot be written", "%v", err)
	}
	return nil
}

// starterOptions asks a live cluster, where there is one, for its id.
func starterOptions(parent context.Context, bootstrap string) (config.StarterOptions, error) {
	if bootstrap == "" {
		return config.StarterOptions{}, nil
	}
	ctx, stop := interruptible(parent)
	defer stop()
	client, err := dialAny(ctx, bootstrap)
	if err != nil {
		return config.StarterOptions{}, err
	}
	defer client.Close()
	return config.StarterOptions{Bootstrap: addresses(bootstrap), ClusterID: client.ClusterID()}, nil
}
