package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"ballast/apply"
)

// What happens is told as JSON, an object a line, which ends with the result.
func TestEventsAsLinesOfJSON(t *testing.T) {
	s := newStopped(t)
	cmd, out := s.command("apply", "-auto-approve", "-log-format", "json", "-throttle", "none")
	events := &strings.Builder{}
	cmd.Stderr = events
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s%s", err, events, out)
	}
	seen := map[string]bool{}
	last := ""
	for _, line := range strings.Split(strings.TrimSpace(events.String()), "\n") {
		if !strings.HasPrefix(line, "{") {
			continue // the plan's warnings, before its first event
		}
		var e struct {
			At, Event string
			Result    *apply.Result
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.At == "" || e.Event == "" {
			t.Fatalf("%v in %s", err, line)
		}
		seen[e.Event], last = true, e.Event
		if e.Event == "result" && (e.Result == nil || e.Result.Exit != apply.ExitDone || e.Result.Counts.ReplicasAdded == 0) {
			t.Errorf("the result is %s", line)
		}
	}
	for _, kind := range []apply.EventKind{apply.EventStarted, apply.EventStep, apply.EventSubmitted, apply.EventProgress, apply.EventDone} {
		if !seen[string(kind)] {
			t.Errorf("no event %s in\n%s", kind, events)
		}
	}
	if last != "result" {
		t.Errorf("the last event is %q", last)
	}
	s.ballast(exitError, "apply", "-auto-approve", "-log-format", "xml")
}

// Moves in flight are watched, with rate and time left from the second report
// on, until an interrupt.
func TestStatusWatchesUntilAnInterrupt(t *testing.T) {
	s := newStopped(t)
	s.signalled(os.Interrupt) // leaves moves in flight
	cmd := exec.Command(os.Args[0], "status", "-watch", "-every", "2s", "-json", "-bootstrap", strings.Join(s.box.Bootstrap(), ","), s.dir)
	cmd.Env = append(os.Environ(), asBallast+"=1")
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReaderSize(pipe, 1<<20)
	for i := range 2 {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		var rep apply.Report
		if err := json.Unmarshal([]byte(line), &rep); err != nil {
			t.Fatal(err)
		}
		if len(rep.Moves) == 0 || !rep.Moves[0].Ours || !rep.Unfinished {
			t.Fatalf("report %d: %s", i, line)
		}
		if c := rep.Moves[0].Copies[0]; i == 1 && (c.Rate == nil || c.Left == nil) {
			t.Errorf("no rate, or no time left: %s", line)
		}
	}
	cmd.Process.Signal(os.Interrupt)
	if err := cmd.Wait(); err != nil {
		t.Errorf("an interrupted watch ends with %v", err)
	}
	s.ballast(exitDone, "cancel", "-auto-approve")
}
