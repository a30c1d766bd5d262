package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"ballast/state"
	"ballast/state/clustertest/realkafka"
	"ballast/state/kafka"
)

// story is a person with a configuration, the built program, and a real cluster.
type story struct {
	*testing.T
	kafka  *realkafka.Cluster
	dir    string
	binary string
	client *kafka.Client
}

// topics is the configuration; %s and %d are what the story edits.
type topics struct {
	throttle                            string
	ordersPartitions, ordersCopies      int
	paymentsCopies, auditMinISR, drains int
}

func (c topics) hcl(bootstrap []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "cluster \"real\" {\n  bootstrap = [\"%s\"]\n}\n", strings.Join(bootstrap, `", "`))
	fmt.Fprintf(&b, "apply {\n  throttle    = %q\n  gate_settle = \"2s\"\n}\n", c.throttle)
	if c.drains > 0 {
		fmt.Fprintf(&b, "broker \"%d\" {\n  drain = true\n}\n", c.drains)
	}
	fmt.Fprintf(&b, "topic \"orders\" {\n  partitions = %d\n  replication_factor = %d\n}\n", c.ordersPartitions, c.ordersCopies)
	fmt.Fprintf(&b, "topic \"payments\" {\n  partitions = 3\n  replication_factor = %d\n}\n", c.paymentsCopies)
	fmt.Fprintf(&b, "topic \"audit\" {\n  partitions = 2\n  replication_factor = 3\n  min_insync_replicas = %d\n}\n", c.auditMinISR)
	return b.String()
}

// TestWholeStoryOnRealKafka edits a configuration again and again, as a team
// does over a year, and carries it out on Apache Kafka.
func TestWholeStoryOnRealKafka(t *testing.T) {
	if testing.Short() {
		t.Skip("starts Apache Kafka")
	}
	s := newStory(t)
	c := topics{throttle: "50MB/s", ordersPartitions: 4, ordersCopies: 2, paymentsCopies: 2, auditMinISR: 2}
	s.change("three topics are created", c)
	s.describes("orders", 4, 2)
	s.describes("payments", 3, 2)
	s.describes("audit", 2, 3)
	s.fill("orders", 4, 5_000_000)
	s.fill("payments", 3, 5_000_000)

	c.ordersCopies, c.throttle = 3, "100kB/s"
	s.raisesUnderAThrottle(c)
	s.describes("orders", 4, 3)

	c.ordersPartitions, c.throttle = 6, "50MB/s"
	s.change("partitions are added", c)
	s.describes("orders", 6, 3)

	c.drains = 6
	s.change("broker 6 is drained", c)
	for _, topic := range []string{"orders", "payments", "audit"} {
		for id, list := range s.describe(topic) {
			if slices.Contains(list, 6) {
				t.Errorf("%s-%d is still on broker 6: %v", topic, id, list)
			}
		}
	}

	c.auditMinISR = 1
	s.change("min.insync.replicas is lowered", c)
	if out := s.tool(realkafka.TopicCommand, "--describe", "--topic", "audit"); !strings.Contains(out, "min.insync.replicas=1") {
		t.Errorf("kafka-topics says:\n%s", out)
	}

	c.paymentsCopies, c.throttle = 3, "1MB/s"
	s.survivesAKill(c)
	s.describes("payments", 3, 3)

	c.throttle = "50MB/s"
	s.reviewedDeployedWatched(c)
}

func newStory(t *testing.T) *story {
	s := &story{T: t, kafka: realkafka.Start(t, realkafka.Options{}), dir: t.TempDir()}
	s.binary = filepath.Join(t.TempDir(), "ballast")
	if out, err := exec.Command("go", "build", "-o", s.binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	client, err := kafka.Dial(t.Context(), kafka.Options{Bootstrap: s.kafka.Bootstrap()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	s.client = client
	return s
}

func (s *story) write(c topics) {
	s.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, "main.hcl"), []byte(c.hcl(s.kafka.Bootstrap())), 0o644); err != nil {
		s.Fatal(err)
	}
}

func (s *story) command(args ...string) (*exec.Cmd, *bytes.Buffer) {
	out := &bytes.Buffer{}
	cmd := exec.Command(s.binary, append(args, s.dir)...)
	cmd.Stdout, cmd.Stderr = out, out
	return cmd, out
}

func (s *story) ballast(wantExit int, args ...string) string {
	s.Helper()
	cmd, out := s.command(args...)
	cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != wantExit {
		s.Fatalf("ballast %s exits with %d, want %d:\n%s", strings.Join(args, " "), got, wantExit, out)
	}
	return out.String()
}

// change edits the configuration, plans, applies, and sees the second plan empty.
func (s *story) change(what string, c topics) {
	s.Helper()
	s.write(c)
	plan := s.ballast(exitChanges, "plan", "-detailed-exitcode")
	applied := s.ballast(exitDone, "apply", "-auto-approve")
	s.settled()
	s.Logf("%s:\n%s\n%s", what, plan, applied)
}

// settled says that nothing is left to do, and no throttle.
func (s *story) settled() {
	s.Helper()
	s.ballast(exitDone, "plan", "-detailed-exitcode")
	if left := s.throttles(); left != "" {
		s.Errorf("throttles are left:\n%s", left)
	}
}

// throttles is what kafka-configs shows of replication throttles, of brokers
// and topics at one time: a JVM may take longer to start than a move to end.
func (s *story) throttles() string {
	s.Helper()
	kinds := []string{"brokers", "topics"}
	outs, errs := make([]string, len(kinds)), make([]error, len(kinds))
	var wait sync.WaitGroup
	for i, kind := range kinds {
		wait.Go(func() {
			outs[i], errs[i] = s.kafka.Tool(realkafka.ConfigCommand, "--bootstrap-server", s.kafka.Bootstrap()[0], "--describe", "--entity-type", kind)
		})
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		s.Fatalf("%v\n%s", err, strings.Join(outs, "\n"))
	}
	var found []string
	for _, line := range strings.Split(strings.Join(outs, "\n"), "\n") {
		if strings.Contains(line, "replication.throttled") {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return strings.Join(found, "\n")
}

func (s *story) tool(class string, args ...string) string {
	s.Helper()
	out, err := s.kafka.Tool(class, append([]string{"--bootstrap-server", s.kafka.Bootstrap()[0]}, args...)...)
	if err != nil {
		s.Fatalf("%v\n%s", err, out)
	}
	return out
}

var described = regexp.MustCompile(`Partition: (\d+)\s+Leader: (\S+)\s+Replicas: (\S+)\s+Isr: (\S+)`)

// describe is what kafka-topics says of a topic's replicas; all are in sync,
// and the first leads.
func (s *story) describe(topic string) map[int][]int {
	s.Helper()
	rows := s.rows(topic)
	out := map[int][]int{}
	for id, r := range rows {
		out[id] = r.replicas
		if len(r.isr) != len(r.replicas) || r.leader != r.replicas[0] {
			s.Errorf("%s-%d: leader %d, replicas %v, in sync %v", topic, id, r.leader, r.replicas, r.isr)
		}
	}
	return out
}

// row is a line of kafka-topics --describe.
type row struct {
	leader        int
	replicas, isr []int
}

func (s *story) rows(topic string) map[int]row {
	s.Helper()
	numbers := func(list string) (out []int) {
		for _, x := range strings.Split(list, ",") {
			n, _ := strconv.Atoi(x)
			out = append(out, n)
		}
		return out
	}
	out := map[int]row{}
	for _, m := range described.FindAllStringSubmatch(s.tool(realkafka.TopicCommand, "--describe", "--topic", topic), -1) {
		out[numbers(m[1])[0]] = row{numbers(m[2])[0], numbers(m[3]), numbers(m[4])}
	}
	return out
}

// describes compares what kafka-topics says with what is declared: so many
// partitions, so many copies, one a rack.
func (s *story) describes(topic string, partitions, copies int) {
	s.Helper()
	rows := s.describe(topic)
	if len(rows) != partitions {
		s.Errorf("%s has %d partitions, want %d", topic, len(rows), partitions)
	}
	for id, list := range rows {
		racks := map[string]bool{}
		for _, b := range list {
			racks[s.kafka.Rack(state.BrokerID(b))] = true
		}
		if len(list) != copies || len(racks) != copies {
			s.Errorf("%s-%d is on %v in %d racks, want %d copies in as many", topic, id, list, len(racks), copies)
		}
	}
}

func (s *story) fill(topic string, partitions int32, bytes int64) {
	s.Helper()
	for p := range partitions {
		if err := s.kafka.Fill(s.Context(), topic, p, bytes); err != nil {
			s.Fatal(err)
		}
	}
}

// raisesUnderAThrottle applies so slowly that kafka-configs has the time to
// look, then stops, and goes on faster.
func (s *story) raisesUnderAThrottle(c topics) {
	s.Helper()
	s.write(c)
	s.ballast(exitChanges, "plan", "-detailed-exitcode")
	cmd, out := s.command("apply", "-auto-approve")
	if err := cmd.Start(); err != nil {
		s.Fatal(err)
	}
	s.movesAreInFlight()
	seen := s.throttles()
	if !strings.Contains(seen, "follower.replication.throttled.rate") || !strings.Contains(seen, "follower.replication.throttled.replicas") {
		s.Errorf("kafka-configs shows no throttle during the move: %q", seen)
	}
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
	if cmd.ProcessState.ExitCode() != exitPartWay {
		s.Fatalf("an interrupted apply exits with %d:\n%s", cmd.ProcessState.ExitCode(), out)
	}
	resumed := s.ballast(exitDone, "apply", "-resume", "-throttle", "50MB/s")
	s.settled()
	s.Logf("raised under a throttle:\n%s\n%s", out, resumed)
}

// survivesAKill kills the program in a batch and runs it again.
func (s *story) survivesAKill(c topics) {
	s.Helper()
	s.write(c)
	cmd, out := s.command("apply", "-auto-approve")
	if err := cmd.Start(); err != nil {
		s.Fatal(err)
	}
	s.movesAreInFlight()
	cmd.Process.Kill()
	cmd.Wait()
	if left := s.throttles(); left == "" {
		s.Error("the killed run left no throttle: it was not killed in a batch")
	}
	again := s.ballast(exitDone, "apply", "-auto-approve")
	s.settled()
	s.Logf("killed:\n%s\nand run again:\n%s", out, again)
}

// movesAreInFlight waits until the cluster reassigns something.
func (s *story) movesAreInFlight() {
	s.Helper()
	s.until("something moves", func() bool {
		moves, err := s.client.Reassignments(s.Context())
		return err == nil && len(moves) > 0
	})
}

// until waits for a condition, a minute at most.
func (s *story) until(what string, is func() bool) {
	s.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if is() {
			return
		}
	}
	s.Fatalf("after a minute it is not so that %s", what)
}
