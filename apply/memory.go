package apply

import (
	"sort"
	"time"

	"ballast/state"
)

// memory is what a journal's records add up to. A run feeds it each record
// that it appends, so that what a run knows and what the next one would read
// are the same.
type memory struct {
	begin     *Begin
	last      RecordKind
	note      string                          // of the last stop
	moves     map[state.TopicPartition]Moving // submitted, and not known to have ended
	throttles map[throttleKey]Throttled       // asked for, and not known to be restored
	wrote     map[item]bool                   // what a write was recorded for
	pending   map[int64]Write                 // writes without an answer
	stepsDone map[int]bool                    // verified
	spent     time.Duration                   // by the runs before the present one
	since     time.Time                       // when the present run began
	until     time.Time                       // the last record
}

// throttleKey names a throttle value.
type throttleKey struct {
	typ  state.ResourceType
	of   string
	name string
}

func (t Throttled) key() throttleKey { return throttleKey{t.Type, t.Of, t.Name} }

func (t Throttled) resource() state.ConfigResource {
	return state.ConfigResource{Type: t.Type, Name: t.Of}
}

// latest is the value that we asked for last.
func (t Throttled) latest() *string {
	if len(t.Ours) == 0 {
		return nil
	}
	return &t.Ours[len(t.Ours)-1]
}

// item is a part of a plan, for counting.
type item struct {
	op        Op
	topic     string
	partition int32
}

func newMemory() *memory {
	return &memory{
		moves:     map[state.TopicPartition]Moving{},
		throttles: map[throttleKey]Throttled{},
		wrote:     map[item]bool{},
		pending:   map[int64]Write{},
		stepsDone: map[int]bool{},
	}
}

// remember folds records.
func remember(records []Record) *memory {
	m := newMemory()
	for _, r := range records {
		m.add(r)
	}
	return m
}

// noPlan is the plan of a journal that was begun by a cancel or an election.
const noPlan = "{}"

// unfinished says whether the journal speaks of an apply that has not ended.
func (m *memory) unfinished() bool {
	return m.begin != nil && m.last != RecordEnd && string(m.begin.Plan) != noPlan
}

// outstanding says whether something of ours may be left in the cluster.
func (m *memory) outstanding() bool { return len(m.moves) > 0 || len(m.throttles) > 0 }

func (m *memory) add(r Record) {
	m.last = r.Kind
	m.clock(r)
	switch r.Kind {
	case RecordBegin:
		m.addBegin(r.Begin)
	case RecordWrite:
		m.addWrite(r.Seq, *r.Write)
	case RecordAnswer:
		m.addAnswer(*r.Answer)
	case RecordMoved:
		for _, mv := range r.Moves {
			delete(m.moves, mv.Key())
		}
	case RecordStepDone:
		m.stepsDone[r.Step] = true
	case RecordStop:
		m.note = r.Note
	}
}

// clock adds up how long the runs of a plan were at work, by their records: the
// time between two runs is nobody's.
func (m *memory) clock(r Record) {
	if r.Kind == RecordResume {
		m.spent += m.until.Sub(m.since)
	}
	if r.Kind == RecordResume || r.Kind == RecordBegin {
		m.since = r.At
	}
	m.until = r.At
}

func (m *memory) addBegin(b *Begin) {
	m.begin = b
	for _, mv := range b.Moves {
		m.moves[mv.Key()] = mv
	}
	for _, t := range b.Throttles {
		m.throttles[t.key()] = t
	}
}

func (m *memory) addWrite(seq int64, w Write) {
	m.pending[seq] = w
	for _, topic := range w.Topics {
		m.wrote[item{w.Op, topic, 0}] = true
	}
	for _, tp := range w.Partitions {
		m.wrote[item{w.Op, tp.Topic, tp.Partition}] = true
	}
	switch w.Op {
	case OpReassign:
		for _, mv := range w.Moves {
			m.moves[mv.Key()] = mv
			m.wrote[item{OpReassign, mv.Topic, mv.Partition}] = true
		}
	case OpThrottle:
		for _, t := range w.Throttles {
			m.throttles[t.key()] = t
		}
	}
}

func (m *memory) addAnswer(a Answer) {
	w := m.pending[a.Write]
	delete(m.pending, a.Write)
	if w.Op == OpRestore && len(a.Errors) == 0 {
		for _, t := range w.Throttles {
			delete(m.throttles, t.key())
		}
	}
}

// sortedMoves lists the moves of ours by topic and partition.
func (m *memory) sortedMoves() []Moving {
	out := make([]Moving, 0, len(m.moves))
	for _, mv := range m.moves {
		out = append(out, mv)
	}
	sortMoves(out)
	return out
}

func sortMoves(moves []Moving) {
	sort.Slice(moves, func(i, j int) bool {
		a, b := moves[i], moves[j]
		return a.Topic < b.Topic || a.Topic == b.Topic && a.Partition < b.Partition
	})
}

// sortedThrottles lists the throttles of ours, brokers' before topics'.
func (m *memory) sortedThrottles() []Throttled {
	out := make([]Throttled, 0, len(m.throttles))
	for _, t := range m.throttles {
		out = append(out, t)
	}
	sortThrottles(out)
	return out
}

func sortThrottles(list []Throttled) {
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i].key(), list[j].key()
		switch {
		case a.typ != b.typ:
			return a.typ > b.typ
		case a.of != b.of:
			return len(a.of) < len(b.of) || len(a.of) == len(b.of) && a.of < b.of
		}
		return a.name < b.name
	})
}
