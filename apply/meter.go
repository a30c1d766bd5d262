package apply

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize"

	"ballast/state"
)

// meter measures how far a batch has come: the bytes that its added replicas
// hold against their leaders' size. The offset lag that brokers tell says
// nothing (it is 0 throughout).
type meter struct {
	began    time.Time
	total    int64 // bytes to arrive, of known sizes
	got      int64
	ended    int
	samples  []sample  // of the last rateWindow
	moved    time.Time // when something last arrived, joined or ended
	looked   time.Time // when sizes were last read
	joined   int
	arrived  map[replica]int64
	gap      map[state.TopicPartition]int64     // least bytes that were left
	gapAt    map[state.TopicPartition]time.Time // when it was reached
	told     map[state.TopicPartition]bool
	grown    growth                  // of the leaders, when it was last looked at
	outpaced map[state.BrokerID]bool // told that it has no room
}

type replica struct {
	state.TopicPartition
	broker state.BrokerID
}

type sample struct {
	at    time.Time
	bytes int64
}

const (
	rateWindow = 15 * time.Second // a throttle lets bytes through in bursts
	sizesEvery = 2 * time.Second
	slowStart  = 20 * time.Second // nothing may happen for so long after a large request
	neverEnds  = 30 * time.Minute // a gap that has not shrunk for so long is told
)

func (r *run) newMeter(b *batch, l *look) *meter {
	now := r.clock.Now()
	m := &meter{
		began: now, moved: now.Add(slowStart), arrived: map[replica]int64{},
		gap: map[state.TopicPartition]int64{}, gapAt: map[state.TopicPartition]time.Time{}, told: map[state.TopicPartition]bool{},
		outpaced: map[state.BrokerID]bool{},
	}
	if r.whole == nil {
		r.whole = r.meterPlan()
	}
	r.whole.begin(b.moves)
	for _, c := range r.copiesOf(b.moves, l) {
		if c.bytes > 0 {
			m.total += c.bytes * int64(len(without(c.After, c.Before)))
		}
	}
	return m
}

// read takes the sizes of the batch's replicas.
func (r *run) measure(b *batch, l *look) error {
	m := b.meter
	now := r.clock.Now()
	if !m.looked.IsZero() && now.Sub(m.looked) < sizesEvery {
		return nil
	}
	m.looked = now
	dirs, err := r.logDirs(sortedIDs(batchBrokers(b.moves)), l)
	if err != nil {
		return err
	}
	r.learnSizes(dirs, l)
	have := map[replica]int64{}
	for _, d := range dirs {
		for _, rep := range d.Replicas {
			have[replica{rep.TopicPartition, d.Broker}] = rep.Bytes
		}
	}
	copies := r.copiesOf(b.moves, l)
	m.take(now, copies, have, l)
	r.tellOutpaced(b, copies)
	return nil
}

// take adds a reading up.
func (m *meter) take(now time.Time, copies []copyOf, have map[replica]int64, l *look) {
	m.got, m.total = 0, 0
	joined := 0
	for _, c := range copies {
		left := int64(0)
		for _, b := range without(c.After, c.Before) {
			key := replica{c.Key(), b}
			n := max(have[key], m.arrived[key]) // a broker that is down tells nothing
			if n > m.arrived[key] {
				m.arrived[key], m.moved = n, later(m.moved, now)
			}
			if p := l.partition(c.Key()); p != nil && state.Contains(p.ISR, b) {
				joined++
				n = max(n, c.bytes)
			}
			size := max(c.bytes, n)
			m.total += size
			m.got += min(n, size)
			left += size - min(n, size)
		}
		m.takeGap(c.Key(), left, now)
	}
	if joined > m.joined {
		m.moved = later(m.moved, now)
	}
	m.joined = joined
	m.samples = append(m.samples, sample{now, m.got})
	for len(m.samples) > 2 && now.Sub(m.samples[1].at) >= rateWindow {
		m.samples = m.samples[1:]
	}
}

func (m *meter) takeGap(tp state.TopicPartition, left int64, now time.Time) {
	if least, ok := m.gap[tp]; !ok || left < least {
		m.gap[tp], m.gapAt[tp] = left, now
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// rate is bytes per second over the window, or -1 while it is too short.
func (m *meter) rate() float64 {
	if len(m.samples) < 2 {
		return -1
	}
	a, b := m.samples[0], m.samples[len(m.samples)-1]
	if d := b.at.Sub(a.at).Seconds(); d > 0 && b.bytes >= a.bytes {
		return float64(b.bytes-a.bytes) / d
	}
	return -1
}

// progress tells how far the batch is.
func (r *run) progress(b *batch, ended int) {
	m := b.meter
	planDone, planBytes := r.whole.progress(r.copied, m)
	p := Progress{
		Moves: len(b.moves), MovesDone: ended, Bytes: m.total, BytesDone: m.got, Rate: max(m.rate(), 0), Left: -1,
		PlanBytes: planBytes, PlanDone: planDone, Elapsed: r.elapsed(),
	}
	if p.Rate > 0 {
		p.Left = float64(m.total-m.got) / p.Rate
	}
	r.emit(Event{Kind: EventProgress, Progress: &p, Message: fmt.Sprintf("%d of %s done, %s of %s copied, %s/s",
		ended, plural(len(b.moves), "move", "moves"), humanize.Bytes(uint64(m.got)), humanize.Bytes(uint64(m.total)), humanize.Bytes(uint64(p.Rate)))})
}

// tellNeverEnding warns of partitions whose gap does not shrink.
func (r *run) tellNeverEnding(b *batch) {
	now := r.clock.Now()
	for _, mv := range b.moves {
		tp := mv.Key()
		at, ok := b.meter.gapAt[tp]
		if !ok || b.meter.gap[tp] == 0 || b.meter.told[tp] || now.Sub(at) < neverEnds {
			continue
		}
		b.meter.told[tp] = true
		r.emit(Event{Kind: EventWarning, Topic: tp.Topic, Partitions: []state.TopicPartition{tp},
			Message: fmt.Sprintf("%s is not converging: %s have been left for %s; more is produced than the throttle lets through", tp, humanize.Bytes(uint64(b.meter.gap[tp])), round(now.Sub(at)))})
	}
}
