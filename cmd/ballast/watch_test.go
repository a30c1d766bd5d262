package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"ballast/apply"
	"ballast/cmd/ballast/internal/status"
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
	s.rate = "2MB/s"          // far slower than this test
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
	schema, rated := schemaOf(t, "status"), false
	for i := 0; i < 30 && !rated; i++ {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		isOf(t, schema, "a report", line)
		var doc status.Document
		if err := json.Unmarshal([]byte(line), &doc); err != nil {
			t.Fatal(err)
		}
		if len(doc.Moves) == 0 || !doc.Moves[0].Ours || !doc.Unfinished || doc.Holder != nil {
			t.Fatalf("report %d: %s", i, line)
		}
		// A throttle lets bytes through in bursts: between two reads there may be none.
		for _, m := range doc.Moves {
			for _, c := range m.Copies {
				rated = rated || i > 0 && c.Rate != nil && c.Left != nil
			}
		}
	}
	if !rated {
		t.Error("no report has a rate and the time left")
	}
	cmd.Process.Signal(os.Interrupt)
	if err := cmd.Wait(); err != nil {
		t.Errorf("an interrupted watch ends with %v", err)
	}
	s.ballast(exitDone, "cancel", "-auto-approve")
}
