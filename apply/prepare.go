package apply

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"ballast/planner"
	"ballast/state"
)

// baseline is a Baseline to look things up in.
type baseline struct {
	offline, under map[state.TopicPartition]bool
}

// prepare does all that comes before the first write: lock, journal, cluster,
// staleness. Its errors are refusals.
func (r *run) prepare() error {
	if err := r.journal.Lock(r.soft, r.o.Holder); err != nil {
		return lockRefusal(err)
	}
	records, err := r.journal.Records(r.soft)
	if err != nil {
		return err
	}
	r.mem = remember(records)
	if err := r.choosePlan(); err != nil {
		return err
	}
	r.set = settingsOf(r.plan.Apply, r.o.Throttle)
	if r.set.limit, err = r.resumeLimit(); err != nil {
		return err
	}
	if r.snap, err = r.cluster.Snapshot(r.soft); err != nil {
		return err
	}
	if err := r.sameCluster(); err != nil {
		return err
	}
	if err := r.checkStale(); err != nil {
		return err
	}
	r.learn()
	r.seeAchieved()
	return r.begin()
}

func lockRefusal(err error) error {
	if held, ok := err.(*LockedError); ok {
		return &Refusal{Code: "locked", Summary: "another run holds the lock of this cluster's journal", Items: []string{held.Holder.String(), "journal: " + held.Name}, Next: held.Next()}
	}
	return err
}

// choosePlan takes the given plan, or the journal's.
func (r *run) choosePlan() error {
	if r.o.Resume {
		if !r.mem.unfinished() {
			return &Refusal{Code: "nothing_to_resume", Summary: "there is no unfinished apply to resume", Items: []string{"journal: " + r.journal.Name()},
				Next: "`ballast plan` shows what is left to do."}
		}
		p, err := planOf(r.mem.begin)
		if err != nil {
			return err
		}
		r.plan = p
		return nil
	}
	switch {
	case r.plan == nil:
		return fmt.Errorf("apply needs a plan")
	case r.plan.Errored:
		return &Refusal{Code: "errored_plan", Summary: "the plan has errors, so it is not applied", Items: planErrors(r.plan),
			Next: "Mend the configuration and plan again, or leave the broken topic out with -target."}
	}
	return nil
}

func planErrors(p *planner.Plan) []string {
	var out []string
	for _, d := range p.Diagnostics {
		if d.Severity == "error" {
			out = append(out, d.Summary)
		}
	}
	return out
}

// resumeLimit is the throttle: as asked for now, else as the journal's run was
// told, else the plan's.
func (r *run) resumeLimit() (int64, error) {
	limit := r.set.limit
	if r.o.Throttle == nil && r.o.Resume && r.mem.begin.Throttle != nil {
		limit = *r.mem.begin.Throttle
		r.set.climb = climb{}
	}
	if limit < 0 {
		return 0, fmt.Errorf("a throttle of %d bytes per second is none: use a rate above 0, or none", limit)
	}
	return limit, nil
}

func (r *run) sameCluster() error {
	for _, id := range []string{r.plan.Cluster.ID, r.journal.ClusterID()} {
		if id != r.snap.ClusterID {
			return &Refusal{Code: "other_cluster", Summary: fmt.Sprintf("this is another cluster: the plan is for cluster %s, and the brokers answer as %s", id, r.snap.ClusterID),
				Next: "Check the bootstrap addresses, or plan again with `ballast plan`."}
		}
	}
	return nil
}

// checkStale refuses a plan whose cluster has moved on. Moves of ours in flight
// that it does not want are refused too: they are never led elsewhere.
func (r *run) checkStale() error {
	if items := r.contradictions(); len(items) > 0 {
		return &Refusal{Code: "moves_in_flight", Summary: "moves of an earlier run are in flight to something else than this plan wants", Items: items,
			Next: "Let them end with `ballast apply -resume`, or take them back with `ballast cancel`, then plan again."}
	}
	var items []string
	for _, i := range planner.Check(r.plan, r.snap).Stale() {
		items = append(items, i.String())
	}
	if len(items) > 0 {
		return &Refusal{Code: "stale_plan", Summary: "the cluster has changed since the plan was made; nothing was written", Items: items,
			Next: "Plan again with `ballast plan`, review it, and apply that."}
	}
	return nil
}

// contradictions are moves of ours in flight that the plan leads elsewhere.
func (r *run) contradictions() []string {
	if r.o.Resume {
		return nil
	}
	l := newLook(r.snap, nil)
	planned := plannedMoves(r.plan)
	var out []string
	for _, m := range r.mem.sortedMoves() {
		to := l.target(m.Key())
		p, ok := planned[m.Key()]
		if to == nil || !ok || slices.Equal(p.After, to) {
			continue
		}
		out = append(out, fmt.Sprintf("%s is in flight to %s, the plan wants %s", m.Key(), listIDs(to), listIDs(p.After)))
	}
	return out
}

func plannedMoves(p *planner.Plan) map[state.TopicPartition]planner.Move {
	out := map[state.TopicPartition]planner.Move{}
	for _, s := range p.Steps {
		if s.Kind != planner.Reassign {
			continue
		}
		for _, m := range s.Moves {
			out[state.TopicPartition{Topic: m.Topic, Partition: m.Partition}] = m
		}
	}
	return out
}

// learn takes from the snapshot and the plan what gates look things up in.
func (r *run) learn() {
	r.sizes = map[state.TopicPartition]int64{}
	r.minISR = map[string]int{}
	r.future = plannedMoves(r.plan)
	r.drains = drainedBrokers(r.plan)
	for i := range r.snap.Topics {
		t := &r.snap.Topics[i]
		if v, ok := t.Config[minISRConfig]; ok {
			if n, err := atoi(v.Value); err == nil {
				r.minISR[t.Name] = n
			}
		}
		for _, p := range t.Partitions {
			if p.Size.Known {
				r.sizes[state.TopicPartition{Topic: t.Name, Partition: p.ID}] = p.Size.Bytes
			}
		}
	}
	b := r.baselineNow()
	if r.o.Resume {
		b = r.mem.begin.Baseline
	}
	r.base = baseline{offline: setOf(b.Offline), under: setOf(b.UnderMinISR)}
}

func (r *run) baselineNow() Baseline {
	var b Baseline
	newLook(r.snap, nil).each(func(tp state.TopicPartition, p *state.Partition) {
		least, known := r.minISR[tp.Topic]
		switch {
		case p.Leader == state.NoLeader:
			b.Offline = append(b.Offline, tp)
		case known && underMinISR(p, least):
			b.UnderMinISR = append(b.UnderMinISR, tp)
		}
	})
	return b
}

func setOf(list []state.TopicPartition) map[state.TopicPartition]bool {
	out := map[state.TopicPartition]bool{}
	for _, tp := range list {
		out[tp] = true
	}
	return out
}

// drainedBrokers are those that the plan takes replicas off because they drain.
func drainedBrokers(p *planner.Plan) map[state.BrokerID]bool {
	out := map[state.BrokerID]bool{}
	for _, c := range p.Changes {
		for _, a := range c.Assignments {
			for _, why := range a.Reasons {
				if why == planner.ReasonDrain {
					for _, b := range without(a.Before, a.After) {
						out[b] = true
					}
				}
			}
		}
	}
	return out
}

// begin leaves the first record of this run. A plain apply takes over what an
// earlier one that did not end has left: its throttles, and its moves.
func (r *run) begin() error {
	if r.o.Resume {
		_, err := r.append(Record{Kind: RecordResume, Holder: &r.o.Holder})
		return err
	}
	if len(r.plan.Steps) == 0 && !r.mem.outstanding() && len(r.wantedFlights("")) == 0 {
		return nil // nothing to write, nothing to record
	}
	plan, err := json.Marshal(r.plan)
	if err != nil {
		return err
	}
	rec := Record{Seq: 1, At: r.clock.Now().UTC(), Kind: RecordBegin, Holder: &r.o.Holder, Begin: &Begin{
		Version: RecordVersion, Cluster: r.snap.ClusterID, Plan: plan, Throttle: r.o.Throttle, Baseline: r.baselineNow(),
		Moves: r.mem.sortedMoves(), Throttles: r.mem.sortedThrottles(),
	}}
	if err := r.journal.Begin(context.WithoutCancel(r.ctx), rec); err != nil {
		return err
	}
	r.mem = remember([]Record{rec})
	return nil
}
