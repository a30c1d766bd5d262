package realkafka

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"
)

// The command line tools of Kafka that tests use, as classes.
const (
	TopicCommand      = "org.apache.kafka.tools.TopicCommand"
	ReassignCommand   = "org.apache.kafka.tools.reassign.ReassignPartitionsCommand"
	LogDirsCommand    = "org.apache.kafka.tools.LogDirsCommand"
	ElectionCommand   = "org.apache.kafka.tools.LeaderElectionCommand"
	ConfigCommand     = "kafka.admin.ConfigCommand"
	ProducerPerfTests = "org.apache.kafka.tools.ProducerPerformance"
)

// toolFlags keep a tool's JVM small and its log off the output.
var toolFlags = []string{"-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error"}

// Tool runs one of Kafka's command line tools, e.g.
//
//	c.Tool(realkafka.TopicCommand, "--bootstrap-server", c.Address(1), "--describe")
//
// and gives what it prints, its errors included.
func (c *Cluster) Tool(class string, args ...string) (string, error) {
	return RunTool(c.jars, class, args...)
}

// RunTool runs a tool out of a directory of jars, on whatever cluster its
// arguments name.
func RunTool(jars, class string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	return runJava(ctx, jars, class, args...)
}

func (c *Cluster) java(ctx context.Context, class string, args ...string) (string, error) {
	return runJava(ctx, c.jars, class, args...)
}

func runJava(ctx context.Context, jars, class string, args ...string) (string, error) {
	cmd := java(jars, toolFlags, class, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		return "", err
	}
	stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() })
	defer stop()
	if err := cmd.Wait(); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return out.String(), fmt.Errorf("%s %s: %w", class, strings.Join(args, " "), err)
	}
	return out.String(), nil
}

// Jars gives the directory with Kafka's jars, fetched where they are missing,
// for a test that runs tools on another cluster (the sandbox).
func Jars(ctx context.Context, version string) (string, error) { return jars(ctx, version) }
