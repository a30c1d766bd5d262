package apply

import (
	"context"
	"fmt"

	"ballast/planner"
	"ballast/state"
)

// ClearOptions is what ClearThrottles needs.
type ClearOptions struct {
	Cluster Cluster
	Journal Journal // not locked yet
	Clock   Clock   // nil: WallClock
	Stop    <-chan struct{}
	Events  func(Event)
	Holder  Holder
	// Choose says which of the throttles that Status lists are to go: a
	// resource's own values, as read.
	Choose func(ThrottleStatus) bool
}

// ClearThrottles takes replication throttles away that are left over: those
// that Choose picks, of topics and brokers, which are there as own values. It
// refuses while a move is in flight that they may hold: taken off, the copy
// would run at full speed. What was there before is not known, so they are
// deleted.
func ClearThrottles(ctx context.Context, o ClearOptions) ([]ThrottleStatus, error) {
	r := newRun(ctx, Options{Plan: &planner.Plan{}, Cluster: o.Cluster, Journal: o.Journal, Clock: o.Clock, Stop: o.Stop, Events: o.Events, Holder: o.Holder})
	defer r.close()
	if err := r.prepareCancel(); err != nil {
		return nil, err
	}
	rep, err := Status(ctx, StatusOptions{Cluster: o.Cluster, Journal: o.Journal, Clock: o.Clock})
	if err != nil {
		return nil, err
	}
	var chosen []ThrottleStatus
	for _, t := range rep.Throttles {
		if isOwn(t.Resource.Type, t.Source) && o.Choose(t) {
			chosen = append(chosen, t)
		}
	}
	if held := heldBy(chosen, rep.Moves); len(held) > 0 {
		return nil, &Refusal{Code: "throttle_in_use", Summary: "moves are in flight that these throttles hold; taken off, they would copy at full speed", Items: held,
			Next: "Let them end (`ballast status` shows how far they are), or take them back with `ballast cancel -all`."}
	}
	if len(chosen) == 0 {
		return nil, nil
	}
	return chosen, r.clear(chosen)
}

// heldBy names the moves in flight whose topic or brokers a throttle is of.
func heldBy(chosen []ThrottleStatus, moves []MoveStatus) []string {
	var out []string
	for _, m := range moves {
		for _, t := range chosen {
			k := throttleKey{t.Resource.Type, t.Resource.Name, t.Name}
			if t.Resource.Type == state.TopicResource && t.Resource.Name == m.Topic || state.Contains(m.Target, k.broker()) || state.Contains(m.Removing, k.broker()) {
				out = append(out, fmt.Sprintf("%s to %s, held by %s of %s", m.TopicPartition, listIDs(m.Target), t.Name, describeResource(t.Resource)))
				break
			}
		}
	}
	return out
}

// clear deletes values, between records as every write. What is ours by the
// journal is put back to what was there before, and forgotten.
func (r *run) clear(chosen []ThrottleStatus) error {
	if r.mem.begin == nil {
		if err := r.beginCancel(); err != nil {
			return err
		}
	}
	var values []Throttled
	for _, t := range chosen {
		values = append(values, Throttled{Type: t.Resource.Type, Of: t.Resource.Name, Name: t.Name, Prior: t.Prior, Ours: []string{t.Value}})
	}
	sortThrottles(values)
	if err := r.writeBack(values); err != nil {
		return err
	}
	if r.mem.unfinished() {
		return nil
	}
	_, err := r.append(Record{Kind: RecordEnd, Note: "throttles cleared"})
	return err
}
