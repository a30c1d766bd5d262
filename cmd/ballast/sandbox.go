package main

import (
	"fmt"
	"net"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"ballast/cmd/ballast/internal/render"
	"ballast/state"
	"ballast/state/sandbox"
)

func sandboxVerb(s *streams) *cli.Command {
	return &cli.Command{
		Name:      "sandbox",
		Usage:     "run an embedded Kafka cluster to rehearse on",
		UsageText: "ballast sandbox [-listen HOST:PORT] [-snapshot FILE | -brokers N -racks N] [-speed X]",
		Description: "Listens on loopback until it is interrupted. Kafka's own tools can talk to it.\n" +
			"It prints its bootstrap addresses on a line of its own once it is ready.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "listen", Usage: "`HOST:PORT` of the first broker; port 0 is any free one", Value: "127.0.0.1:0", EnvVars: variable("listen")},
			stringFlag("snapshot", "begin as the cluster in `FILE` was"),
			intFlag("brokers", "`N` brokers without topics", 6),
			intFlag("racks", "in `N` racks; 0 is none", 3),
			&cli.Float64Flag{Name: "speed", Usage: "its time runs `X` times as fast as yours", Value: 1, EnvVars: variable("speed")},
		},
		Action: func(c *cli.Context) error { return runSandbox(s, c) },
	}
}

func runSandbox(s *streams, c *cli.Context) error {
	if err := noArgument(c); err != nil {
		return err
	}
	if err := checkLoopback(c.String("listen")); err != nil {
		return err
	}
	snap, err := sandboxStart(c)
	if err != nil {
		return err
	}
	box, err := sandbox.Start(sandbox.Options{Listen: c.String("listen"), Snapshot: snap, Speed: c.Float64("speed")})
	if err != nil {
		return fail("The sandbox cannot start", "%v", err)
	}
	defer box.Close()
	ctx, stop := interruptible(c.Context)
	defer stop()
	fmt.Fprintln(s.err, "The sandbox is ready; interrupt it to end it.")
	fmt.Fprintln(s.out, strings.Join(box.Bootstrap(), ","))
	<-ctx.Done()
	return nil
}

// checkLoopback refuses addresses that others could reach: the embedded cluster
// knows no credentials.
func checkLoopback(listen string) error {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return fail("-listen "+render.Quote(listen)+" is no HOST:PORT", "Such as 127.0.0.1:19092; port 0 is any free one.")
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fail("-listen "+render.Quote(listen)+" has no port", "A port is a number from 0 to 65535, not %s.", render.Quote(port))
	} else if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fail("-listen "+render.Quote(listen)+" is not on loopback", "The sandbox asks nobody for credentials, so that it listens on loopback only: 127.0.0.1:%d", n)
	}
	return nil
}

// sandboxStart is the cluster that a sandbox begins with.
func sandboxStart(c *cli.Context) (*state.Snapshot, error) {
	if speed := c.Float64("speed"); !(speed > 0 && speed <= maxSpeed) {
		return nil, fail(fmt.Sprintf("-speed must be above 0 and at most %d", maxSpeed), "1 is the speed of real time.")
	}
	file := c.String("snapshot")
	if file == "" {
		return emptyCluster(c.Int("brokers"), c.Int("racks"))
	}
	if c.IsSet("brokers") || c.IsSet("racks") {
		return nil, fail("-snapshot excludes -brokers and -racks", "The snapshot says which brokers there are.")
	}
	snap, _, err := readSnapshot(file, 0)
	if err != nil {
		return nil, err.err
	}
	return snap, nil
}

// maxSandboxBrokers is how many brokers a sandbox may have: each has a port.
const maxSandboxBrokers = 1_000

func emptyCluster(brokers, racks int) (*state.Snapshot, error) {
	if brokers < 1 || brokers > maxSandboxBrokers || racks < 0 || racks > brokers {
		return nil, fail(fmt.Sprintf("%d brokers in %d racks cannot be", brokers, racks), "-brokers is 1 to %d, -racks 0 to as many as there are brokers.", maxSandboxBrokers)
	}
	return sandbox.Empty(brokers, racks), nil
}
