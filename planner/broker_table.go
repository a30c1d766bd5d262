package planner

import (
	"ballast/state"
)

// loads is what each broker holds, by index.
type loads struct {
	n  *network
	at []Load
}

func newLoads(n *network) *loads { return &loads{n, make([]Load, len(n.ids))} }

// add counts a partition's list, sign times; -1 takes it away.
func (l *loads) add(list []state.BrokerID, size state.Size, sign int) {
	for i, b := range list {
		at := &l.at[l.n.index[b]]
		at.Replicas += sign
		if size.Known {
			at.Bytes += int64(sign) * size.Bytes
		}
		if i == 0 {
			at.Leaders += sign
		}
	}
}

// brokerTable compares brokers before, at the worst moment of the steps, and after.
func (m *maker) brokerTable() {
	before, after := newLoads(m.net), newLoads(m.net)
	for i := range m.s.Topics {
		t := &m.s.Topics[i]
		for j := range t.Partitions {
			before.add(t.Partitions[j].Target(), t.Partitions[j].Size, 1)
		}
	}
	copy(after.at, before.at)
	for i := range m.plan.Changes {
		m.changeLoad(&m.plan.Changes[i], after)
	}
	peak := m.peak(before)
	for i, id := range m.net.ids {
		m.plan.Brokers = append(m.plan.Brokers, Broker{ID: id, Rack: m.net.rack(id), Before: before.at[i], Peak: peak[i], After: after.at[i]})
	}
}

func (m *maker) changeLoad(c *Change, l *loads) {
	t := m.byName[c.Topic].live
	if c.Action == Delete {
		for i := range t.Partitions {
			l.add(t.Partitions[i].Target(), t.Partitions[i].Size, -1)
		}
		return
	}
	for i := range c.Assignments {
		a := &c.Assignments[i]
		size := m.sizeOf(c.Topic, a.Partition)
		l.add(a.Before, size, -1)
		l.add(a.After, size, 1)
	}
}

// sizeOf is the size of a partition's replica; that of a new one is 0.
func (m *maker) sizeOf(topic string, partition int32) state.Size {
	t := m.byName[topic].live
	if t == nil || int(partition) >= len(t.Partitions) {
		return state.KnownSize(0)
	}
	return t.Partitions[partition].Size
}

// peak is the most that each broker holds at any moment of the steps: during a
// move both the replicas that come and those that go.
func (m *maker) peak(before *loads) []Load {
	now := &loads{m.net, append([]Load(nil), before.at...)}
	peak := append([]Load(nil), before.at...)
	for i := range m.plan.Steps {
		step := &m.plan.Steps[i]
		if step.Kind == DeleteTopic {
			m.changeLoad(m.byName[step.Topic].change, now)
			continue
		}
		if step.Kind == SetConfig || step.Kind == ElectLeaders {
			continue
		}
		for _, v := range step.Moves {
			size := m.sizeOf(v.Topic, v.Partition)
			now.arrive(v.Before, v.After, size)
		}
		raise(peak, now.at, m.net, step.Moves)
		for _, v := range step.Moves {
			now.leave(v.Before, v.After, m.sizeOf(v.Topic, v.Partition))
		}
		raise(peak, now.at, m.net, step.Moves)
	}
	return peak
}

// arrive adds the replicas of a move that come, leave takes those that go.
func (l *loads) arrive(was, is []state.BrokerID, size state.Size) {
	for _, b := range is {
		if !state.Contains(was, b) {
			l.replica(b, size, 1)
		}
	}
}

func (l *loads) leave(was, is []state.BrokerID, size state.Size) {
	for _, b := range was {
		if !state.Contains(is, b) {
			l.replica(b, size, -1)
		}
	}
	if len(was) > 0 {
		l.at[l.n.index[was[0]]].Leaders--
	}
	if len(is) > 0 {
		l.at[l.n.index[is[0]]].Leaders++
	}
}

func (l *loads) replica(b state.BrokerID, size state.Size, sign int) {
	at := &l.at[l.n.index[b]]
	at.Replicas += sign
	if size.Known {
		at.Bytes += int64(sign) * size.Bytes
	}
}

// raise lifts the peak of the brokers that moves touch to what they hold now.
func raise(peak, now []Load, n *network, moves []Move) {
	for _, v := range moves {
		for _, b := range v.After {
			i := n.index[b]
			peak[i].Replicas = max(peak[i].Replicas, now[i].Replicas)
			peak[i].Leaders = max(peak[i].Leaders, now[i].Leaders)
			peak[i].Bytes = max(peak[i].Bytes, now[i].Bytes)
		}
	}
}
