package apply_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"ballast/apply"
	"ballast/planner"
	"ballast/state"
	"ballast/state/clustertest/realkafka"
	"ballast/state/kafka"
)

// What the process that is to be killed reads from its environment.
const (
	doomedAt        = "BALLAST_TEST_DOOMED_AT"
	doomedPlan      = "BALLAST_TEST_DOOMED_PLAN"
	doomedDir       = "BALLAST_TEST_DOOMED_DIR"
	doomedBootstrap = "BALLAST_TEST_DOOMED_BOOTSTRAP"
)

func TestMain(m *testing.M) {
	if at := os.Getenv(doomedAt); at != "" {
		fmt.Fprintln(os.Stderr, doomed(at))
		os.Exit(1)
	}
	os.Exit(realkafka.Main(m))
}

// doomed applies a plan in a process of its own, which ends itself with SIGKILL
// at one record of its journal: no deferred call runs, no file is closed.
func doomed(at string) error {
	f, err := os.Open(os.Getenv(doomedPlan))
	if err != nil {
		return err
	}
	p, err := planner.Decode(f, f.Name())
	if err != nil {
		return err
	}
	client, err := kafka.Dial(context.Background(), kafka.Options{Bootstrap: strings.Split(os.Getenv(doomedBootstrap), ","), Timeout: 10 * time.Second})
	if err != nil {
		return err
	}
	j, err := apply.OpenLocal(os.Getenv(doomedDir), client.ClusterID())
	if err != nil {
		return err
	}
	res, err := apply.Run(context.Background(), apply.Options{Plan: p, Cluster: client, Journal: &doomedJournal{Journal: j, at: at}})
	return errors.Join(err, fmt.Errorf("it was not killed: %+v", res))
}

// doomedJournal ends its process at a record: "before" or "after" it is on the
// disk, of the first write with an operation.
type doomedJournal struct {
	apply.Journal
	at  string
	ops map[int64]apply.Op
}

func (j *doomedJournal) Append(ctx context.Context, r apply.Record) (int64, error) {
	place := ""
	switch {
	case r.Write != nil:
		place = fmt.Sprintf("the %s's record", r.Write.Op)
	case r.Answer != nil:
		place = fmt.Sprintf("the %s's answer", j.ops[r.Answer.Write])
	}
	j.dieAt("before " + place)
	seq, err := j.Journal.Append(ctx, r)
	if r.Write != nil && err == nil {
		if j.ops == nil {
			j.ops = map[int64]apply.Op{}
		}
		j.ops[seq] = r.Write.Op
	}
	j.dieAt("after " + place)
	return seq, err
}

func (j *doomedJournal) dieAt(place string) {
	if place == j.at {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
}

// A process that is killed (SIGKILL) at a record of its journal, and run again
// by another: the moves are submitted once, what it had set is off, what
// somebody else has set is as it was.
func TestRealKilledAtRecordsOfTheJournal(t *testing.T) {
	for i, c := range []struct {
		at        string
		submitted bool // by the process that was killed
	}{
		{"after the reassign's record", false}, // on the disk, and not sent
		{"before the reassign's answer", true}, // sent and answered, which the journal does not know
		{"after the restore's record", true},   // all is done but the throttles
	} {
		t.Run(c.at, func(t *testing.T) {
			r := newReal(t)
			name := fmt.Sprintf("doomed-%d", i)
			r.topic(name, 10_000_000, list(2), list(1))
			r.override(state.BrokerResource, "6", "follower.replication.throttled.rate", "7777777")
			r.override(state.TopicResource, name, "leader.replication.throttled.replicas", "0:9")
			before := r.throttles()
			d := r.desired(5_000_000, raised(name, 2, map[int32][]state.BrokerID{0: list(2, 6), 1: list(1, 3)}))
			r.dies(c.at, r.plan(d))
			if got := r.throttles(); got == before {
				t.Error("no throttle is left by the process that was killed")
			}
			r.mustApply(r.plan(d))
			again := count(r.events, apply.EventSubmitted) > 0
			if again == c.submitted {
				t.Errorf("submitted again: %t, and by the killed process: %t\n%s", again, c.submitted, r.story())
			}
			if got := r.throttles(); got != before {
				t.Errorf("throttles before:\n%s\nafterwards:\n%s", before, got)
			}
			if p := r.plan(d); len(p.Steps) > 0 {
				t.Errorf("the second plan has steps: %+v", p.Steps)
			}
		})
	}
}

func count(events []apply.Event, kind apply.EventKind) int {
	n := 0
	for _, e := range events {
		if e.Kind == kind {
			n++
		}
	}
	return n
}

// dies applies a plan in a process that is killed at a record.
func (r *real) dies(at string, p *planner.Plan) {
	r.Helper()
	file := r.TempDir() + "/doomed.plan"
	f, err := os.Create(file)
	if err == nil {
		err = errors.Join(planner.Encode(f, p), f.Close())
	}
	if err != nil {
		r.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), doomedAt+"="+at, doomedPlan+"="+file, doomedDir+"="+r.dir, doomedBootstrap+"="+strings.Join(r.cluster.Bootstrap(), ","))
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || !killed(exit) {
		r.Fatalf("the process was not killed %s: %v\n%s", at, err, out)
	}
}

func killed(e *exec.ExitError) bool {
	s, ok := e.Sys().(syscall.WaitStatus)
	return ok && s.Signaled() && s.Signal() == syscall.SIGKILL
}
