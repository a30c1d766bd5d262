package apply

import (
	"fmt"

	"ballast/state"
)

// priorOf is what a throttle is put back to.
func priorOf(t Throttled) *string { return t.Prior }

// restoreThrottles puts back what was there before our values, for those that
// neither a move of ours in flight nor a step to come uses. What somebody has
// changed meanwhile is theirs.
func (r *run) restoreThrottles(later []Moving, l *look) error {
	used := r.usedThrottles(later)
	for k := range r.usedThrottles(r.movesInFlight(nil, l)) {
		used[k] = true
	}
	var candidates []Throttled
	down := map[state.BrokerID]bool{}
	for _, t := range r.mem.sortedThrottles() {
		switch b := t.key().broker(); {
		case used[t.key()]:
		case t.Type == state.BrokerResource && !l.alive[b]:
			down[b] = true
		default:
			candidates = append(candidates, t)
		}
	}
	if len(down) > 0 && len(later) == 0 {
		r.emit(Event{Kind: EventSkipped, Brokers: sortedIDs(down),
			Message: fmt.Sprintf("the throttle on %s cannot be taken off while it is down: `ballast apply -resume` does so once it is back", listIDs(sortedIDs(down)))})
	}
	return r.putBack(candidates)
}

// usedThrottles are the keys that moves need.
func (r *run) usedThrottles(moves []Moving) map[throttleKey]bool {
	used := map[throttleKey]bool{}
	for _, m := range moves {
		adds := without(m.After, m.Before)
		if len(adds) == 0 {
			continue
		}
		used[topicKey(m.Topic, followerList)] = true
		for _, b := range adds {
			used[brokerKey(b, followerRate)] = true
		}
		if !r.set.bothSides {
			continue
		}
		used[topicKey(m.Topic, leaderList)] = true
		for _, b := range m.Before {
			used[brokerKey(b, leaderRate)] = true
		}
	}
	return used
}

func (r *run) putBack(values []Throttled) error {
	if len(values) == 0 {
		return nil
	}
	keys := make([]throttleKey, len(values))
	for i, v := range values {
		keys[i] = v.key()
	}
	now, err := r.answered(keys)
	if err != nil {
		return err
	}
	var ours, rest []Throttled
	for _, v := range values {
		cur, exists := now[v.key()]
		switch {
		case !exists && v.Type == state.BrokerResource:
			r.emit(Event{Kind: EventSkipped, Brokers: []state.BrokerID{v.key().broker()}, Message: fmt.Sprintf("broker %s does not answer: its throttle is taken off later", v.Of)})
		case exists && isOurs(v, cur):
			ours = append(ours, v)
		case exists && !equalText(cur, v.Prior):
			r.emit(Event{Kind: EventThrottleLeft, Throttles: changesOf([]Throttled{v}, func(Throttled) *string { return cur }),
				Message: fmt.Sprintf("%s of %s was changed meanwhile and is left as it is", v.Name, describeResource(v.resource()))})
			rest = append(rest, v)
		default:
			rest = append(rest, v)
		}
	}
	if err := r.forget(rest); err != nil {
		return err
	}
	return r.writeBack(ours)
}

// isOurs says whether a present value is one that we have asked for.
func isOurs(t Throttled, now *string) bool {
	if now == nil || equalText(now, t.Prior) {
		return false
	}
	for _, v := range t.Ours {
		if v == *now {
			return true
		}
	}
	return false
}

// forget leaves a record that throttles are none of ours any more.
func (r *run) forget(values []Throttled) error {
	if len(values) == 0 {
		return nil
	}
	seq, err := r.append(Record{Kind: RecordWrite, Write: &Write{Op: OpRestore, Step: r.stepID(), Throttles: values}})
	if err != nil {
		return err
	}
	_, err = r.append(Record{Kind: RecordAnswer, Answer: &Answer{Write: seq}})
	return err
}

func (r *run) writeBack(values []Throttled) error {
	if len(values) == 0 {
		return nil
	}
	// Lists first: a rate that is gone before its list would let go at once.
	for _, group := range [][]Throttled{ofType(values, state.TopicResource), ofType(values, state.BrokerResource)} {
		if len(group) == 0 {
			continue
		}
		if err := r.alterThrottles(OpRestore, group, priorOf); err != nil {
			return err
		}
	}
	if err := r.readBack(values, priorOf); err != nil {
		return err
	}
	changes := restoredChanges(values)
	r.restored = append(r.restored, changes...)
	r.emit(Event{Kind: EventThrottleRestored, Throttles: changes,
		Message: fmt.Sprintf("%s as before", plural(len(values), "throttle value is", "throttle values are"))})
	return nil
}

func restoredChanges(values []Throttled) []ThrottleChange {
	out := make([]ThrottleChange, len(values))
	for i, v := range values {
		out[i] = ThrottleChange{Resource: v.resource(), Name: v.Name, Before: v.latest(), After: v.Prior}
	}
	return out
}
