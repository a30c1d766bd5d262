package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"ballast/cmd/ballast/internal/render"
	"ballast/config"
	"ballast/planner"
	"ballast/state"
	"ballast/state/kafka"
)

// foreseen is a cluster, and the plan after which its groups are foreseen.
type foreseen struct {
	client  *kafka.Client
	before  *state.Snapshot
	plan    *planner.Plan // nil: nothing changes
	errored bool          // part of it could not be planned, which has been said
	close   func()
}

// foreseeable reads the cluster, and makes the plan of a directory or reads a
// saved one. With -bootstrap a directory without a configuration has none.
func foreseeable(ctx context.Context, s *streams, c *cli.Context, target string) (*foreseen, error) {
	info, err := os.Stat(target)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fail("There is no file or directory "+render.Quote(target), "It would be a DIR with *.hcl files, or a saved plan: ballast plan -out PLAN_FILE")
	case err != nil:
		return nil, fail(render.Quote(target)+" cannot be read", "%v", err)
	case !info.IsDir():
		return savedPlan(ctx, s, c, target)
	case given(c, "config"):
		return nil, fail("-config is for a PLAN_FILE", "A DIR is a configuration itself.")
	}
	if files, err := hclFiles(target); c.String("bootstrap") != "" && (err != nil || len(files) == 0) {
		client, err := dialAny(ctx, c.String("bootstrap"))
		if err != nil {
			return nil, err
		}
		return withMetadata(ctx, client, nil)
	}
	m := makePlan(ctx, s, c, target, planning{bootstrap: c.String("bootstrap")})
	if m.plan.Errored {
		m.printDiagnostics(s, formatMarkdown, c.Bool("full"))
	}
	if m.snapshot == nil {
		m.close()
		return nil, exit(exitError)
	}
	return &foreseen{client: m.client, before: m.snapshot, plan: m.plan, errored: m.plan.Errored, close: m.close}, nil
}

// savedPlan reads a saved plan and the cluster that it is for.
func savedPlan(ctx context.Context, s *streams, c *cli.Context, file string) (*foreseen, error) {
	p, err := readPlan(file)
	if err != nil {
		return nil, err
	}
	dir := c.String("config")
	if dir == "" {
		dir = "."
	}
	l, err := loadedFor(s, c, dir)
	if err != nil {
		return nil, err
	}
	client, err := dial(ctx, l.Desired, c.String("bootstrap"))
	if err != nil {
		return nil, shown(s, l, err)
	}
	if p.Cluster.ID != client.ClusterID() {
		client.Close()
		return nil, fail("The plan is for another cluster", "It is for the cluster with the id %s; what answers has the id %s. Check -config and -bootstrap.", render.Quote(p.Cluster.ID), render.Quote(client.ClusterID()))
	}
	if p.Errored {
		fmt.Fprintln(s.err, "The plan has errors: what could not be planned is not foreseen.")
	}
	return withMetadata(ctx, client, p)
}

// withMetadata reads what a forecast needs of a cluster.
func withMetadata(ctx context.Context, client *kafka.Client, p *planner.Plan) (*foreseen, error) {
	snap, err := client.Metadata(ctx, nil)
	if err != nil {
		client.Close()
		return nil, notRead(ctx, err)
	}
	return &foreseen{client: client, before: snap, plan: p, close: func() { client.Close() }}, nil
}

// isGlob says whether a name is one of many.
func isGlob(name string) bool { return strings.ContainsAny(name, "*?") }

// isNamed says whether a glob or a name means a group.
func isNamed(glob, name string) bool { return glob == name || config.MatchGlob(glob, name) }

// whyUnread says of a group that could not be read what to do.
func whyUnread(name string, err error, listed []state.GroupListing) error {
	var of *state.Error
	switch {
	case !errors.As(err, &of):
		return err
	case of.Code == state.CodeGroupNotFound:
		names := make([]string, len(listed))
		for i, l := range listed {
			names[i] = l.Name
		}
		if n := nearest(name, names); n != "" {
			return fmt.Errorf("there is no such group, but there is %s", render.Quote(n))
		}
		return errors.New("there is no such group; `ballast consumers -group '*'` shows those that there are")
	case of.Code == state.CodeGroupAuthorization:
		return errors.New("GROUP_AUTHORIZATION_FAILED: reading it needs Describe on the group")
	}
	return err
}
