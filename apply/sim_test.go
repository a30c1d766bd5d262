package apply

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"ballast/state"
)

// sim is a cluster in memory whose time is driven by the run that sleeps on
// it. Moves take bytes / rate of that time and obey throttles; brokers die and
// come back; any write can be killed before or after it takes effect, lose its
// answer, or be refused. It keeps a list of what apply must never do.
type sim struct {
	mu      sync.Mutex
	t       testing.TB
	now     time.Time
	brokers map[brokerID]*simBroker
	topics  map[string]*simTopic

	fast       float64                       // bytes per second without a throttle
	configLag  time.Duration                 // until a config that was accepted is shown
	mustLimit  bool                          // adding replicas of ours must always be throttled
	voters     []brokerID                    // of the metadata quorum
	secret     error                         // in place of the voters
	others     map[state.TopicPartition]bool // moves that apply did not begin
	writes     []simWrite
	fault      func(n int, op string) simFault // of the n-th write, from 1
	dead       bool                            // killed: nothing answers any more
	tick       func()                          // called as time passes
	violations []string
	submitted  map[string]int // "topic-0>[1 2]" -> how often it was submitted by apply
}

type simBroker struct {
	rack   string
	alive  bool
	usable int64
	config map[string]*simValue
}

// simValue is a config; before shownAt, readers still see the one before.
type simValue struct {
	value   *string
	before  *string
	shownAt time.Time
}

type simTopic struct {
	parts  []*simPart
	config map[string]*simValue
}

type simPart struct {
	replicas, isr, adding, removing, original []brokerID
	leader                                    brokerID
	size                                      float64
	got                                       map[brokerID]float64
	earliest, latest                          int64
	elr                                       []brokerID
}

type simWrite struct {
	op    string
	items []string
}

// simFault is what happens to a write.
type simFault struct {
	killBefore, killAfter, lost bool
	code                        *state.Error // of every item, nothing is done
}

var (
	errKilled = errors.New("the process was killed")
	errLost   = errors.New("i/o timeout")
)

// newSim makes a cluster of brokers 1 to n over racks.
func newSim(t testing.TB, n, racks int) *sim {
	s := &sim{
		t: t, now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), brokers: map[brokerID]*simBroker{}, topics: map[string]*simTopic{},
		fast: 200e6, others: map[state.TopicPartition]bool{}, submitted: map[string]int{},
	}
	for i := 1; i <= n; i++ {
		s.brokers[brokerID(i)] = &simBroker{rack: fmt.Sprintf("r%d", (i-1)%racks+1), alive: true, usable: 1e15, config: map[string]*simValue{}}
	}
	return s
}

// topic adds a topic; every partition holds size bytes.
func (s *sim) topic(name string, size float64, lists ...[]brokerID) *simTopic {
	t := &simTopic{config: map[string]*simValue{}}
	for _, l := range lists {
		t.parts = append(t.parts, newSimPart(l, size))
	}
	s.topics[name] = t
	return t
}

func newSimPart(list []brokerID, size float64) *simPart {
	p := &simPart{replicas: list, isr: append([]brokerID(nil), list...), leader: list[0], size: size, got: map[brokerID]float64{}}
	if size > 0 {
		p.latest = int64(size / 1000)
	}
	return p
}

// Now is the simulated time.
func (s *sim) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// Sleep lets time pass, in slices, and moves bytes meanwhile.
func (s *sim) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for d > 0 {
		slice := min(d, 100*time.Millisecond)
		d -= slice
		s.mu.Lock()
		s.now = s.now.Add(slice)
		s.advance(slice.Seconds())
		tick := s.tick
		s.mu.Unlock()
		if tick != nil {
			tick()
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// advance copies for some seconds.
func (s *sim) advance(secs float64) {
	copying := map[brokerID]int{}
	s.eachCopy(func(_ state.TopicPartition, _ *simPart, b brokerID) { copying[b]++ })
	s.eachCopy(func(tp state.TopicPartition, p *simPart, b brokerID) {
		rate := s.fast
		if limit, ok := s.limitOf(tp, b); ok {
			rate = min(rate, limit)
		} else if s.mustLimit && !s.others[tp] {
			s.violate("%s is copied to broker %d without a throttle", tp, b)
		}
		p.got[b] += rate * secs / float64(copying[b])
		if p.got[b] >= p.size {
			p.isr = append(p.isr, b)
		}
	})
	for _, name := range s.names() {
		for id, p := range s.topics[name].parts {
			s.settle(state.TopicPartition{Topic: name, Partition: int32(id)}, p)
		}
	}
}

func (s *sim) eachCopy(visit func(state.TopicPartition, *simPart, brokerID)) {
	for _, name := range s.names() {
		for id, p := range s.topics[name].parts {
			for _, b := range p.adding {
				if s.brokers[b].alive && p.leader >= 0 && !state.Contains(p.isr, b) {
					visit(state.TopicPartition{Topic: name, Partition: int32(id)}, p, b)
				}
			}
		}
	}
}

// limitOf is the follower's or the leader's throttle, if one holds the copy.
func (s *sim) limitOf(tp state.TopicPartition, b brokerID) (float64, bool) {
	if !s.listed(tp, followerList, b) {
		return 0, false
	}
	v := s.shown(s.brokers[b].config[followerRate])
	if v == nil {
		return 0, false
	}
	n, _ := strconv.ParseFloat(*v, 64)
	return n, true
}

func (s *sim) listed(tp state.TopicPartition, name string, b brokerID) bool {
	v := s.shown(s.topics[tp.Topic].config[name])
	if v == nil {
		return false
	}
	for _, e := range strings.Split(*v, ",") {
		if e == "*" || e == fmt.Sprintf("%d:%d", tp.Partition, b) {
			return true
		}
	}
	return false
}

func (s *sim) shown(v *simValue) *string {
	if v == nil {
		return nil
	}
	if s.now.Before(v.shownAt) {
		return v.before
	}
	return v.value
}

// settle ends a move whose adding replicas are in sync, and elects a leader
// where the present one is gone.
func (s *sim) settle(tp state.TopicPartition, p *simPart) {
	if p.inFlight() && len(without(p.adding, p.isr)) == 0 && s.canShrink(p) {
		p.replicas = p.target()
		p.isr = keep(p.isr, p.replicas)
		p.adding, p.removing, p.got = nil, nil, map[brokerID]float64{}
	}
	for _, b := range append([]brokerID(nil), p.isr...) {
		if !s.brokers[b].alive && len(p.isr) > 1 {
			p.isr = without(p.isr, []brokerID{b})
		}
	}
	for _, b := range without(without(p.replicas, p.adding), p.isr) {
		if s.brokers[b].alive && p.leader >= 0 {
			p.isr = append(p.isr, b)
		}
	}
	if p.leader >= 0 && s.brokers[p.leader].alive && state.Contains(p.isr, p.leader) {
		return
	}
	p.leader = state.NoLeader
	for _, b := range append(append([]brokerID(nil), p.target()...), p.isr...) {
		if state.Contains(p.isr, b) && s.brokers[b].alive {
			p.leader = b
			return
		}
	}
}

// canShrink: where the replication factor falls, all targets must be in sync.
func (s *sim) canShrink(p *simPart) bool {
	return len(p.adding) > 0 || len(without(p.target(), p.isr)) == 0
}

func (p *simPart) inFlight() bool { return len(p.adding)+len(p.removing) > 0 }

func (p *simPart) target() []brokerID { return without(p.replicas, p.removing) }

func keep(list, in []brokerID) []brokerID {
	var out []brokerID
	for _, b := range list {
		if state.Contains(in, b) {
			out = append(out, b)
		}
	}
	return out
}

func (s *sim) names() []string {
	out := make([]string, 0, len(s.topics))
	for n := range s.topics {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}

func (s *sim) ids() []brokerID {
	out := make([]brokerID, 0, len(s.brokers))
	for b := range s.brokers {
		out = append(out, b)
	}
	sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })
	return out
}

func (s *sim) violate(format string, args ...any) {
	s.violations = append(s.violations, fmt.Sprintf(format, args...))
}

// kill makes everything fail from now on.
func (s *sim) kill(b brokerID)    { s.set(b, false) }
func (s *sim) restart(b brokerID) { s.set(b, true) }

func (s *sim) set(b brokerID, alive bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.brokers[b].alive = alive
	s.advance(0)
}

func (s *sim) setConfig(k throttleKey, v *string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.configsOf(state.ConfigResource{Type: k.typ, Name: k.of})[k.name] = &simValue{value: v}
}

func (s *sim) config(k throttleKey) *string {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.configsOf(state.ConfigResource{Type: k.typ, Name: k.of})
	if v := m[k.name]; v != nil {
		return v.value
	}
	return nil
}

func (s *sim) configsOf(res state.ConfigResource) map[string]*simValue {
	if res.Type == state.BrokerResource {
		n, _ := strconv.Atoi(res.Name)
		if b := s.brokers[brokerID(n)]; b != nil {
			return b.config
		}
		return nil
	}
	if t := s.topics[res.Name]; t != nil {
		return t.config
	}
	return nil
}
