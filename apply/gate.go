package apply

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"ballast/state"
)

// scene is what the gates of one batch look at.
type scene struct {
	look     *look
	batch    []Moving                // to be submitted, or in flight, by this batch
	brokers  map[state.BrokerID]bool // the batch's: of lists before and after
	inBatch  map[state.TopicPartition]Moving
	before   map[state.TopicPartition]int  // post-gates: live in-sync replicas before the batch
	urp      map[state.TopicPartition]bool // post-gates: under-replicated before the batch
	disks    map[state.BrokerID][]state.LogDir
	arriving map[state.BrokerID]int64      // bytes that the batch brings, where sizes are known
	putOff   map[state.TopicPartition]bool // by this batch: no reason for others to wait
	run      *run
}

// gate looks at a scene and says what holds it shut.
type gate struct {
	name  string
	check func(*scene) []Hold
}

// preGates are looked at before a batch is submitted.
var preGates = []gate{
	{"foreign_move", gateForeignMove},
	{"targets_alive", gateTargetsAlive},
	{"disk", gateDisk},
	{"offline", gateOffline},
	{"min_isr", gateMinISR},
	{"under_replicated", gateUnderReplicated},
}

// postGates are looked at once no move of the batch is in flight.
var postGates = []gate{
	{"reached", gateReached},
	{"in_sync", gateInSync},
	{"leader", gateLeader},
	{"under_replicated", gateUnderReplicatedAfter},
}

// holds runs gates over a scene, in their order.
func (s *scene) holds(gates []gate) []Hold {
	var out []Hold
	for _, g := range gates {
		for _, h := range g.check(s) {
			h.Gate = g.name
			out = append(out, h)
		}
	}
	return out
}

// hold is about a partition, and about a broker where that is not noBroker.
func hold(tp state.TopicPartition, broker state.BrokerID, do, why string, args ...any) Hold {
	return Hold{Topic: tp.Topic, Partition: tp.Partition, Broker: broker, Why: fmt.Sprintf(why, args...), Do: do}
}

// noBroker is the broker of a hold that is about none.
const noBroker state.BrokerID = -1

func (h Hold) String() string { return h.where() + ": " + h.Why }

// where is the partition, or else the broker, that a hold is about.
func (h Hold) where() string {
	if h.Topic != "" {
		return fmt.Sprintf("%s-%d", h.Topic, h.Partition)
	}
	return fmt.Sprintf("broker %d", h.Broker)
}

// key is what makes two holds of two looks the same one.
func (h Hold) key() string { return fmt.Sprintf("%s/%s/%d/%d", h.Gate, h.Topic, h.Partition, h.Broker) }

// waitOpen looks until check finds nothing that holds, up to the gate timeout.
// A gate that was not clean at once must be clean twice, gate_settle apart.
func (r *run) waitOpen(what string, check func() ([]Hold, error)) error {
	w := &gateWait{what: what, began: r.clock.Now(), since: map[string]time.Time{}}
	for wait := newBackoff(pollMaxWait); ; {
		holds, err := check()
		if err != nil {
			return err
		}
		now := r.clock.Now()
		open, err := r.judge(w, holds, now)
		if err != nil || open {
			return err
		}
		if err := r.sleep(r.untilNext(wait.NextBackOff(), w.clean, now)); err != nil {
			return withHolds(err, w.holds)
		}
	}
}

// gateWait is one wait for a gate.
type gateWait struct {
	what  string
	began time.Time
	told  time.Time            // last
	clean time.Time            // since when nothing holds
	since map[string]time.Time // when each hold was seen first
	holds []Hold               // at the last look that found some
}

// judge says whether a gate is open after a look, or has been shut for too long.
func (r *run) judge(w *gateWait, holds []Hold, now time.Time) (open bool, err error) {
	if len(holds) == 0 {
		return r.judgeClean(w, now), nil
	}
	w.clean = time.Time{}
	w.holds = age(holds, w.since, now)
	waited := now.Sub(w.began)
	if waited >= r.set.gateTimeout {
		return false, &stopError{gate: true, holds: w.holds,
			reason: fmt.Sprintf("%s: held up for %s by %s", w.what, round(waited), describeHolds(w.holds))}
	}
	if w.told.IsZero() || now.Sub(w.told) >= gateTellEvery {
		w.told = now
		r.emit(Event{Kind: EventGateWaiting, Holds: w.holds, Waited: waited.Seconds(), Timeout: r.set.gateTimeout.Seconds(),
			Message: fmt.Sprintf("%s: waiting for %s", w.what, describeHolds(w.holds))})
	}
	return false, nil
}

func (r *run) judgeClean(w *gateWait, now time.Time) bool {
	if len(w.holds) == 0 {
		return true
	}
	if w.clean.IsZero() {
		w.clean = now
	}
	if now.Sub(w.clean) < r.set.settle {
		return false
	}
	r.emit(Event{Kind: EventGateOpen, Waited: now.Sub(w.began).Seconds(), Message: w.what + ": nothing holds it any more"})
	return true
}

// gateTellEvery is how often a shut gate is told again.
const gateTellEvery = 30 * time.Second

// untilNext waits no longer than the settling takes.
func (r *run) untilNext(d time.Duration, clean, now time.Time) time.Duration {
	if clean.IsZero() {
		return d
	}
	return max(min(d, r.set.settle-now.Sub(clean)), time.Millisecond)
}

// age says of each hold for how long it has been there.
func age(holds []Hold, since map[string]time.Time, now time.Time) []Hold {
	for i := range holds {
		k := holds[i].key()
		if since[k].IsZero() {
			since[k] = now
		}
		holds[i].Seconds = now.Sub(since[k]).Seconds()
	}
	return holds
}

func withHolds(err error, holds []Hold) error {
	if s, ok := err.(*stopError); ok && len(s.holds) == 0 {
		s.holds = holds
	}
	return err
}

// describeHolds says in one line what holds a gate: each reason once, with the
// first few places that it is so at.
func describeHolds(holds []Hold) string {
	const most, named = 2, 3
	places := map[string][]string{}
	var reasons []string
	for _, h := range holds {
		if places[h.Why] == nil {
			reasons = append(reasons, h.Why)
		}
		places[h.Why] = append(places[h.Why], h.where())
	}
	var parts []string
	for i, why := range reasons {
		if i == most {
			parts = append(parts, fmt.Sprintf("and %s", plural(len(reasons)-most, "more reason", "more reasons")))
			break
		}
		parts = append(parts, first(places[why], named)+": "+why)
	}
	return strings.Join(parts, "; ")
}

// first are the first n of a list, and how many more there are.
func first(list []string, n int) string {
	if len(list) <= n {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:n], ", "), len(list)-n)
}

func round(d time.Duration) time.Duration {
	if d < time.Second {
		return d.Round(time.Millisecond)
	}
	return d.Round(time.Second)
}

// outOfSync are the replicas that should be in sync and are not: those that
// are being added aside.
func outOfSync(p *state.Partition) []state.BrokerID {
	return without(without(p.Replicas, p.Adding), p.ISR)
}

// batchBrokers are the brokers of the lists before and after.
func batchBrokers(batch []Moving) map[state.BrokerID]bool {
	out := map[state.BrokerID]bool{}
	for _, m := range batch {
		for _, b := range m.Before {
			out[b] = true
		}
		for _, b := range m.After {
			out[b] = true
		}
	}
	return out
}

func sortedIDs(set map[state.BrokerID]bool) []state.BrokerID {
	out := make([]state.BrokerID, 0, len(set))
	for b := range set {
		out = append(out, b)
	}
	sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })
	return out
}

// addsRedundancy says whether a move leaves more replicas alive than there are.
func addsRedundancy(m Moving, alive map[state.BrokerID]bool) bool {
	return countAlive(m.After, alive) > countAlive(m.Before, alive)
}

func countAlive(list []state.BrokerID, alive map[state.BrokerID]bool) int {
	n := 0
	for _, b := range list {
		if alive[b] {
			n++
		}
	}
	return n
}
