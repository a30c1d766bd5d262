package clustertest_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"ballast/state/clustertest/realkafka"
	"ballast/state/kafka"
	"ballast/state/sandbox"
)

func TestALogInTheSandbox(t *testing.T) {
	s, err := sandbox.Start(sandbox.Options{Snapshot: sandbox.Empty(6, 3), Speed: 1, SessionTimeout: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	logs(t, s.Bootstrap())
}

func TestALogInApacheKafka(t *testing.T) { logs(t, realkafka.Shared(t).Bootstrap()) }

// logs checks what a journal in the cluster needs to be relied upon for.
func logs(t *testing.T, bootstrap []string) {
	c := dial(t, bootstrap)
	t.Cleanup(func() { remove(t, c, logOptions.Topic) })
	l := openLog(t, c)
	if got := records(t, l); len(got) != 0 {
		t.Fatalf("without a topic there are records: %q", got)
	}
	if err := l.Append(t.Context(), []byte("x")); err == nil {
		t.Fatal("a record was added without the lock")
	}
	lock(t, l, "first")
	if err := l.Append(t.Context(), []byte("x")); err == nil {
		t.Fatal("a record was added to no run")
	}
	big := bytes.Repeat([]byte("0123456789"), 250_000)
	begin(t, l, "begin", "two", "", string(big))
	want(t, l, "begin", "two", "", string(big))
	refused(t, c, "first")
	held(t, l)
	want(t, openLog(t, c), "begin", "two", "", string(big)) // reading needs no lock

	begin(t, l, "again", "b")
	want(t, l, "again", "b")
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}

	next := openLog(t, c)
	lock(t, next, "second")
	refused(t, c, "second")
	appendTo(t, next, "c")
	want(t, next, "again", "b", "c")
	if err := next.Close(); err != nil {
		t.Fatal(err)
	}
	survived(t, c, bootstrap)
}

// survived: what a killed process has locked is free when its session expires,
// and what it wrote is there.
func survived(t *testing.T, c *kafka.Client, bootstrap []string) {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), holdVariable+"="+strings.Join(bootstrap, ","))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "holding\n" {
		t.Fatalf("the other process says %q: %v", line, err)
	}
	refused(t, c, "process")
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	heir := openLog(t, c)
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) {
		err := heir.Lock(t.Context(), []byte("heir"))
		if err == nil {
			break
		}
		if !errors.As(err, new(*kafka.LogHeldError)) || time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
	want(t, heir, "again", "b", "c", "of the process")
}

// holdVariable tells a process to lock a log of the cluster that it names.
const holdVariable = "BALLAST_TEST_HOLD"

// hold locks a log, writes to it and waits to be killed.
func hold(bootstrap string) error {
	ctx := context.Background()
	c, err := kafka.Dial(ctx, kafka.Options{Bootstrap: strings.Split(bootstrap, ",")})
	if err != nil {
		return err
	}
	l, err := c.OpenLog(ctx, logOptions)
	if err != nil {
		return err
	}
	if err := errors.Join(l.Lock(ctx, []byte("process")), l.Append(ctx, []byte("of the process"))); err != nil {
		return err
	}
	fmt.Println("holding")
	time.Sleep(time.Minute) // the test kills us long before
	return nil
}

var logOptions = kafka.LogOptions{Topic: "ballast-journal", Session: 6 * time.Second}

func openLog(t *testing.T, c *kafka.Client) *kafka.Log {
	t.Helper()
	l, err := c.OpenLog(t.Context(), logOptions)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func lock(t *testing.T, l *kafka.Log, who string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := l.Lock(ctx, []byte(who)); err != nil {
		t.Fatal(err)
	}
}

func refused(t *testing.T, c *kafka.Client, holder string) {
	t.Helper()
	var e *kafka.LogHeldError
	if err := openLog(t, c).Lock(t.Context(), []byte("other")); !errors.As(err, &e) || string(e.Holder) != holder {
		t.Fatalf("a lock that %q holds: %v (%+v)", holder, err, e)
	}
}

func held(t *testing.T, l *kafka.Log) {
	t.Helper()
	if err := l.Held(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func begin(t *testing.T, l *kafka.Log, first string, more ...string) {
	t.Helper()
	if err := l.Begin(t.Context(), []byte(first)); err != nil {
		t.Fatal(err)
	}
	for _, r := range more {
		appendTo(t, l, r)
	}
}

func appendTo(t *testing.T, l *kafka.Log, record string) {
	t.Helper()
	if err := l.Append(t.Context(), []byte(record)); err != nil {
		t.Fatal(err)
	}
}

func records(t *testing.T, l *kafka.Log) [][]byte {
	t.Helper()
	got, err := l.Records(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func want(t *testing.T, l *kafka.Log, list ...string) {
	t.Helper()
	got := records(t, l)
	short := func(s string) string { return fmt.Sprintf("%.20q (%d bytes)", s, len(s)) }
	if len(got) != len(list) {
		t.Fatalf("there are %d records, not %d", len(got), len(list))
	}
	for i := range list {
		if string(got[i]) != list[i] {
			t.Fatalf("record %d is %s, not %s", i, short(string(got[i])), short(list[i]))
		}
	}
}
