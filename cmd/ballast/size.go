package main

import (
	"fmt"
	"math"
	"time"

	"github.com/urfave/cli/v2"

	"ballast/cmd/ballast/internal/render"
	"ballast/config"
	"ballast/planner"
	"ballast/planner/sizing"
	"ballast/state"
)

func sizeVerb(s *streams) *cli.Command {
	return &cli.Command{
		Name:      "size",
		Usage:     "how many partitions a throughput needs, checked against what brokers bear",
		UsageText: "ballast size -throughput RATE [flags] [-snapshot FILE | -brokers N -racks N | -bootstrap HOST:PORT,…] [DIR]",
		Description: "Writes nothing. Takes the larger of what producers and consumers need, up to a multiple by which\n" +
			"leaders are even, and checks per broker, with one dead too: replicas, network, disk. Measure what a\n" +
			"partition takes and gives with kafka-producer-perf-test and kafka-consumer-perf-test. A broken limit\n" +
			"exits with 1.",
		Flags: append([]cli.Flag{
			stringFlag("throughput", "`RATE` at which producers write to the topic at most, such as 200MB/s"),
			rateFlag("producer-rate", "`RATE` that one partition takes from producers", "10MB/s"),
			rateFlag("consumer-rate", "`RATE` that one partition gives to a member of a consumer group", "10MB/s"),
			intFlag("consumer-groups", "`N` groups that each read everything", 1),
			intFlag("consumers", "`N` members in the largest group (default: as many as are needed)", 0),
			stringFlag("topic", "`NAME` of the topic; one that is there keeps its partitions at least (default: a new one)"),
			intFlag("replication-factor", "`N` replicas of each partition (default: as declared or as it has, else 3)", 0),
			durationFlag("retention", "`TIME` for which records are kept (default: 7d, as Kafka's)"),
			&cli.Float64Flag{Name: "growth", Usage: "`FACTOR` by which the throughput is to grow", Value: 1, EnvVars: variable("growth")},
			intFlag("multiple", "round up to a multiple of `N`; 1 rounds nothing (default: brokers, or racks where there are fewer partitions)", 0),
			intFlag("max-replicas", "`N` replicas that a broker is to hold at most, of all topics", sizing.DefaultMaxReplicas),
			stringFlag("broker-network", "`RATE` that a broker's network carries each way, such as 1250MB/s"),
			intFlag("headroom", "`PERCENT` of the network that is to stay free", 20),
			boolFlag("json", "as a JSON document"),
		}, anyClusterFlags()...),
		Action: func(c *cli.Context) error { return runSize(s, c) },
	}
}

func rateFlag(name, usage, value string) cli.Flag {
	return &cli.StringFlag{Name: name, Usage: usage, Value: value, EnvVars: variable(name)}
}

func runSize(s *streams, c *cli.Context) error {
	in, err := sizeOf(c)
	if err != nil {
		return err
	}
	ctx, stop := interruptible(c.Context)
	defer stop()
	l, snap, err := anyCluster(ctx, s, c)
	if err != nil {
		return err
	}
	t, err := askedTopic(c, l.Desired, snap)
	if err != nil {
		return err
	}
	sizedOn(&in, c, l.Desired, snap, &t)
	r, err := sizing.Make(in)
	if err != nil {
		return fail("The topic cannot be sized", "%v.", err)
	}
	r.HCL = topicBlock(r, c)
	if err := printSize(s, c, r); err != nil {
		return err
	}
	tellGuesses(s, c)
	if r.Broken > 0 {
		return fail(render.Count(r.Broken, "limit is broken", "limits are broken"), "%s", render.BrokenLimits(r))
	}
	return nil
}

func printSize(s *streams, c *cli.Context, r *sizing.Report) error {
	if c.Bool("json") {
		return printJSON(s, r)
	}
	return render.Size(s.out, r, s.view(false))
}

// tellGuesses warns where the count stands on rates that nobody measured.
func tellGuesses(s *streams, c *cli.Context) {
	if !c.IsSet("producer-rate") || !c.IsSet("consumer-rate") {
		fmt.Fprintln(s.err, "Warning: 10MB/s of a partition is a cautious guess, not a measurement: give -producer-rate and -consumer-rate.")
	}
}

// sizeOf is what the flags say of the topic.
func sizeOf(c *cli.Context) (in sizing.Input, err error) {
	in = sizing.Input{
		Tool: tool(), Growth: c.Float64("growth"), Groups: c.Int("consumer-groups"), Consumers: c.Int("consumers"),
		Retention: int64(7 * 24 * time.Hour / time.Second), Multiple: c.Int("multiple"),
		MaxReplicas: c.Int("max-replicas"), NetworkHeadroom: c.Int("headroom"),
	}
	if c.String("throughput") == "" {
		return in, fail("Which throughput is the topic to bear?", "Give -throughput RATE, such as 200MB/s. Usage: %s", c.Command.UsageText)
	}
	if err := inRange(c); err != nil {
		return in, err
	}
	if given(c, "headroom") && c.String("broker-network") == "" {
		return in, fail("-headroom is for -broker-network only", "It is a share of what a broker's network carries.")
	}
	if c.IsSet("retention") {
		in.Retention = int64(c.Duration("retention") / time.Second)
	}
	for _, rate := range []struct {
		flag string
		to   *int64
	}{{"throughput", &in.Throughput}, {"producer-rate", &in.ProducerRate}, {"consumer-rate", &in.ConsumerRate}, {"broker-network", &in.Network}} {
		if *rate.to, err = rateOf(c, rate.flag); err != nil {
			return in, err
		}
	}
	return in, nil
}

// inRange checks the flags that are numbers.
func inRange(c *cli.Context) error {
	for _, f := range []struct {
		flag        string
		least, most int
	}{
		{"consumer-groups", 0, sizing.MaxPartitions}, {"consumers", 0, sizing.MaxPartitions}, {"multiple", 1, sizing.MaxPartitions},
		{"max-replicas", 1, math.MaxInt32}, {"headroom", 0, sizing.MaxHeadroom}, {"replication-factor", 1, sizing.MaxReplicationFactor},
	} {
		if n := c.Int(f.flag); c.IsSet(f.flag) && (n < f.least || n > f.most) {
			return fail(fmt.Sprintf("-%s must be from %d to %d", f.flag, f.least, f.most), "It is %d.", n)
		}
	}
	if growth := c.Float64("growth"); !(growth >= 1 && growth <= sizing.MaxGrowth) {
		return fail(fmt.Sprintf("-growth must be from 1 to %d", sizing.MaxGrowth), "It is %v; 1.5 is half as much again.", growth)
	}
	if c.IsSet("retention") && c.Duration("retention") < time.Second {
		return fail("-retention must be a second at least", "It is %s.", c.Duration("retention"))
	}
	return nil
}

// rateOf is the rate that a flag has, in bytes per second; 0 where it has none.
func rateOf(c *cli.Context, flag string) (int64, error) {
	text := c.String(flag)
	if text == "" {
		return 0, nil
	}
	n, err := config.ParseRate(text)
	switch {
	case err != nil:
		return 0, fail("-"+flag+" "+render.Quote(text)+" is no rate", "%v", err)
	case n < 1:
		return 0, fail("-"+flag+" must be above 0", "It is in bytes per second, such as 50MB/s.")
	}
	return n, nil
}

// sizedOn adds the brokers that may hold the topic, with what they hold.
func sizedOn(in *sizing.Input, c *cli.Context, d *config.Desired, snap *state.Snapshot, t *config.Topic) {
	in.Topic, in.RF, in.DiskHeadroom = t.Name, factorOf(c, t, snap.Topic(t.Name)), d.Apply.DiskHeadroom
	at := map[state.BrokerID]*sizing.Broker{}
	eligible := planner.Eligible(d, snap, t)
	in.Brokers, in.Spread = make([]sizing.Broker, len(eligible)), t.Replicas.RackSpread != config.SpreadNone
	for i, e := range eligible {
		in.Brokers[i] = sizing.Broker{ID: e.ID, Rack: e.Rack, Weight: e.Weight}
		if b := snap.Broker(e.ID); b != nil {
			in.Brokers[i].LogDirs = b.LogDirs
		}
		at[e.ID] = &in.Brokers[i]
		in.Spread = in.Spread && e.Rack != ""
	}
	for i := range snap.Topics {
		other := &snap.Topics[i]
		if other.Name == t.Name {
			in.Existing = len(other.Partitions)
		}
		for j := range other.Partitions {
			tallyReplicas(at, &other.Partitions[j], other.Name == t.Name)
		}
	}
}

// factorOf is a topic's replication factor: that of the flag, else the declared
// one, else what it has, else 3.
func factorOf(c *cli.Context, t *config.Topic, live *state.Topic) int {
	switch {
	case c.IsSet("replication-factor"):
		return c.Int("replication-factor")
	case t.ReplicationFactor > 0:
		return t.ReplicationFactor
	case live != nil && len(live.Partitions) > 0:
		return len(live.Partitions[0].Target())
	}
	return 3
}

// tallyReplicas adds a partition's replicas to what brokers hold, of this topic or of others.
func tallyReplicas(at map[state.BrokerID]*sizing.Broker, p *state.Partition, own bool) {
	for _, id := range p.Target() {
		switch b := at[id]; {
		case b == nil:
		case own:
			b.Held += p.Size.Bytes
		default:
			b.Replicas++
		}
	}
}

// topicBlock is the topic as a configuration declares it.
func topicBlock(r *sizing.Report, c *cli.Context) string {
	keep := ""
	if c.IsSet("retention") {
		keep = fmt.Sprintf("config = { \"retention.ms\" = %d }\n", c.Duration("retention").Milliseconds())
	}
	text, _ := config.Format("size.hcl", fmt.Appendf(nil, "topic %q {\npartitions = %d\nreplication_factor = %d\nmin_insync_replicas = %d\n%s}\n",
		r.Topic, r.Partitions, r.RF, max(1, r.RF-1), keep))
	return string(text)
}
