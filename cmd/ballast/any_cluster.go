package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"ballast/cmd/ballast/internal/render"
	"ballast/config"
	"ballast/state"
)

// anyClusterFlags say which brokers a question is about: those of the live
// cluster, of a snapshot, or so many as there might be.
func anyClusterFlags() []cli.Flag {
	return append([]cli.Flag{
		stringFlag("snapshot", "the brokers of the snapshot in `FILE`; no cluster is needed"),
		intFlag("brokers", "`N` brokers without topics; neither cluster nor configuration is needed", 0),
		intFlag("racks", "with -brokers: in `N` racks; 0 is none", 0),
		bootstrapFlag(),
	}, variableFlags()...)
}

// brokerSources are the flags that name a source of brokers.
var brokerSources = []string{"snapshot", "brokers", "bootstrap"}

// sourceOf is the flag that says where brokers are read from, or "" for the
// configured cluster. One on the command line goes before those that the
// environment sets.
func sourceOf(c *cli.Context) (string, error) {
	var typed, set []string
	for _, name := range brokerSources {
		if given(c, name) {
			typed = append(typed, name)
		} else if c.IsSet(name) && c.String(name) != "" {
			set = append(set, name)
		}
	}
	switch {
	case len(typed) > 1:
		return "", fail("-"+typed[0]+" and -"+typed[1]+" exclude each other", "Each says which brokers there are. Give one of them.")
	case given(c, "racks") && len(typed) == 1 && typed[0] != "brokers", given(c, "racks") && len(typed)+len(set) == 0:
		return "", fail("-racks is for -brokers only", "A cluster and a snapshot say themselves which racks there are.")
	}
	if all := append(typed, set...); len(all) > 0 {
		return all[0], nil
	}
	return "", nil
}

// anyCluster is the cluster that a question is about, and the configuration that
// says what brokers are for: an empty one where none is needed and none is there.
func anyCluster(ctx context.Context, s *streams, c *cli.Context) (*config.Loaded, *state.Snapshot, error) {
	source, err := sourceOf(c)
	if err != nil {
		return nil, nil, err
	}
	switch source {
	case "brokers":
		snap, err := inventedCluster(c)
		return noConfiguration(), snap, err
	case "snapshot":
		return snapshotCluster(s, c)
	}
	return liveCluster(ctx, s, c)
}

func liveCluster(ctx context.Context, s *streams, c *cli.Context) (*config.Loaded, *state.Snapshot, error) {
	client, l, err := dialLoaded(ctx, s, c)
	if err != nil {
		return nil, nil, err
	}
	defer client.Close()
	snap, err := client.Snapshot(ctx)
	if err != nil {
		return nil, nil, notRead(ctx, err)
	}
	return l, snap, nil
}

// noConfiguration is what counts where there is none.
func noConfiguration() *config.Loaded {
	return &config.Loaded{Desired: &config.Desired{Apply: config.DefaultApply()}}
}

// inventedCluster has so many brokers, and log dirs of unknown size.
func inventedCluster(c *cli.Context) (*state.Snapshot, error) {
	if err := noArgument(c); err != nil {
		return nil, fail("-brokers takes no DIR", "Brokers that there might be have no configuration. Leave out %s.", render.Quote(c.Args().First()))
	}
	for _, name := range []string{"var", "var-file"} {
		if given(c, name) {
			return nil, fail("-"+name+" does nothing with -brokers", "It is for a configuration, and none is read.")
		}
	}
	snap, err := emptyCluster(c.Int("brokers"), c.Int("racks"))
	if err != nil {
		return nil, err
	}
	snap.ClusterID = ""
	for i := range snap.Brokers {
		snap.Brokers[i].LogDirs = nil
	}
	return snap, nil
}

// snapshotCluster is that of -snapshot, with the configuration in DIR where there
// is one.
func snapshotCluster(s *streams, c *cli.Context) (*config.Loaded, *state.Snapshot, error) {
	dir, err := oneArgument(c, ".")
	if err != nil {
		return nil, nil, err
	}
	l := noConfiguration()
	if files, _ := hclFiles(dir); c.NArg() > 0 || len(files) > 0 {
		if l, err = loadAll(s, c, dir); err != nil {
			return nil, nil, err
		}
	}
	snap, warnings, unread := readSnapshot(c.String("snapshot"), 0)
	for _, w := range warnings {
		fmt.Fprintf(s.err, "Warning: %s: %s\n", w.Summary, render.Safe(w.Detail))
	}
	if unread != nil {
		return nil, nil, unread.err
	}
	return l, snap, nil
}
