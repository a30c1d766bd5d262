package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"ballast/apply"
	"ballast/cmd/ballast/internal/render"
	"ballast/state/sandbox"
)

// maxSpeed is the fastest that a sandbox's time may run.
const maxSpeed = 10_000

// startRehearsal starts, with -sandbox, an embedded cluster that begins as a
// snapshot, with a clock that runs as fast as its own.
func (r *applyRun) startRehearsal() error {
	if r.c.String("sandbox") == "" {
		return nil
	}
	speed := r.c.Float64("speed")
	if !(speed >= 0 && speed <= maxSpeed) {
		return fail(fmt.Sprintf("-speed must be at least 0 and at most %d", maxSpeed), "1 is the speed of real time; without it, time passes as fast as this machine can let it.")
	}
	snap, _, readErr := readSnapshot(r.c.String("sandbox"), 0)
	if readErr != nil {
		return readErr.err
	}
	dir, err := os.MkdirTemp("", "ballast-rehearsal-")
	if err != nil {
		return fail("The rehearsal has no place for its journal", "%v", err)
	}
	r.closers = append(r.closers, func() { os.RemoveAll(dir) })
	options := sandbox.Options{Listen: "127.0.0.1:0", Snapshot: snap, Speed: speed}
	var clock apply.Clock = apply.NewScaledClock(speed)
	pace := fmt.Sprintf("%g times as fast as real time", speed)
	if speed == 0 {
		virtual := sandbox.NewVirtual(time.Now())
		options.Clock, clock, pace = virtual, virtual, "in time that passes only while apply waits"
	}
	box, err := sandbox.Start(options)
	if err != nil {
		return fail("The sandbox cannot start", "%v", err)
	}
	r.closers = append(r.closers, func() { box.Close() })
	r.rehearse = &rehearsal{box: box, clock: clock, dir: dir}
	fmt.Fprintf(r.s.err, "This is a rehearsal on an embedded cluster, %s. Nothing else is written to.\n\n", pace)
	return nil
}

// told says what a rehearsal's end means for the real cluster, which has seen
// nothing of it: there is nothing to resume or to cancel.
func (h *rehearsal) told(result apply.Result) (apply.Result, string) {
	result.CanResume, result.CanCancel = false, false
	took := render.Seconds(int64(result.Elapsed + 0.5))
	if result.Exit != apply.ExitDone {
		return result, fmt.Sprintf("This was a rehearsal: on the cluster, apply would stop like this after about %s.", took)
	}
	return result, fmt.Sprintf("This was a rehearsal: on the cluster, this would take about %s.", took)
}

func (h *rehearsal) bootstrap() string { return strings.Join(h.box.Bootstrap(), ",") }
