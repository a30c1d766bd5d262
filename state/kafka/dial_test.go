package kafka_test

import (
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"ballast/state/kafka"
)

func TestDialNamesEveryAddressThatDoesNotAnswer(t *testing.T) {
	closed := closedPort(t)
	silent := serve(t, func(c net.Conn) { io.Copy(io.Discard, c) })
	web := serve(t, func(c net.Conn) { io.WriteString(c, "HTTP/1.1 400 Bad Request\r\n\r\n") })
	began := time.Now()
	_, err := kafka.Dial(t.Context(), kafka.Options{Bootstrap: []string{closed, silent, web, "no-such-host.invalid:9092"}, Timeout: time.Second})
	if err == nil || time.Since(began) > time.Minute {
		t.Fatalf("after %v: %v", time.Since(began), err)
	}
	for _, want := range []string{
		closed + ": connect: connection refused", silent + ": no answer in time", web + `: the answer begins with "HTTP"`, "no-such-host.invalid:9092: ",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q:\n%v", want, err)
		}
	}
}

func TestDialRefusesAnotherCluster(t *testing.T) {
	s := start(t, nil)
	_, err := kafka.Dial(t.Context(), kafka.Options{Bootstrap: s.Bootstrap()[:1], ClusterID: "another", Timeout: time.Second})
	var other *kafka.OtherClusterError
	if !errors.As(err, &other) || other.Want != "another" || other.Found != s.ClusterID() || !strings.Contains(err.Error(), `not "another"`) {
		t.Fatal(err)
	}
	c := dial(t, kafka.Options{Bootstrap: s.Bootstrap(), ClusterID: s.ClusterID()})
	if c.ClusterID() != s.ClusterID() {
		t.Error(c.ClusterID())
	}
}

func TestDialNeedsOneAddressThatAnswers(t *testing.T) {
	s := start(t, nil)
	c := dial(t, kafka.Options{Bootstrap: []string{closedPort(t), s.Bootstrap()[3]}, Timeout: 2 * time.Second})
	if snap, err := c.Snapshot(t.Context()); err != nil || len(snap.Brokers) != 6 {
		t.Fatal(snap, err)
	}
}

func TestDialWithoutAddresses(t *testing.T) {
	if _, err := kafka.Dial(t.Context(), kafka.Options{}); err == nil {
		t.Fatal("no error")
	}
}

func TestAClosedClientSaysSo(t *testing.T) {
	c := connect(t, start(t, nil))
	c.Close()
	var unreachable *kafka.UnreachableError
	if _, err := c.Snapshot(t.Context()); !errors.As(err, &unreachable) || !strings.Contains(err.Error(), "closed by ballast") {
		t.Fatal(err)
	}
}
