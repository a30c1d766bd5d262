package apply

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"ballast/state"
)

// readBackTimeout is how long a throttle that a broker has accepted may take
// to show.
const readBackTimeout = time.Minute

// setThrottles puts the throttle of a batch on and reads it back from every
// broker concerned. What was there before is in the journal first. Dead
// brokers are skipped: they take no config, and no bytes.
func (r *run) setThrottles(copies []copyOf, l *look) error {
	if r.set.limit <= 0 { // of an earlier run there may be some
		return r.restoreThrottles(nil, l)
	}
	batch := make([]Moving, len(copies))
	for i, c := range copies {
		batch[i] = c.Moving
	}
	others := r.copiesOf(r.movesInFlight(batch, l), l)
	want := throttleFor(append(copies, others...), r.set.limit, r.set.bothSides)
	values, err := r.throttleValues(want, l)
	if err != nil || len(values) == 0 {
		return err
	}
	return r.putThrottles(values)
}

// movesInFlight are moves of ours in flight that are not in a batch.
func (r *run) movesInFlight(batch []Moving, l *look) []Moving {
	in := setOf(keysOf(batch))
	var out []Moving
	for _, m := range r.mem.sortedMoves() {
		if !in[m.Key()] && l.target(m.Key()) != nil {
			out = append(out, m)
		}
	}
	return out
}

// throttleValues turns what a batch wants into values, with what is there now
// as their prior ones. A value of ours from an earlier batch keeps its prior.
func (r *run) throttleValues(want batchThrottle, l *look) ([]Throttled, error) {
	keys := r.throttleKeys(want, l)
	now, err := r.ownValues(keys)
	if err != nil {
		return nil, err
	}
	var out []Throttled
	for _, k := range keys {
		cur, exists := now[k]
		if !exists {
			continue // the topic is gone
		}
		if t, write := r.throttleValue(k, cur, want); write {
			out = append(out, t)
		}
	}
	sortThrottles(out)
	return out, nil
}

// throttleKeys are the values to set: those of brokers that are down aside.
func (r *run) throttleKeys(want batchThrottle, l *look) []throttleKey {
	var keys []throttleKey
	dead := map[state.BrokerID]bool{}
	for k := range want.rates {
		if b := k.broker(); l.alive[b] {
			keys = append(keys, k)
		} else {
			dead[b] = true
		}
	}
	for k := range want.lists {
		keys = append(keys, k)
	}
	if len(dead) > 0 {
		r.emit(Event{Kind: EventSkipped, Brokers: sortedIDs(dead),
			Message: fmt.Sprintf("no throttle is set on %s: down, and a broker that is down takes no config", listIDs(sortedIDs(dead)))})
	}
	return keys
}

// throttleValue is one value as it is to be set, and whether it has to be.
func (r *run) throttleValue(k throttleKey, cur *string, want batchThrottle) (Throttled, bool) {
	t, known := r.mem.throttles[k]
	switch {
	case !known:
		t = Throttled{Type: k.typ, Of: k.of, Name: k.name, Prior: cur}
	case !isOurs(t, cur) && !equalText(cur, t.Prior):
		t.Prior, t.Ours = cur, nil // somebody's since: that is what comes back
	}
	value := want.value(k, t.Prior)
	if equalText(cur, &value) && (equalText(t.Prior, &value) || equalText(t.latest(), &value)) {
		return t, false // as it should be: somebody else's, or ours
	}
	t.Ours = append(append([]string(nil), t.Ours...), value)
	return t, true
}

func (k throttleKey) broker() state.BrokerID {
	n, err := strconv.Atoi(k.of)
	if err != nil || k.typ != state.BrokerResource {
		return noBroker
	}
	return state.BrokerID(n)
}

func (w batchThrottle) value(k throttleKey, prior *string) string {
	if rate, ok := w.rates[k]; ok {
		return strconv.FormatInt(rate, 10)
	}
	return mergeList(prior, w.lists[k])
}

// putThrottles writes values, brokers' rates before topics' lists, and waits
// until they show.
func (r *run) putThrottles(values []Throttled) error {
	for _, group := range [][]Throttled{ofType(values, state.BrokerResource), ofType(values, state.TopicResource)} {
		if len(group) == 0 {
			continue
		}
		if err := r.alterThrottles(OpThrottle, group, (Throttled).latest); err != nil {
			return err
		}
	}
	if err := r.readBack(values, (Throttled).latest); err != nil {
		return err
	}
	r.emit(Event{Kind: EventThrottleSet, Throttles: changesOf(values, (Throttled).latest), Message: describeThrottles(values)})
	return nil
}

func ofType(values []Throttled, t state.ResourceType) []Throttled {
	var out []Throttled
	for _, v := range values {
		if v.Type == t {
			out = append(out, v)
		}
	}
	return out
}

// alterThrottles sends values until each is taken, reading nothing: to set a
// config again does no harm. A topic that is gone needs none.
func (r *run) alterThrottles(op Op, values []Throttled, to func(Throttled) *string) error {
	began := r.clock.Now()
	for wait := newBackoff(readMaxWait); ; {
		alters := altersOf(values, to)
		errs, err := r.write(Write{Op: op, Throttles: values}, func(ctx context.Context) ([]error, error) {
			return r.cluster.AlterConfigs(ctx, alters)
		})
		again, err := r.retryable(errs, err, func(i int) string { return describeResource(alters[i].Resource) })
		if err != nil || !again {
			return err
		}
		if r.clock.Now().Sub(began) > r.set.gateTimeout {
			return stopf("a throttle could not be set: %v", firstError(errs))
		}
		if err := r.sleep(wait.NextBackOff()); err != nil {
			return err
		}
	}
}

func altersOf(values []Throttled, to func(Throttled) *string) []state.AlterConfigs {
	var out []state.AlterConfigs
	for _, v := range values {
		change := state.ConfigChange{Name: v.Name, Value: to(v)}
		if n := len(out); n > 0 && out[n-1].Resource == v.resource() {
			out[n-1].Changes = append(out[n-1].Changes, change)
			continue
		}
		out = append(out, state.AlterConfigs{Resource: v.resource(), Changes: []state.ConfigChange{change}})
	}
	return out
}

// readBack polls until every value shows, each broker's on that broker.
func (r *run) readBack(values []Throttled, to func(Throttled) *string) error {
	keys := make([]throttleKey, len(values))
	for i, v := range values {
		keys[i] = v.key()
	}
	began := r.clock.Now()
	for wait := newBackoff(pollMaxWait); ; {
		now, err := r.ownValues(keys)
		if err != nil {
			return err
		}
		late := notShown(values, now, to)
		if late == nil {
			return nil
		}
		if r.clock.Now().Sub(began) > min(readBackTimeout, max(r.set.gateTimeout, time.Second)) {
			return stopf("%s has accepted %s and does not show it after %s: nothing is moved without its throttle",
				describeResource(late.resource()), late.Name, round(r.clock.Now().Sub(began)))
		}
		if err := r.sleep(wait.NextBackOff()); err != nil {
			return err
		}
	}
}

func notShown(values []Throttled, now map[throttleKey]*string, to func(Throttled) *string) *Throttled {
	for i, v := range values {
		cur, exists := now[v.key()]
		if exists && !equalText(cur, to(v)) {
			return &values[i]
		}
	}
	return nil
}

func equalText(a, b *string) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

func changesOf(values []Throttled, to func(Throttled) *string) []ThrottleChange {
	out := make([]ThrottleChange, len(values))
	for i, v := range values {
		out[i] = ThrottleChange{Resource: v.resource(), Name: v.Name, Before: v.Prior, After: to(v)}
	}
	return out
}

// describeThrottles says which brokers may copy how fast, and for which topics.
func describeThrottles(values []Throttled) string {
	var brokers, topics []string
	for _, v := range values {
		switch {
		case v.Type == state.TopicResource:
			topics = append(topics, v.Of)
		default:
			rate, _ := strconv.ParseUint(*v.latest(), 10, 64)
			side, _, _ := strings.Cut(v.Name, ".")
			brokers = append(brokers, fmt.Sprintf("broker %s %s/s (%s)", v.Of, humanize.Bytes(rate), side))
		}
	}
	if len(topics) > 0 {
		brokers = append(brokers, plural(len(topics), "topic list", "topic lists"))
	}
	return "throttle read back: " + strings.Join(brokers, ", ")
}
