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
	// Choose says which of the throttles that Status lists are to go. It is not
	// asked about those that cannot: they are told as skipped. The default of
	// all brokers is asked about once, as of a broker without a name.
	Choose func(ThrottleStatus) (bool, error)
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
	chosen, err := r.chooseThrottles(rep, o.Choose)
	if err != nil {
		return nil, err
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

// chooseThrottles asks about each throttle that can go, and tells of the others.
func (r *run) chooseThrottles(rep *Report, choose func(ThrottleStatus) (bool, error)) ([]ThrottleStatus, error) {
	var chosen []ThrottleStatus
	asked := map[throttleKey]bool{}
	for _, t := range rep.Throttles {
		if t.Source == state.SourceCluster {
			t.Resource.Name = "" // each broker shows it; it is one value
		}
		k := throttleKey{t.Resource.Type, t.Resource.Name, t.Name}
		if asked[k] {
			continue
		}
		asked[k] = true
		if why := whyItStays(t, rep); why != "" {
			r.emit(Event{Kind: EventSkipped, Message: fmt.Sprintf("%s of %s stays: %s", t.Name, describeResource(t.Resource), why)})
			continue
		}
		yes, err := choose(t)
		if err != nil {
			return nil, err
		}
		if yes {
			chosen = append(chosen, t)
		}
	}
	return chosen, nil
}

// whyItStays says why a throttle cannot be taken away, or "".
func whyItStays(t ThrottleStatus, rep *Report) string {
	switch {
	case t.Ours && rep.Unfinished:
		return "it is of an apply that has not ended; `ballast apply -resume` or `ballast cancel` puts back what was there before"
	case t.Source == state.SourceStatic:
		return "it is in the broker's server.properties"
	}
	return ""
}

// heldBy names the moves in flight whose topic or brokers a throttle is of.
func heldBy(chosen []ThrottleStatus, moves []MoveStatus) []string {
	var out []string
	for _, m := range moves {
		for _, t := range chosen {
			k := throttleKey{t.Resource.Type, t.Resource.Name, t.Name}
			ofAll := t.Resource == state.ConfigResource{Type: state.BrokerResource}
			if ofAll || t.Resource.Type == state.TopicResource && t.Resource.Name == m.Topic || state.Contains(m.Target, k.broker()) || state.Contains(m.Removing, k.broker()) {
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
