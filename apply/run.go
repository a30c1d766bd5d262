package apply

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ballast/planner"
	"ballast/state"
)

// Run carries a plan out. An error means that nothing was written to the
// cluster, or nothing of this run is half done (Exit 1); a run that stops part
// way has Exit 3, no error, and a Reason. Killed at any instant and run again,
// it ends in the same state.
func Run(ctx context.Context, o Options) (Result, error) {
	r := newRun(ctx, o)
	defer r.close()
	if err := r.prepare(); err != nil {
		return Result{Exit: ExitRefused, Elapsed: r.elapsed()}, err
	}
	return r.finish(r.carryOut())
}

// Resume goes on with the plan that the journal holds.
func Resume(ctx context.Context, o Options) (Result, error) {
	o.Resume = true
	return Run(ctx, o)
}

// run is one run of apply: what it was told, and what it knows.
type run struct {
	o       Options
	plan    *planner.Plan
	set     settings
	cluster Cluster
	journal Journal
	clock   Clock
	mem     *memory
	started time.Time

	ctx     context.Context // done: at once
	soft    context.Context // done: nothing more is submitted
	cancel  context.CancelFunc
	grace   context.Context // of writes: done some seconds after soft
	release context.CancelFunc

	snap      *state.Snapshot // as the run began
	minISR    map[string]int  // effective, of every topic whose configs were read
	base      baseline        // unhealthy before the first write
	drains    map[state.BrokerID]bool
	sizes     map[state.TopicPartition]int64        // of one replica, the leader's, where known
	future    map[state.TopicPartition]planner.Move // what the plan's steps do to existing partitions
	step      int                                   // the step's place in the plan, from 1
	through   bool                                  // all steps were gone through
	failed    map[string]string                     // topic -> why it cannot go on
	left      []Left                                // of this pass: put off
	failures  []Left
	achieved  map[item]bool                           // parts of the plan that the cluster shows
	leaderNow map[state.TopicPartition]state.BrokerID // of partitions that were moved or elected
	elected   time.Time                               // when leaders were last elected
	copied    int64                                   // bytes of batches that have ended
	whole     *planMeter                              // nil until the first batch
	settled   map[state.TopicPartition]bool           // adopted moves that have ended and were verified
	restored  []ThrottleChange                        // throttles put back by this run
}

// writeGrace is how long a write may go on after the first signal.
const writeGrace = 5 * time.Second

func newRun(ctx context.Context, o Options) *run {
	r := &run{
		o: o, plan: o.Plan, cluster: o.Cluster, journal: o.Journal, clock: o.Clock,
		mem: newMemory(), ctx: ctx, failed: map[string]string{}, achieved: map[item]bool{}, leaderNow: map[state.TopicPartition]state.BrokerID{},
		settled: map[state.TopicPartition]bool{},
	}
	if r.clock == nil {
		r.clock = WallClock{}
	}
	r.started = r.clock.Now()
	r.soft, r.cancel = context.WithCancel(ctx)
	r.grace, r.release = context.WithCancel(ctx)
	if o.Stop != nil {
		go r.watchStop()
	}
	return r
}

func (r *run) watchStop() {
	select {
	case <-r.o.Stop:
		r.cancel()
		if sleepReal(r.ctx, writeGrace) == nil {
			r.release()
		}
	case <-r.soft.Done():
	}
}

func (r *run) close() {
	r.cancel()
	r.release()
}

func (r *run) elapsed() float64 { return r.clock.Now().Sub(r.started).Seconds() }

// worked is how long this plan's runs were at work, this one included.
func (r *run) worked() float64 { return r.elapsed() + r.mem.spent.Seconds() }

// emit tells an event.
func (r *run) emit(e Event) {
	if r.o.Events == nil {
		return
	}
	e.At = r.clock.Now()
	if r.plan != nil && r.step > 0 {
		e.Step, e.Steps = r.step, len(r.plan.Steps)
		if e.StepKind == "" && r.step <= len(r.plan.Steps) {
			e.StepKind = r.plan.Steps[r.step-1].Kind
		}
	}
	r.o.Events(e)
}

// stopError ends a run part way.
type stopError struct {
	reason string
	holds  []Hold
	gate   bool // a gate stayed shut, or a batch stalled: on_failed_gate speaks
}

func (e *stopError) Error() string { return e.reason }

func stopf(format string, args ...any) *stopError {
	return &stopError{reason: fmt.Sprintf(format, args...)}
}

// interrupted says whether a signal asks the run to stop.
func (r *run) interrupted() error {
	switch {
	case r.ctx.Err() != nil:
		return stopf("interrupted: stopped at once")
	case r.soft.Err() != nil:
		return stopf("interrupted: nothing more is submitted")
	}
	return nil
}

// sleep waits on the run's clock, or until a signal.
func (r *run) sleep(d time.Duration) error {
	if err := r.clock.Sleep(r.soft, d); err != nil {
		if stop := r.interrupted(); stop != nil {
			return stop
		}
		return err
	}
	return r.interrupted()
}

// append leaves a record; a run without a journal writes nothing more.
func (r *run) append(rec Record) (int64, error) {
	rec.At = r.clock.Now().UTC()
	seq, err := r.journal.Append(context.WithoutCancel(r.ctx), rec)
	if err != nil {
		return 0, &journalError{err}
	}
	rec.Seq = seq
	r.mem.add(rec)
	return seq, nil
}

// journalError is the end of all writing.
type journalError struct{ err error }

func (e *journalError) Error() string {
	return fmt.Sprintf("%v; nothing more is written to the cluster", e.err)
}
func (e *journalError) Unwrap() error { return e.err }

// write sends one write to the cluster between its two records. The lock is
// looked at first: a lock by itself does not fence.
func (r *run) write(w Write, send func(ctx context.Context) ([]error, error)) ([]error, error) {
	if err := r.interrupted(); err != nil {
		return nil, err
	}
	return r.writeAnyway(r.grace, w, send)
}

// writeAnyway is write for what is still put right after a signal.
func (r *run) writeAnyway(ctx context.Context, w Write, send func(ctx context.Context) ([]error, error)) ([]error, error) {
	if err := r.journal.Held(ctx); err != nil {
		return nil, stopf("the lock is lost (%v): another run may be at work, so this one writes nothing more", err)
	}
	w.Step = r.stepID()
	seq, err := r.append(Record{Kind: RecordWrite, Write: &w})
	if err != nil {
		return nil, err
	}
	errs, err := send(ctx)
	if err != nil && r.ctx.Err() != nil {
		return nil, err // no time left: the next run reads what became of it
	}
	if _, jerr := r.append(Record{Kind: RecordAnswer, Answer: &Answer{Write: seq, Errors: answerErrors(errs, err)}}); jerr != nil {
		return nil, jerr
	}
	return errs, err
}

func (r *run) stepID() int {
	if r.step < 1 || r.step > len(r.plan.Steps) {
		return 0
	}
	return r.plan.Steps[r.step-1].ID
}

func answerErrors(errs []error, err error) []string {
	var out []string
	if err != nil {
		out = append(out, err.Error())
	}
	for _, e := range errs {
		if e != nil {
			out = append(out, e.Error())
		}
	}
	return out
}

// read asks the cluster, again and again with backoff for as long as a gate
// may wait: a broker that restarts is no reason to stop.
func (r *run) read(what string, ask func(ctx context.Context) error) error {
	began := r.clock.Now()
	told := time.Time{}
	for wait := newBackoff(readMaxWait); ; {
		err := ask(r.soft)
		if err == nil {
			return nil
		}
		if stop := r.interrupted(); stop != nil {
			return stop
		}
		var refusal *Refusal
		if errors.As(err, &refusal) || r.clock.Now().Sub(began) > r.set.gateTimeout {
			return err
		}
		if now := r.clock.Now(); told.IsZero() || now.Sub(told) >= gateTellEvery {
			told = now
			r.emit(Event{Kind: EventRetry, Message: fmt.Sprintf("%s could not be read, trying again: %v", what, err)})
		}
		if err := r.sleep(wait.NextBackOff()); err != nil {
			return err
		}
	}
}

func (r *run) stepKind() planner.Kind {
	if r.step < 1 || r.step > len(r.plan.Steps) {
		return ""
	}
	return r.plan.Steps[r.step-1].Kind
}
