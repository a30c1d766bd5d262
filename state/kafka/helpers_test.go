package kafka_test

import (
	"net"
	"testing"
	"time"

	"ballast/state"
	"ballast/state/kafka"
	"ballast/state/sandbox"
)

// start runs a sandbox of six brokers with what fill puts into it.
func start(t testing.TB, fill func(*state.Snapshot)) *sandbox.Sandbox {
	t.Helper()
	snap := sandbox.Empty(6, 3)
	if fill != nil {
		fill(snap)
	}
	s, err := sandbox.Start(sandbox.Options{Snapshot: snap, Speed: 1, SessionTimeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func dial(t testing.TB, o kafka.Options) *kafka.Client {
	t.Helper()
	c, err := kafka.Dial(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// connect dials a sandbox with a timeout that tests can wait for.
func connect(t testing.TB, s *sandbox.Sandbox) *kafka.Client {
	t.Helper()
	return dial(t, kafka.Options{Bootstrap: s.Bootstrap(), Timeout: 2 * time.Second})
}

// topics adds n topics of so many partitions with three replicas.
func topics(names []string, partitions int) func(*state.Snapshot) {
	return func(s *state.Snapshot) {
		for _, name := range names {
			t := state.Topic{Name: name}
			for i := range partitions {
				r := []state.BrokerID{state.BrokerID(i%6 + 1), state.BrokerID((i+2)%6 + 1), state.BrokerID((i+4)%6 + 1)}
				t.Partitions = append(t.Partitions, state.Partition{ID: int32(i), Replicas: r, ISR: r, Leader: r[0], Size: state.KnownSize(1000)})
			}
			s.Topics = append(s.Topics, t)
		}
	}
}

// closedPort is an address of loopback where nobody listens.
func closedPort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// serve answers every connection on loopback with handle, until the test ends.
func serve(t testing.TB, handle func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { c.Close() })
			go handle(c)
		}
	}()
	return l.Addr().String()
}
