package main

import (
	"fmt"
	"os"
	"strings"

	"ballast/apply"
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
	if !(speed > 0 && speed <= maxSpeed) {
		return fail(fmt.Sprintf("-speed must be above 0 and at most %d", maxSpeed), "1 is the speed of real time.")
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
	box, err := sandbox.Start(sandbox.Options{Listen: "127.0.0.1:0", Snapshot: snap, Speed: speed})
	if err != nil {
		return fail("The sandbox cannot start", "%v", err)
	}
	r.closers = append(r.closers, func() { box.Close() })
	r.rehearse = &rehearsal{box: box, clock: apply.NewScaledClock(speed), dir: dir}
	fmt.Fprintf(r.s.err, "This is a rehearsal on an embedded cluster, %g times as fast as real time. Nothing else is written to.\n\n", speed)
	return nil
}

func (h *rehearsal) bootstrap() string { return strings.Join(h.box.Bootstrap(), ",") }
