package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ballast/state"
	"ballast/state/sandbox"
)

// stopped is the program at work on the quickstart, in a sandbox of real speed.
type stopped struct {
	*testing.T
	dir string
	box *sandbox.Sandbox

	whileAtWork func(pid int) // called before the signal, unless nil
	rate        string        // the throttle of runs that are signalled
}

func newStopped(t *testing.T) *stopped {
	t.Parallel()
	s := &stopped{T: t, dir: t.TempDir(), rate: "100MB/s"}
	if err := os.CopyFS(s.dir, os.DirFS("../../examples/quickstart")); err != nil {
		t.Fatal(err)
	}
	snap, _, err := state.ReadFile(filepath.Join(s.dir, "snapshot.json"))
	if err != nil {
		t.Fatal(err)
	}
	if s.box, err = sandbox.Start(sandbox.Options{Listen: "127.0.0.1:0", Snapshot: snap, Speed: 1}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.box.Close() })
	return s
}

func (s *stopped) command(args ...string) (*exec.Cmd, *bytes.Buffer) {
	out := &bytes.Buffer{}
	cmd := exec.Command(os.Args[0], append(args, "-bootstrap", strings.Join(s.box.Bootstrap(), ","), s.dir)...)
	cmd.Env = append(os.Environ(), asBallast+"=1", "NO_COLOR=1")
	cmd.Stdout, cmd.Stderr = out, out
	return cmd, out
}

func (s *stopped) ballast(wantExit int, args ...string) string {
	s.Helper()
	cmd, out := s.command(args...)
	cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != wantExit {
		s.Fatalf("ballast %s exits with %d, want %d:\n%s", strings.Join(args, " "), got, wantExit, out)
	}
	return out.String()
}

// signalled runs apply until moves are in flight, and sends it a signal.
func (s *stopped) signalled(signal os.Signal) (exit int, out string) {
	s.Helper()
	cmd, buf := s.command("apply", "-auto-approve", "-throttle", s.rate)
	if err := cmd.Start(); err != nil {
		s.Fatal(err)
	}
	s.wait("moves in flight", func() bool { return s.moving() > 0 })
	if s.whileAtWork != nil {
		s.whileAtWork(cmd.Process.Pid)
	}
	if err := cmd.Process.Signal(signal); err != nil {
		s.Fatal(err)
	}
	heard := time.Now()
	cmd.Wait()
	if took := time.Since(heard); took > time.Minute {
		s.Errorf("it took %s to end", took)
	}
	return cmd.ProcessState.ExitCode(), buf.String()
}

func (s *stopped) wait(what string, is func() bool) {
	s.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if is() {
			return
		}
	}
	s.Fatalf("no %s after a minute", what)
}

func (s *stopped) moving() (n int) {
	for _, t := range s.box.Snapshot().Topics {
		for i := range t.Partitions {
			if t.Partitions[i].InFlight() {
				n++
			}
		}
	}
	return n
}

// throttles counts the replication throttles that the cluster has.
func (s *stopped) throttles() (n int) {
	count := func(config map[string]state.ConfigValue) {
		for name, v := range config {
			if strings.Contains(name, "replication.throttled") && v.Source != state.SourceDefault {
				n++
			}
		}
	}
	snap := s.box.Snapshot()
	for _, b := range snap.Brokers {
		count(b.Config)
	}
	for _, t := range snap.Topics {
		count(t.Config)
	}
	return n
}

// isAsDeclared says that nothing is left to do, in flight or throttled.
func (s *stopped) isAsDeclared() {
	s.Helper()
	s.ballast(exitDone, "plan", "-detailed-exitcode")
	if m, n := s.moving(), s.throttles(); m > 0 || n > 0 {
		s.Errorf("%d moves and %d throttles are left", m, n)
	}
}

func TestInterruptedRunStopsAndIsResumed(t *testing.T) {
	s := newStopped(t)
	code, out := s.signalled(os.Interrupt)
	if code != exitPartWay {
		t.Errorf("exit %d, want %d", code, exitPartWay)
	}
	for _, want := range []string{"Interrupted: nothing more is submitted", "Stopped part way", "These moves go on", "ballast apply -resume", "ballast cancel"} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
	if s.throttles() == 0 {
		t.Error("what goes on is not throttled")
	}
	if status := s.ballast(exitDone, "status"); !strings.Contains(status, "An apply has not ended") || strings.Contains(status, "at work") {
		t.Errorf("status says:\n%s", status)
	}
	s.typed(out, "To go on: ")
	s.isAsDeclared()
}

// A saved plan is carried out from a directory without a configuration: what is
// printed to type then works there.
func TestWhatIsPrintedToTypeWorksWithoutAConfiguration(t *testing.T) {
	s := newStopped(t)
	plan := filepath.Join(t.TempDir(), "a.plan")
	s.ballast(exitDone, "plan", "-out", plan)
	s.dir = t.TempDir()
	cmd, buf := s.command("apply", "-throttle", "100MB/s", "-config", s.dir)
	cmd.Args[len(cmd.Args)-1] = plan // in place of the DIR
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.wait("moves in flight", func() bool { return s.moving() > 0 })
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
	s.typed(buf.String(), "To take moves back: ")
	if s.moving() > 0 || s.throttles() > 0 {
		t.Errorf("%d moves and %d throttles are left", s.moving(), s.throttles())
	}
}

// typed types a command that was printed behind a label.
func (s *stopped) typed(out, label string) {
	s.Helper()
	_, after, _ := strings.Cut(out, label)
	line, _, _ := strings.Cut(after, "\n")
	words := strings.Fields(line)
	if len(words) < 2 || words[0] != "ballast" {
		s.Fatalf("%q is not behind %q in:\n%s", line, label, out)
	}
	args := words[1:]
	if args[0] == "cancel" {
		args = append(args, "-auto-approve")
	}
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), asBallast+"=1", "NO_COLOR=1")
	if said, err := cmd.CombinedOutput(); err != nil {
		s.Fatalf("ballast %s: %v\n%s", strings.Join(args, " "), err, said)
	}
}

// A run that is alive is named, not called unfinished: wherever its journal is.
func TestStatusNamesTheRunAtWork(t *testing.T) {
	for name, journal := range map[string]string{"in a file": "", "in the cluster": "journal {\n  backend = \"kafka\"\n}\n"} {
		t.Run(name, func(t *testing.T) {
			s := newStopped(t)
			if err := os.WriteFile(filepath.Join(s.dir, "journal.hcl"), []byte(journal), 0o644); err != nil {
				t.Fatal(err)
			}
			s.rate = "2MB/s"
			s.whileAtWork = func(pid int) {
				host, _ := os.Hostname()
				text := s.ballast(exitDone, "status")
				for _, want := range []string{"An apply is at work: apply", fmt.Sprintf("(process %d)", pid), "on " + host, "since "} {
					if !strings.Contains(text, want) {
						t.Errorf("it does not say %q:\n%s", want, text)
					}
				}
				if strings.Contains(text, "has not ended") || strings.Contains(text, "Go on with") {
					t.Errorf("it offers to go on with a run that is alive:\n%s", text)
				}
			}
			s.signalled(os.Interrupt)
			s.ballast(exitDone, "cancel", "-auto-approve")
		})
	}
}

func TestInterruptedRunIsTakenBack(t *testing.T) {
	s := newStopped(t)
	s.signalled(os.Interrupt)
	out := s.ballast(exitDone, "cancel", "-auto-approve")
	if !strings.Contains(out, "taken back") || s.moving() > 0 || s.throttles() > 0 {
		t.Errorf("%d moves and %d throttles are left:\n%s", s.moving(), s.throttles(), out)
	}
	s.ballast(exitChanges, "plan", "-detailed-exitcode")
}

func TestKilledRunIsTakenUpByTheSameCommand(t *testing.T) {
	s := newStopped(t)
	s.signalled(syscall.SIGKILL)
	if s.throttles() == 0 {
		t.Error("it was not killed in a batch")
	}
	s.ballast(exitDone, "apply", "-auto-approve", "-throttle", "100MB/s")
	s.isAsDeclared()
}

func TestAnotherMachineGoesOnByTheJournalInTheCluster(t *testing.T) {
	s := newStopped(t)
	block := "journal {\n  backend = \"kafka\"\n}\n"
	if err := os.WriteFile(filepath.Join(s.dir, "journal.hcl"), []byte(block), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, out := s.signalled(os.Interrupt); code != exitPartWay || strings.Contains(out, "the journal is a file") {
		t.Errorf("exit %d:\n%s", code, out)
	}
	if _, err := os.Stat(filepath.Join(s.dir, ".ballast")); err == nil {
		t.Error("there is a journal beside the configuration too")
	}
	elsewhere := t.TempDir()
	if err := os.CopyFS(elsewhere, os.DirFS(s.dir)); err != nil {
		t.Fatal(err)
	}
	s.dir = elsewhere
	if status := s.ballast(exitDone, "status"); !strings.Contains(status, "An apply has not ended") || !strings.Contains(status, "(ballast's)") {
		t.Errorf("status says:\n%s", status)
	}
	file := filepath.Join(s.dir, "report.md")
	s.ballast(exitDone, "apply", "-resume", "-report", file)
	s.isAsDeclared()
	report, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(report), "Plan <code>sha256") || !strings.Contains(string(report), s.box.Snapshot().ClusterID) {
		t.Errorf("the report of the resumed run does not say what plan it was, and of what cluster: %v\n%s", err, report)
	}
}
