package clustertest_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"ballast/state/clustertest"
	"ballast/state/clustertest/realkafka"
	"ballast/state/kafka"
	"ballast/state/sandbox"
)

func TestMain(m *testing.M) {
	if bootstrap := os.Getenv(holdVariable); bootstrap != "" {
		fmt.Println(hold(bootstrap))
		os.Exit(1)
	}
	os.Exit(realkafka.Main(m))
}

func TestApacheKafkaBehavesAsKafkaDoes(t *testing.T) {
	c := realkafka.Shared(t)
	clustertest.Run(t, clustertest.Harness{
		Cluster:   dial(t, c.Bootstrap()),
		ClusterID: c.ID(),
		Fill:      c.Fill,
		Kill:      c.Kill,
		Restart:   c.Restart,
	})
}

// dial connects as ballast does.
func dial(t *testing.T, bootstrap []string) *kafka.Client {
	t.Helper()
	c, err := kafka.Dial(t.Context(), kafka.Options{Bootstrap: bootstrap})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestTheSandboxBehavesAsKafkaDoes(t *testing.T) {
	s, err := sandbox.Start(sandbox.Options{Snapshot: sandbox.Empty(6, 3), Speed: 1, SessionTimeout: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	clustertest.Run(t, clustertest.Harness{
		Cluster:   dial(t, s.Bootstrap()),
		ClusterID: s.ClusterID(),
		Fill: func(_ context.Context, topic string, partition int32, bytes int64) error {
			return s.Fill(topic, partition, bytes)
		},
		Kill:     s.KillBroker,
		Restart:  s.RestartBroker,
		Patience: 20 * time.Second,
	})
}
