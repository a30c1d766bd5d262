package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"ballast/cmd/ballast/internal/allocation"
	"ballast/cmd/ballast/internal/render"
	"ballast/config"
	"ballast/state"
)

func allocateVerb(s *streams) *cli.Command {
	return &cli.Command{
		Name:      "allocate",
		Usage:     "where Kafka's own allocators would put partitions, beside ballast's places",
		UsageText: "ballast allocate -partitions N [flags] [-snapshot FILE | -brokers N -racks N | -bootstrap HOST:PORT,…] [DIR]",
		Description: "Writes nothing. Compares what Kafka does with a new topic, or with the partitions that are added to\n" +
			"a topic, with what ballast plans for it under the rules that DIR declares for it, else the defaults.\n" +
			"striped is the placer of KRaft clusters; classic that of clusters with ZooKeeper, and up to Kafka 4.0\n" +
			"of kafka-reassign-partitions --generate. Kafka draws their numbers at random; here they are given.",
		Flags: append([]cli.Flag{
			stringFlag("topic", "`NAME` of the topic; one that is there gets partitions added (default: a new one)"),
			intFlag("partitions", "`N` partitions in all (default: as declared)", 0),
			intFlag("replication-factor", "`N` replicas of each (default: as declared, else 3)", 0),
			&cli.StringFlag{Name: "allocator", Usage: "Kafka's `ALLOCATOR`: striped or classic", Value: string(allocation.Striped), EnvVars: variable("allocator")},
			&cli.Int64Flag{Name: "seed", Usage: "`N` from which striped draws its numbers (default: 0)", EnvVars: variable("seed")},
			intFlag("start-index", "`N`, the index among the brokers at which classic begins (default: 0; of a topic that is there, its first leader's)", 0),
			intFlag("shift", "`N`, how far classic's second replica is from the first (default: the start index)", 0),
			intFlag("draws", "draw Kafka's numbers `N` times to tell what is to be expected; 0 is never", 100),
			boolFlag("json", "as a JSON document"),
			boolFlag("full", "fold nothing"),
		}, anyClusterFlags()...),
		Action: func(c *cli.Context) error { return runAllocate(s, c) },
	}
}

func runAllocate(s *streams, c *cli.Context) error {
	r, err := allocationOf(c)
	if err != nil {
		return err
	}
	ctx, stop := interruptible(c.Context)
	defer stop()
	l, snap, err := anyCluster(ctx, s, c)
	if err != nil {
		return err
	}
	r.Desired, r.Snapshot = l.Desired, snap
	if r.Topic, err = allocatedTopic(c, l.Desired, snap); err != nil {
		return err
	}
	if given(c, "draws") && r.Allocator == allocation.Classic && snap.Topic(r.Topic.Name) != nil {
		return fail("-draws does nothing with a topic that is there and -allocator classic", "Nothing is drawn: classic begins where partition 0 is led from.")
	}
	d := allocation.Make(r)
	if err := printAllocation(s, c, d); err != nil {
		return err
	}
	if len(d.Diagnostics) > 0 {
		l.Print(s.err, d.Diagnostics, s.diagnostics())
	}
	switch {
	case d.Refused != "":
		return fail(fmt.Sprintf("Kafka's %s allocator would refuse this", d.Allocator), "It says: %s.", d.Refused)
	case len(d.Diagnostics) > 0:
		return exit(exitError)
	}
	return nil
}

func printAllocation(s *streams, c *cli.Context, d *allocation.Document) error {
	if c.Bool("json") {
		return printJSON(s, d)
	}
	return render.Allocation(s.out, d, s.view(c.Bool("full")))
}

// The most that the flags of allocate may be: Kafka refuses more partitions in
// one request, and indexes above the number of brokers begin anew.
const (
	maxRequested = 10_000
	maxIndex     = 1_000_000
)

// allocationOf is what the flags ask of Kafka's allocator.
func allocationOf(c *cli.Context) (r allocation.Request, err error) {
	r = allocation.Request{Tool: tool(), Allocator: allocation.Allocator(c.String("allocator")), Seed: c.Int64("seed"), Draws: c.Int("draws")}
	ofOther := map[allocation.Allocator][]string{allocation.Striped: {"start-index", "shift"}, allocation.Classic: {"seed"}}
	names, known := ofOther[r.Allocator]
	if !known {
		return r, fail("Unknown allocator "+render.Quote(string(r.Allocator)), "Kafka's allocators are striped (KRaft clusters) and classic (ZooKeeper).")
	}
	for _, name := range names {
		if given(c, name) {
			return r, fail("-"+name+" does nothing with -allocator "+string(r.Allocator), "striped takes -seed, classic -start-index and -shift.")
		}
	}
	if r.Start, err = index(c, "start-index"); err != nil {
		return r, err
	}
	if r.Shift, err = index(c, "shift"); err != nil {
		return r, err
	}
	if r.Draws < 0 || r.Draws > maxRequested {
		return r, fail(fmt.Sprintf("-draws must be from 0 to %d", maxRequested), "0 draws nothing.")
	}
	return r, nil
}

// index is the value of a flag that has an index, or nil where it is not set.
func index(c *cli.Context, name string) (*int, error) {
	if !c.IsSet(name) {
		return nil, nil
	}
	n := c.Int(name)
	if n < 0 || n > maxIndex {
		return nil, fail(fmt.Sprintf("-%s must be from 0 to %d", name, maxIndex), "It is an index among the live brokers, in turns.")
	}
	return &n, nil
}

// allocatedTopic is the topic that is placed, with the rules that are declared for it.
func allocatedTopic(c *cli.Context, d *config.Desired, snap *state.Snapshot) (config.Topic, error) {
	t, err := askedTopic(c, d, snap)
	if err != nil {
		return t, err
	}
	if n := c.Int("partitions"); c.IsSet("partitions") {
		t.Partitions = n
	}
	if n := c.Int("replication-factor"); c.IsSet("replication-factor") {
		t.ReplicationFactor = n
	} else if t.ReplicationFactor == 0 {
		t.ReplicationFactor = 3
	}
	existing := 0
	if live := snap.Topic(t.Name); live != nil {
		if existing = len(live.Partitions); existing == 0 {
			return t, fail(fmt.Sprintf("Topic %q has no partitions", t.Name), "It is being created or deleted. Read the cluster again.")
		}
		if rf := len(live.Partitions[0].Replicas); c.IsSet("replication-factor") && t.ReplicationFactor != rf {
			return t, fail(fmt.Sprintf("Topic %q has %s", t.Name, render.Count(rf, "replica", "replicas")), "Kafka gives added partitions as many as partition 0 has. Leave out -replication-factor; `ballast plan` changes it.")
		}
	}
	switch added := t.Partitions - existing; {
	case t.Partitions == 0 && !c.IsSet("partitions"):
		return t, fail("How many partitions are to be placed?", "Give -partitions N. Usage: %s", c.Command.UsageText)
	case added < 1 && existing > 0:
		return t, fail(fmt.Sprintf("Topic %q has %s already", t.Name, render.Count(existing, "partition", "partitions")), "-partitions is how many it is to have in all: more than these.")
	case added < 1, added > maxRequested:
		return t, fail(fmt.Sprintf("%d partitions cannot be placed", added), "Kafka takes 1 to %d in one request.", maxRequested)
	case t.ReplicationFactor < 1 || t.ReplicationFactor > 1<<15-1:
		return t, fail(fmt.Sprintf("-replication-factor must be from 1 to %d", 1<<15-1), "It is how many replicas a partition has.")
	}
	return t, nil
}

// askedTopic is the declaration of the topic that -topic names, or one of a new
// topic by the defaults.
func askedTopic(c *cli.Context, d *config.Desired, snap *state.Snapshot) (config.Topic, error) {
	name := c.String("topic")
	if name == "" {
		for name = "new-topic"; snap.Topic(name) != nil || d.Topic(name) != nil; {
			name += "-1"
		}
	}
	if err := config.CheckTopicName(name); err != nil {
		return config.Topic{}, fail("-topic "+render.Quote(name)+" is no name of a topic", "%v.", err)
	}
	if declared := d.Topic(name); declared != nil {
		return *declared, nil
	}
	t := d.Defaults
	t.Name = name
	return t, nil
}
