package allocation

import (
	"ballast/planner"
	"ballast/state"
)

// tally is what brokers hold.
type tally map[state.BrokerID]Load

func (t tally) add(list []state.BrokerID, sign int) {
	for i, b := range list {
		l := t[b]
		l.Replicas += sign
		if i == 0 {
			l.Leaders += sign
		}
		t[b] = l
	}
}

// topicLoads is what brokers hold of the topic with the lists added and the
// changes of existing partitions made.
func (m *maker) topicLoads(lists [][]state.BrokerID, changes []planner.Assignment) tally {
	t := tally{}
	if m.live != nil {
		for i := range m.live.Partitions {
			t.add(m.live.Partitions[i].Target(), 1)
		}
	}
	for _, list := range lists {
		t.add(list, 1)
	}
	for _, a := range changes {
		t.add(a.Before, -1)
		t.add(a.After, 1)
	}
	return t
}

// loads tells of each broker what it holds of the topic either way.
func (m *maker) loads() {
	kafka, ours := m.topicLoads(m.kafka, nil), m.topicLoads(nil, m.changes)
	for i := range m.doc.Brokers {
		b := &m.doc.Brokers[i]
		b.Kafka, b.Ballast = kafka[b.ID], ours[b.ID]
	}
}

func (m *maker) figures() {
	if m.doc.Refused == "" {
		m.doc.Kafka = m.sideOf(m.topicLoads(m.kafka, nil), m.kafka)
	}
	if len(m.changes) > 0 {
		var lists [][]state.BrokerID
		for _, r := range m.doc.Rows {
			lists = append(lists, r.Ballast)
		}
		m.doc.Ballast = m.sideOf(m.topicLoads(nil, m.changes), lists)
	}
}

// sideOf are all figures of one placement.
func (m *maker) sideOf(topic tally, lists [][]state.BrokerID) *Figures {
	f := m.figuresOf(topic)
	f.UnevenRacks = m.unevenRacks(lists)
	others := tally{}
	for i := range m.Snapshot.Topics {
		if t := &m.Snapshot.Topics[i]; t != m.live {
			for j := range t.Partitions {
				others.add(t.Partitions[j].Target(), 1)
			}
		}
	}
	if len(others) > 0 {
		for b, l := range topic {
			others[b] = Load{others[b].Replicas + l.Replicas, others[b].Leaders + l.Leaders}
		}
		all := m.figuresOf(others)
		f.AllReplicas, f.AllLeaders = &all.Replicas, &all.Leaders
	}
	return f
}

// figuresOf are the figures that follow from what brokers hold.
func (m *maker) figuresOf(t tally) *Figures {
	f := &Figures{}
	weights, replicas, first := 0, 0, true
	for _, b := range m.doc.Brokers {
		l := t[b.ID]
		switch {
		case b.Eligible:
			weights, replicas = weights+b.Weight, replicas+l.Replicas
			if first {
				f.Replicas, f.Leaders, first = Span{l.Replicas, l.Replicas}, Span{l.Leaders, l.Leaders}, false
			}
			f.Replicas, f.Leaders = f.Replicas.with(l.Replicas), f.Leaders.with(l.Leaders)
			if l.Replicas == 0 {
				f.Unused++
			}
		case !b.Alive:
			f.Dead += l.Replicas
		case b.Drain:
			f.Draining += l.Replicas
		default:
			f.Outside += l.Replicas
		}
	}
	for _, b := range m.doc.Brokers {
		if b.Eligible {
			share := float64(replicas) * float64(b.Weight) / float64(weights)
			f.AboveShare = max(f.AboveShare, float64(t[b.ID].Replicas)-share)
		}
	}
	return f
}

// unevenRacks counts the partitions of which a rack with eligible brokers holds
// fewer than floor(RF/racks) or more than ceil(RF/racks); nil where not every
// eligible broker has a rack.
func (m *maker) unevenRacks(lists [][]state.BrokerID) *int {
	rack, racks := map[state.BrokerID]string{}, map[string]bool{}
	for _, b := range m.doc.Brokers {
		rack[b.ID] = b.Rack
		if b.Eligible && b.Rack == "" {
			return nil
		}
		if b.Eligible {
			racks[b.Rack] = true
		}
	}
	if len(racks) == 0 {
		return nil
	}
	n := 0
	for _, list := range lists {
		if !evenOver(list, rack, racks) {
			n++
		}
	}
	return &n
}

func evenOver(list []state.BrokerID, rack map[state.BrokerID]string, racks map[string]bool) bool {
	held := map[string]int{}
	for _, b := range list {
		held[rack[b]]++
	}
	least, most := len(list)/len(racks), (len(list)+len(racks)-1)/len(racks)
	for r := range racks {
		if held[r] < least || held[r] > most {
			return false
		}
	}
	return true
}
