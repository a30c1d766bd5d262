package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// pty opens a terminal of 80 columns: what is written to it can be read from ours.
func pty(t *testing.T) (ours, theirs *os.File) {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { ours.Close() })
	fd := int(ours.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: 80}); err != nil {
		t.Fatal(err)
	}
	return ours, theirs
}

// onTerminal runs the program on a terminal and gives all that it showed.
func onTerminal(t *testing.T, env []string, args ...string) string {
	t.Helper()
	ours, theirs := pty(t)
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(append(os.Environ(), asBallast+"=1", "TERM=xterm"), env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs, theirs, theirs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	var out bytes.Buffer
	if _, err := io.Copy(&out, ours); err != nil && !errors.Is(err, syscall.EIO) {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	return out.String()
}

func TestATerminalIsColouredAndShowsABar(t *testing.T) {
	s := newStopped(t)
	bootstrap := strings.Join(s.box.Bootstrap(), ",")
	plan := onTerminal(t, []string{"NO_COLOR="}, "plan", "-bootstrap", bootstrap, s.dir)
	if !strings.Contains(plan, "\x1b[32m+6\x1b[0m") {
		t.Errorf("a replica that is added is not green:\n%s", plan)
	}
	sober := onTerminal(t, []string{"NO_COLOR=1"}, "plan", "-bootstrap", bootstrap, s.dir)
	if strings.Contains(sober, "\x1b") {
		t.Errorf("NO_COLOR is not honoured:\n%q", sober)
	}
	for _, line := range strings.Split(sober, "\r\n") {
		if len([]rune(line)) > 80 && !strings.HasPrefix(line, "Plan:") && !strings.HasPrefix(line, "Traffic:") && !strings.HasPrefix(line, "Changes") {
			t.Errorf("a line of %d columns on 80: %s", len([]rune(line)), line)
		}
	}
	applied := onTerminal(t, []string{"NO_COLOR="}, "apply", "-auto-approve", "-throttle", "100MB/s", "-bootstrap", bootstrap, s.dir)
	if !regexp.MustCompile(`\d+% \|█+ *\| +\[3/4\] 0 of 6 moves, [\d.]+ [kMG]B of 1.4 GB`).MatchString(applied) {
		t.Errorf("no progress bar:\n%q", applied)
	}
	if !strings.Contains(applied, "\x1b[32mDone: 1 topic created, 2 topics changed") {
		t.Errorf("it does not end green:\n%q", applied)
	}
}

func TestAnInterruptAtTheQuestionWritesNothing(t *testing.T) {
	s := newStopped(t)
	ours, theirs := pty(t)
	cmd, _ := s.command("apply")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs, theirs, theirs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	out := bufio.NewReader(ours)
	var said strings.Builder
	for asked := false; ; {
		r, _, err := out.ReadRune()
		if err != nil {
			break // it has ended
		}
		said.WriteRune(r)
		if !asked && strings.HasSuffix(said.String(), "goes ahead: ") {
			asked = true
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		}
	}
	cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != exitError || !strings.Contains(said.String(), "Nothing was written") {
		t.Errorf("it exits with %d:\n%s", got, said.String())
	}
	if s.moving() > 0 {
		t.Error("moves are in flight")
	}
}
