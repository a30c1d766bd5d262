package apply

import (
	"fmt"
	"time"

	"ballast/state"
)

// throttleLookEvery is how often the throttles of a batch are read again.
const throttleLookEvery = 5 * time.Second

// lostAfter is how long a submitted move may be neither in flight nor done in
// metadata before it counts as taken back by somebody else.
const lostAfter = 10 * time.Second

// follow polls until no move of the batch is in flight. It sees to the
// throttles meanwhile, and stops the run where nothing arrives any more.
func (r *run) follow(b *batch) error {
	now := r.clock.Now()
	due := dues{throttles: now, rate: now}
	for wait := newPoll(); len(b.moves) > 0; {
		flying, l, err := r.poll(b, &due)
		if err != nil || len(flying) == 0 {
			return err
		}
		if err := r.tend(b, flying, l, &due); err != nil {
			return err
		}
		if err := r.sleep(wait.NextBackOff()); err != nil {
			return err
		}
	}
	return nil
}

// dues is when things that are not done at each poll were last done.
type dues struct{ told, throttles, rate time.Time }

// due says whether it is time again, and if so notes that it is done now.
func due(last *time.Time, now time.Time, every time.Duration) bool {
	if now.Sub(*last) < every {
		return false
	}
	*last = now
	return true
}

// poll looks how far the batch is, and gives the moves that are still in flight.
func (r *run) poll(b *batch, d *dues) ([]Moving, *look, error) {
	l, err := r.look(topicsOf(b.moves))
	if err != nil {
		return nil, nil, err
	}
	if err := r.dropLost(b, l); err != nil {
		return nil, nil, err
	}
	flying := r.flying(b, l)
	if err := r.measure(b, l); err != nil {
		return nil, nil, err
	}
	now := r.clock.Now()
	b.meter.ends(len(b.moves)-len(flying), now)
	if len(flying) == 0 {
		b.meter.got = b.meter.total
	}
	if due(&d.told, now, time.Second) || len(flying) == 0 {
		r.progress(b, len(b.moves)-len(flying))
	}
	return flying, l, nil
}

// tend sees to a batch in flight: whether it stalls, and its throttles.
func (r *run) tend(b *batch, flying []Moving, l *look, d *dues) error {
	if err := r.stalled(b, flying, l); err != nil {
		return err
	}
	r.tellNeverEnding(b)
	if err := r.changeRate(b, l); err != nil {
		return err
	}
	if due(&d.throttles, r.clock.Now(), throttleLookEvery) {
		if err := r.keepThrottles(b, l); err != nil {
			return err
		}
	}
	if due(&d.rate, r.clock.Now(), climbEvery) {
		return r.adjust(b)
	}
	return nil
}

func (m *meter) ends(n int, now time.Time) {
	if n > m.ended {
		m.ended, m.moved = n, later(m.moved, now)
	}
}

// flying are the moves that are not done yet by metadata.
func (r *run) flying(b *batch, l *look) []Moving {
	var out []Moving
	for _, m := range b.moves {
		if c := l.classOf(m); c != classDone {
			out = append(out, m)
		}
	}
	return out
}

// dropLost takes moves out of the batch that somebody else has ended: the
// topic deleted, the move taken back or led elsewhere.
func (r *run) dropLost(b *batch, l *look) error {
	for _, m := range append([]Moving(nil), b.moves...) {
		var why string
		switch l.classOf(m) {
		case classDone, classAdopt:
			delete(b.missing, m.Key())
			continue
		case classForeign:
			why = "somebody else reassigns it, to " + listIDs(l.target(m.Key()))
		case classGone:
			why = "it was deleted"
		case classTodo, classStale:
			why = "the move was taken back by somebody else"
		}
		now := r.clock.Now()
		since, seen := b.missing[m.Key()]
		if !seen {
			b.missing[m.Key()] = now
		}
		if !seen || now.Sub(since) < lostAfter {
			continue
		}
		if err := r.refuse(b, m, why); err != nil {
			return err
		}
	}
	return nil
}

// stalled stops the run where no replica grew or joined for the stall timeout.
func (r *run) stalled(b *batch, flying []Moving, l *look) error {
	idle := r.clock.Now().Sub(b.meter.moved)
	if r.set.stall <= 0 || idle < r.set.stall {
		return nil
	}
	var holds []Hold
	for _, m := range flying {
		holds = append(holds, r.stallHold(m, l, idle))
	}
	return &stopError{gate: true, holds: holds,
		reason: fmt.Sprintf("no replica has grown or joined for %s: %s", round(idle), describeHolds(holds))}
}

func (r *run) stallHold(m Moving, l *look, idle time.Duration) Hold {
	p := l.partition(m.Key())
	h := hold(m.Key(), noBroker, "see the logs of its brokers; the throttle may be below what is produced", "its copy does not go on")
	switch {
	case p != nil && p.Leader == state.NoLeader:
		h = hold(m.Key(), noBroker, "bring back a broker that has it", "it has no leader to copy from")
	case p != nil:
		for _, b := range m.After {
			if state.Contains(p.ISR, b) {
				continue
			}
			h = hold(m.Key(), b, "see the broker's log; the throttle may be below what is produced", "broker %d does not catch up", b)
			if !l.alive[b] {
				h = hold(m.Key(), b, "start the broker: the move then goes on by itself", "broker %d is down", b)
				break
			}
		}
	}
	h.Gate, h.Seconds = "stall", idle.Seconds()
	return h
}

// keepThrottles reads our throttles again. What somebody has changed is put
// back once; then the run stops, since somebody means it.
func (r *run) keepThrottles(b *batch, l *look) error {
	if len(r.mem.throttles) == 0 {
		return nil
	}
	watched, now, err := r.watchedThrottles(b, l)
	if err != nil {
		return err
	}
	var changed []Throttled
	for _, t := range watched {
		cur, exists := now[t.key()]
		if !exists || equalText(cur, t.latest()) {
			continue
		}
		if b.putBack[t.key()] {
			return stopf("%s of %s was changed by somebody else twice: the moves in flight go on without what this run has set", t.Name, describeResource(t.resource()))
		}
		b.putBack[t.key()] = true
		changed = append(changed, t)
	}
	if len(changed) == 0 {
		return nil
	}
	r.emit(Event{Kind: EventWarning, Throttles: changesOf(changed, (Throttled).latest),
		Message: fmt.Sprintf("%s changed by somebody else in mid-move; put back once", plural(len(changed), "throttle value was", "throttle values were"))})
	return r.putThrottles(changed)
}

// watchedThrottles are the batch's throttles of ours, and their present values.
func (r *run) watchedThrottles(b *batch, l *look) ([]Throttled, map[throttleKey]*string, error) {
	used := r.usedThrottles(b.moves)
	var watched []Throttled
	var keys []throttleKey
	for _, t := range r.mem.sortedThrottles() {
		if used[t.key()] && (t.Type != state.BrokerResource || l.alive[t.key().broker()]) {
			watched = append(watched, t)
			keys = append(keys, t.key())
		}
	}
	now, err := r.answered(keys)
	return watched, now, err
}
