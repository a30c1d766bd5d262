package main

import (
	"context"
	"slices"

	"github.com/urfave/cli/v2"

	"ballast/cmd/ballast/internal/consumers"
	"ballast/cmd/ballast/internal/render"
	"ballast/planner/consumer"
	"ballast/state"
	"ballast/state/kafka"
)

func consumersVerb(s *streams) *cli.Command {
	return &cli.Command{
		Name:      "consumers",
		Usage:     "show which member of a consumer group reads what, now and after the plan",
		UsageText: "ballast consumers [flags] [DIR|PLAN_FILE]",
		Description: "Reads the groups from the cluster, and tells what their present members get when they next\n" +
			"rebalance with the partitions that the plan leads to: who reads what, what moves from one member to\n" +
			"another, who is idle. The answer is that of Kafka's own assignor of that name; other clients' may\n" +
			"differ where several are as good. Groups see new partitions within metadata.max.age.ms, 5 minutes\n" +
			"by default. A created topic counts where members name it already; what a pattern will match is the\n" +
			"client's to know. Without -group: the groups that read a topic whose partitions the plan changes,\n" +
			"those that have yet to hear of partitions, and with -bootstrap and no configuration all. A PLAN_FILE is held against the cluster as it\n" +
			"is now. Groups that the coordinator assigns (KIP-848) are shown, and foreseen with -assignor only.",
		Flags: append([]cli.Flag{
			listFlag("group", "only the group `NAME`, which may be a glob; may be given several times"),
			listFlag("assignor", "foresee `ASSIGNOR`: range, roundrobin, sticky, cooperative-sticky or all; may be given several times (default: each group's own)"),
			stringFlag("format", "`FORMAT` of what is shown: text, markdown (a comment for a pull request) or json"),
			boolFlag("json", "as a JSON document; the same as -format json"),
			boolFlag("full", "fold nothing"),
			stringFlag("config", "`DIR` of the configuration that says where the cluster is, for a PLAN_FILE (default: .)"),
			bootstrapFlag(),
		}, variableFlags()...),
		Action: func(c *cli.Context) error { return runConsumers(s, c) },
	}
}

func runConsumers(s *streams, c *cli.Context) error {
	target, err := oneArgument(c, ".")
	if err != nil {
		return err
	}
	format, err := formatOf(c)
	if err == nil && format == formatHTML {
		err = fail("`ballast consumers` has no format html", "Its formats are text, markdown and json.")
	}
	if err != nil {
		return err
	}
	assignors, err := assignorsOf(c)
	if err != nil {
		return err
	}
	ctx, stop := interruptible(c.Context)
	defer stop()
	f, err := foreseeable(ctx, s, c, target)
	if err != nil {
		return err
	}
	defer f.close()
	r := &consumers.Reading{Tool: tool(), Before: f.before, After: f.before, Assignors: assignors}
	if f.plan != nil {
		r.Plan, r.After = f.plan.Digest, consumers.After(f.before, f.plan)
	}
	missed, err := readGroups(ctx, f.client, groupChoice{globs: c.StringSlice("group"), planned: f.plan != nil}, r)
	if err != nil {
		return err
	}
	d := consumers.Make(r)
	if err := printConsumers(s, c, format, d); err != nil {
		return err
	}
	if missed || f.errored {
		return exit(exitError)
	}
	return nil
}

func printConsumers(s *streams, c *cli.Context, format string, d *consumers.Document) error {
	switch format {
	case formatJSON:
		return printJSON(s, d)
	case formatMarkdown:
		return render.ConsumersMarkdown(s.out, d)
	}
	return render.Consumers(s.out, d, s.view(c.Bool("full")))
}

// assignorsOf are the assignors that are asked for, each once; nil is each
// group's own.
func assignorsOf(c *cli.Context) ([]consumer.Assignor, error) {
	var out []consumer.Assignor
	for _, name := range c.StringSlice("assignor") {
		a := consumer.Assignor(name)
		switch {
		case name == "all":
			return consumer.Assignors, nil
		case !slices.Contains(consumer.Assignors, a):
			hint := ""
			names := []string{"all"}
			for _, known := range consumer.Assignors {
				names = append(names, string(known))
			}
			if n := nearest(name, names); n != "" {
				hint = " Did you mean " + n + "?"
			}
			return nil, fail("There is no assignor "+render.Quote(name), "Kafka's are range, roundrobin, sticky and cooperative-sticky; all is each of them.%s", hint)
		case !slices.Contains(out, a):
			out = append(out, a)
		}
	}
	return out, nil
}

// groupChoice says which groups are read.
type groupChoice struct {
	globs   []string // names or globs; none is by the plan
	planned bool     // there is a plan, and it says whom it concerns
}

// readGroups adds the groups that are chosen to a reading, and says whether one
// that was named could not be read.
func readGroups(ctx context.Context, client *kafka.Client, choice groupChoice, r *consumers.Reading) (missed bool, err error) {
	resized := consumers.Resized(r.Before, r.After)
	listed, unread, err := client.ListGroups(ctx)
	if err != nil {
		return false, fail("The groups cannot be read", "%v", err)
	}
	r.Unread = unread
	chosen, err := choice.of(listed)
	if err != nil {
		return false, err
	}
	groups, errs, err := client.DescribeGroups(ctx, chosen)
	if err != nil {
		return false, fail("The groups cannot be read", "%v", err)
	}
	for i := range groups {
		if !choice.shows(&groups[i], errs[i], resized, r.Before) {
			continue
		}
		missed = missed || errs[i] != nil && slices.Contains(choice.globs, groups[i].Name)
		r.Groups, r.Errors = append(r.Groups, groups[i]), append(r.Errors, whyUnread(groups[i].Name, errs[i], listed))
	}
	return missed, nil
}

// shows says whether a group is one to show: any that was asked for, and by the
// plan those whom it concerns, or may where they could not be read, and those
// that have yet to hear of what an earlier one did.
func (g groupChoice) shows(of *state.Group, unread error, resized []consumers.Topic, s *state.Snapshot) bool {
	switch {
	case len(g.globs) > 0 || !g.planned:
		return true
	case unread != nil:
		return len(resized) > 0
	}
	return len(resized) > 0 && consumers.Concerned(of, resized) || consumers.Behind(of, s)
}

// of are the groups that are chosen among those listed. A name that is not
// listed is asked for all the same: it may be one that we may not list.
func (g groupChoice) of(listed []state.GroupListing) ([]state.GroupListing, error) {
	if len(g.globs) == 0 {
		return listed, nil
	}
	var out []state.GroupListing
	taken := map[string]bool{}
	for _, glob := range g.globs {
		found := false
		for _, l := range listed {
			if !isNamed(glob, l.Name) {
				continue
			}
			if found = true; !taken[l.Name] {
				taken[l.Name], out = true, append(out, l)
			}
		}
		if !found && isGlob(glob) {
			return nil, fail("No group is called "+render.Quote(glob), "Of the groups that may be described here, %s: none matches. `ballast consumers -group '*'` shows all.", render.Count(len(listed), "group", "groups"))
		}
		if !found && !taken[glob] {
			taken[glob], out = true, append(out, state.GroupListing{Name: glob})
		}
	}
	return out, nil
}
