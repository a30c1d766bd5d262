package apply

import (
	"context"
	"fmt"
	"time"

	"ballast/state"
)

// finish says how the run ended, in the journal and as a result.
func (r *run) finish(err error) (Result, error) {
	res := Result{Deferred: r.left, Failed: r.failures}
	if err == nil && (len(r.left) > 0 || len(r.failures) > 0) {
		err = stopf("%s of the plan could not be carried out", plural(len(r.left)+len(r.failures), "part", "parts"))
	}
	if err == nil && len(r.mem.throttles) > 0 {
		err = stopf("%s of ours could not be taken off", plural(len(r.mem.throttles), "throttle", "throttles"))
	}
	if err == nil {
		if r.mem.begin != nil && r.mem.last != RecordEnd {
			_, err = r.append(Record{Kind: RecordEnd})
		}
	}
	if err != nil {
		return r.halt(res, err), nil
	}
	r.count(&res)
	res.Elapsed = r.elapsed()
	r.emit(Event{Kind: EventDone, Message: "all is as planned"})
	return res, nil
}

// halt is the result of a run that stops part way.
func (r *run) halt(res Result, err error) Result {
	res.Exit, res.Reason = ExitStopped, err.Error()
	if stop, ok := isStop(err); ok {
		res.Holds = stop.holds
	}
	res.InFlight = r.stillFlying()
	if _, broken := err.(*journalError); !broken && r.ctx.Err() == nil {
		r.letGo()
		if _, err := r.append(Record{Kind: RecordStop, Note: res.Reason}); err != nil {
			res.Reason += "; " + err.Error()
		}
	}
	for _, t := range r.mem.sortedThrottles() {
		res.Throttles = append(res.Throttles, ThrottleChange{Resource: t.resource(), Name: t.Name, Before: t.Prior, After: t.latest()})
	}
	res.Left = r.notBegun()
	res.CanResume = true
	res.CanCancel = len(res.InFlight) > 0
	r.count(&res)
	res.Elapsed = r.elapsed()
	r.emit(Event{Kind: EventStopped, Holds: res.Holds, Message: res.Reason})
	return res
}

// stillFlying are the moves of ours that go on without this run. Within a
// second signal's time nothing is asked any more: the journal tells.
func (r *run) stillFlying() []state.OngoingReassignment {
	if len(r.mem.moves) == 0 {
		return nil
	}
	if r.ctx.Err() == nil {
		ctx, cancel := context.WithTimeout(r.ctx, writeGrace)
		defer cancel()
		if flight, err := r.cluster.Reassignments(ctx); err == nil {
			return r.oursOf(flight)
		}
	}
	var out []state.OngoingReassignment
	for _, m := range r.mem.sortedMoves() {
		out = append(out, state.OngoingReassignment{TopicPartition: m.Key(), Replicas: m.After,
			Adding: without(m.After, m.Before), Removing: without(m.Before, m.After)})
	}
	return out
}

func (r *run) oursOf(flight []state.OngoingReassignment) []state.OngoingReassignment {
	var out []state.OngoingReassignment
	for _, f := range flight {
		m, ok := r.mem.moves[f.TopicPartition]
		p := state.Partition{Replicas: f.Replicas, Adding: f.Adding, Removing: f.Removing}
		if ok && equalIDs(p.Target(), m.After) {
			out = append(out, f)
		}
	}
	return out
}

// letGo takes throttles off that no move of ours in flight uses, in what
// little time there is. What stays is told in the result.
func (r *run) letGo() {
	if len(r.mem.throttles) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(r.ctx, writeGrace)
	defer cancel()
	l, err := takeLook(ctx, r.cluster, nil)
	if err != nil {
		return
	}
	late := *r
	late.soft, late.grace = ctx, ctx
	late.set.gateTimeout = time.Second
	if err := late.restoreThrottles(nil, l); err != nil {
		r.emit(Event{Kind: EventWarning, Message: fmt.Sprintf("throttles could not be taken off: %v", err)})
	}
}

// notBegun are the steps after the present one.
func (r *run) notBegun() []Left {
	var out []Left
	for i := max(r.step, 0); i < len(r.plan.Steps); i++ {
		s := r.plan.Steps[i]
		l := Left{Step: s.ID, Kind: s.Kind, Topic: s.Topic}
		if s.Topic == "" && len(s.Moves) == 1 {
			l.Topic, l.Partitions = s.Moves[0].Topic, []int32{s.Moves[0].Partition}
		}
		out = append(out, l)
	}
	return out
}
