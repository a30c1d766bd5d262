package allocation

import (
	"slices"

	"ballast/planner/placement"
	"ballast/state"
)

// place has Kafka's allocator place the partitions.
func (m *maker) place() {
	var err error
	if m.Allocator == Classic {
		m.doc.Start, m.doc.Shift = m.starts()
		m.kafka, err = m.classic(*m.doc.Start, *m.doc.Shift)
	} else {
		m.doc.Seed = &m.Seed
		m.kafka, err = m.striped(m.Seed)
	}
	if err != nil {
		m.doc.Refused = err.Error()
		return
	}
	m.draw()
}

// starts are the classic allocator's start index and shift. Kafka draws both for
// a new topic; for one that grows both are the index of the first broker whose id
// is at least that of partition 0's preferred leader (AdminZkClient.addPartitions).
func (m *maker) starts() (start, shift *int) {
	start = new(int)
	if m.live != nil {
		first := m.live.Partitions[0].Replicas
		at := slices.IndexFunc(m.seen(), func(b placement.KafkaBroker) bool { return len(first) > 0 && b.ID >= int32(first[0]) })
		*start = max(0, at)
	}
	if m.Start != nil {
		start = m.Start
	}
	if shift = start; m.Shift != nil {
		shift = m.Shift
	}
	return start, shift
}

// seen are the brokers that the classic allocator knows: the live ones, by id.
func (m *maker) seen() (out []placement.KafkaBroker) {
	for _, b := range m.doc.Brokers {
		if b.Alive {
			out = append(out, placement.KafkaBroker{ID: int32(b.ID), Rack: b.Rack})
		}
	}
	slices.SortFunc(out, func(a, b placement.KafkaBroker) int { return int(a.ID) - int(b.ID) })
	return out
}

func (m *maker) classic(start, shift int) ([][]state.BrokerID, error) {
	return brokerLists(placement.Classic{
		Brokers: m.seen(), Partitions: m.added(), RF: m.rf, Start: start, Shift: shift, First: m.doc.Existing,
	}.Place())
}

// striped places on all registered brokers: the dead ones are fenced.
func (m *maker) striped(seed int64) ([][]state.BrokerID, error) {
	p := placement.Striped{Partitions: m.added(), RF: m.rf, Seed: seed}
	for _, b := range m.doc.Brokers {
		p.Brokers = append(p.Brokers, placement.StripedBroker{KafkaBroker: placement.KafkaBroker{ID: int32(b.ID), Rack: b.Rack}, Fenced: !b.Alive})
	}
	return brokerLists(p.Place())
}

func (m *maker) added() int { return m.doc.InAll - m.doc.Existing }

func brokerLists(lists [][]int32, err error) (out [][]state.BrokerID, _ error) {
	for _, list := range lists {
		ids := make([]state.BrokerID, len(list))
		for i, b := range list {
			ids[i] = state.BrokerID(b)
		}
		out = append(out, ids)
	}
	return out, err
}

// draw tells what Kafka's other draws give. Of a classic topic that grows there
// are none: its start follows from partition 0.
func (m *maker) draw() {
	if m.Draws < 1 || m.Allocator == Classic && m.live != nil {
		return
	}
	d := &Draws{Count: m.Draws}
	for i := range m.Draws {
		lists, err := m.drawn(i)
		if err != nil {
			return
		}
		f := m.figuresOf(m.topicLoads(lists, nil))
		if i == 0 {
			d.MostReplicas, d.MostLeaders = Span{f.Replicas.Most, f.Replicas.Most}, Span{f.Leaders.Most, f.Leaders.Most}
		}
		d.MostReplicas, d.MostLeaders = d.MostReplicas.with(f.Replicas.Most), d.MostLeaders.with(f.Leaders.Most)
		if f.Leaders.Most-f.Leaders.Least < 2 {
			d.EvenLeaders++
		}
	}
	m.doc.Draws = d
}

// drawn is the i-th draw: of the seeds from the given one on, or of the starts
// and shifts, which Kafka draws independently of each other.
func (m *maker) drawn(i int) ([][]state.BrokerID, error) {
	if m.Allocator == Striped {
		return m.striped(m.Seed + int64(i))
	}
	n, at := uint64(len(m.seen())), placement.Mixed(uint64(i))
	return m.classic(int(at%n), int(at/n%n))
}

func (s Span) with(n int) Span { return Span{min(s.Least, n), max(s.Most, n)} }
