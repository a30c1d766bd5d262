package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
	"ballast/state/sandbox"
)

// declare adds a file to the configuration.
func (s *stopped) declare(name, text string) {
	s.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644); err != nil {
		s.Fatal(err)
	}
}

// another is another machine: a fresh checkout of the configuration, without
// what runs have left beside it.
func (s *stopped) another() *stopped {
	s.Helper()
	out := &stopped{T: s.T, dir: s.TempDir(), box: s.box}
	files, err := filepath.Glob(filepath.Join(s.dir, "*.hcl"))
	if err != nil || len(files) == 0 {
		s.Fatal("no configuration:", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			s.Fatal(err)
		}
		out.declare(filepath.Base(file), string(text))
	}
	return out
}

const inTheCluster = "journal {\n  backend = \"kafka\"\n  topic   = \"runs\"\n}\n"

// says wants words in a text.
func (s *stopped) says(text string, words ...string) {
	s.Helper()
	for _, want := range words {
		if !strings.Contains(text, want) {
			s.Errorf("it does not say %q:\n%s", want, text)
		}
	}
}

// submittedOnce says that no partition's move was submitted twice, by whomever.
func (s *stopped) submittedOnce() {
	s.Helper()
	times := map[state.TopicPartition]int{}
	for _, r := range s.box.Writes() {
		req, ok := r.Message.(*kmsg.AlterPartitionAssignmentsRequest)
		if !ok {
			continue
		}
		for _, t := range req.Topics {
			for _, p := range t.Partitions {
				times[state.TopicPartition{Topic: t.Topic, Partition: p.Partition}]++
			}
		}
	}
	for tp, n := range times {
		if n > 1 {
			s.Errorf("the move of %s was submitted %d times", tp, n)
		}
	}
	if len(times) == 0 {
		s.Error("nothing was moved")
	}
}

func TestAKilledRunIsFinishedByAnotherMachine(t *testing.T) {
	a := newStopped(t)
	a.declare("journal.hcl", inTheCluster)
	a.signalled(syscall.SIGKILL)
	if a.throttles() == 0 || a.moving() == 0 {
		t.Error("it was not killed in a batch")
	}
	b := a.another()
	host, _ := os.Hostname()
	refused := b.ballast(exitError, "apply", "-auto-approve", "-throttle", "100MB/s")
	b.says(refused, "another run holds the lock", "apply by ", " on "+host, "since ", `the topic "runs"`, "by itself within 15s", "-lock-timeout", "ballast apply -resume")
	b.says(b.ballast(exitError, "cancel", "-auto-approve"), "another run holds the lock")
	done := b.ballast(exitDone, "apply", "-auto-approve", "-throttle", "100MB/s", "-lock-timeout", "1m")
	b.says(done, "Waiting for the lock of the topic \"runs\"")
	b.isAsDeclared()
	b.submittedOnce()
	for _, m := range []*stopped{a, b} {
		if _, err := os.Stat(filepath.Join(m.dir, ".ballast")); err == nil {
			t.Error("there is a journal beside the configuration too")
		}
	}
	if plan := b.ballast(exitDone, "plan", "-json"); strings.Contains(plan, `"runs"`) {
		t.Errorf("the journal's topic is planned:\n%s", plan)
	}
}

// A saved plan takes its journal from -config, and every verb looks there: what
// one machine has begun is ballast's on the other, which takes it back.
func TestAllVerbsLookAtTheJournalInTheCluster(t *testing.T) {
	a := newStopped(t)
	a.declare("journal.hcl", inTheCluster)
	plan := filepath.Join(t.TempDir(), "reviewed.plan")
	a.ballast(exitDone, "plan", "-out", plan)
	cmd, out := a.command("apply", "-throttle", "10MB/s", "-config", a.dir, plan)
	cmd.Args = cmd.Args[:len(cmd.Args)-1] // a PLAN_FILE stands in DIR's place
	cmd.Dir = t.TempDir()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	a.wait("moves in flight", func() bool { return a.moving() > 0 })
	b := a.another()
	b.says(b.ballast(exitError, "apply", "-auto-approve"), "another run holds the lock")
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitPartWay || strings.Contains(out.String(), "journal is a file") {
		t.Errorf("exit %d:\n%s", code, out)
	}
	if left, _ := filepath.Glob(filepath.Join(cmd.Dir, ".ballast")); left != nil {
		t.Error("there is a journal where it ran")
	}
	b.says(b.ballast(exitDone, "status"), "An apply has not ended", "(ballast's)")
	b.says(b.ballast(exitDone, "plan", "-json"), `"ours":true`)
	b.says(b.ballast(exitDone, "cancel", "-auto-approve"), "taken back")
	if b.moving() > 0 || b.throttles() > 0 {
		t.Errorf("%d moves and %d throttles are left", b.moving(), b.throttles())
	}
}

// newSmall is the program at work on a cluster of three brokers with one topic,
// led by another replica than the preferred one.
func newSmall(t *testing.T) *stopped {
	snap := sandbox.Empty(3, 3)
	list := []state.BrokerID{1, 2}
	snap.Topics = []state.Topic{{Name: "orders", Partitions: []state.Partition{{Replicas: list, ISR: list, Leader: 2, Size: state.KnownSize(1000)}}}}
	box, err := sandbox.Start(sandbox.Options{Listen: "127.0.0.1:0", Snapshot: snap, Speed: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { box.Close() })
	s := &stopped{T: t, dir: t.TempDir(), box: box}
	s.declare("main.hcl", "topic \"orders\" {\n  partitions = 1\n}\n")
	return s
}

func TestElectionsAreRecordedInTheCluster(t *testing.T) {
	s := newSmall(t)
	s.declare("journal.hcl", inTheCluster)
	s.ballast(exitDone, "elect", "-auto-approve")
	snap := s.box.Snapshot()
	if p := snap.Topic("orders").Partitions[0]; p.Leader != 1 || snap.Topic("runs") == nil {
		t.Errorf("%d leads", p.Leader)
	}
	if _, err := os.Stat(filepath.Join(s.dir, ".ballast")); err == nil {
		t.Error("there is a journal beside the configuration too")
	}
}

// A runner without a terminal is warned of a local journal, unless the
// configuration says that it is meant.
func TestALocalJournalIsWarnedOfUnlessDeclared(t *testing.T) {
	s := newSmall(t)
	s.says(s.ballast(exitDone, "apply", "-auto-approve"), "the journal is a file on this machine", "backend = \"kafka\"")
	for _, backend := range []string{"local", "kafka"} {
		s.declare("journal.hcl", "journal {\n  backend = \""+backend+"\"\n}\n")
		if out := s.ballast(exitDone, "apply", "-auto-approve"); strings.Contains(out, "journal is a file") {
			t.Errorf("%s: %s", backend, out)
		}
	}
	if topic := s.box.Snapshot().Topic("ballast-journal"); topic == nil || topic.Config["cleanup.policy"].Value != "compact" || topic.Config["cleanup.policy"].Source != state.SourceTopic {
		t.Errorf("the journal's topic is %+v", topic)
	}
}

func TestAnUnreadableJournalIsSaidInThePlan(t *testing.T) {
	s := newSmall(t)
	if err := os.Mkdir(filepath.Join(s.dir, ".ballast"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.declare(filepath.Join(".ballast", s.box.ClusterID()+".journal"), "hello\n")
	s.says(s.ballast(exitDone, "plan"), "The journal cannot be read", "line 1", "not a record")
	s.says(s.ballast(exitError, "apply", "-auto-approve"), "not a record")
}
