package apply

import (
	"context"
	"fmt"
	"slices"
	"time"

	"ballast/planner"
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
	res.Elapsed, res.Plan = r.worked(), r.plan
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
	res.Elapsed, res.Plan = r.worked(), r.plan
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
		if ok && slices.Equal(p.Target(), m.After) {
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

// notBegun is what of the present step, and of those after it, did not begin.
func (r *run) notBegun() []Left {
	if r.through {
		return nil
	}
	var out []Left
	for i := max(r.step-1, 0); i < len(r.plan.Steps); i++ {
		s := &r.plan.Steps[i]
		if r.stepAchieved(s) {
			continue
		}
		if i >= r.step || !r.mem.stepsDone[s.ID] && !r.begun(s) {
			out = append(out, r.openParts(s)...)
		}
	}
	return out
}

// begun says whether a step of one topic was written, done or not.
func (r *run) begun(s *planner.Step) bool {
	ops := map[planner.Kind]Op{planner.CreateTopic: OpCreate, planner.SetConfig: OpConfig, planner.AddPartitions: OpAdd, planner.DeleteTopic: OpDelete}
	op, ok := ops[s.Kind]
	return ok && r.mem.wrote[item{op, s.Topic, 0}]
}

// openParts lists a step by topic: of moves and elections those partitions
// that are neither done nor in flight.
func (r *run) openParts(s *planner.Step) []Left {
	if s.Kind != planner.Reassign && s.Kind != planner.ElectLeaders {
		return []Left{{Step: s.ID, Kind: s.Kind, Topic: s.Topic}}
	}
	var out []Left
	for _, m := range s.Moves {
		op := OpReassign
		if s.Kind == planner.ElectLeaders {
			op = opLead
		}
		if _, flying := r.mem.moves[Moving(m).Key()]; flying || r.achieved[item{op, m.Topic, m.Partition}] {
			continue
		}
		if n := len(out); n > 0 && out[n-1].Topic == m.Topic {
			out[n-1].Partitions = append(out[n-1].Partitions, m.Partition)
			continue
		}
		out = append(out, Left{Step: s.ID, Kind: s.Kind, Topic: m.Topic, Partitions: []int32{m.Partition}})
	}
	return out
}
