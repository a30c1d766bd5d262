package status

import (
	"ballast/apply"
	"ballast/state"
)

// Make is the document of a report.
func Make(tool string, r *apply.Report) *Document {
	return &Document{
		Format: Format, Version: Version, Tool: tool, ClusterID: r.ClusterID, TakenAt: r.TakenAt,
		Unfinished: r.Unfinished, Note: r.Note, Journal: r.Journal, JournalError: r.JournalError, Holder: holderOf(r.Holder),
		Moves: each(r.Moves, moveOf), Throttles: each(r.Throttles, func(t apply.ThrottleStatus) Throttle { return Throttle(t) }),
		Offline: listOf(r.Offline), UnderMinISR: listOf(r.UnderMinISR), AtMinISR: listOf(r.AtMinISR),
		UnderReplicated: listOf(r.UnderReplicated), NotPreferredLed: listOf(r.NotPreferred),
		Brokers: each(r.Brokers, brokerOf), Unread: each(r.Unread, func(u state.Unread) Unread { return Unread(u) }),
	}
}

// each is a list with every item as documents have it, never nil.
func each[From, To any](list []From, as func(From) To) []To {
	out := make([]To, 0, len(list))
	for _, x := range list {
		out = append(out, as(x))
	}
	return out
}

func listOf[T any](list []T) []T { return each(list, func(x T) T { return x }) }

func holderOf(h *apply.Holder) *Holder {
	if h == nil {
		return nil
	}
	out := &Holder{Verb: h.Verb, User: h.Who, Host: h.Host, PID: h.PID}
	if !h.Since.IsZero() {
		out.Since = &h.Since
	}
	return out
}

func moveOf(m apply.MoveStatus) Move {
	return Move{Topic: m.Topic, Partition: m.Partition, Target: listOf(m.Target), Adding: listOf(m.Adding), Removing: listOf(m.Removing),
		Ours: m.Ours, Copies: each(m.Copies, func(c apply.CopyStatus) Copy { return Copy(c) })}
}

func brokerOf(b apply.BrokerStatus) Broker {
	return Broker{ID: b.ID, Rack: b.Rack, Alive: b.Alive, Replicas: b.Replicas, Leaders: b.Leaders, Bytes: b.Bytes, LogDirs: each(b.LogDirs, logDirOf)}
}

func logDirOf(d state.LogDir) LogDir {
	return LogDir{Path: d.Path, TotalBytes: known(d.Total), UsableBytes: known(d.Usable), Offline: d.Offline}
}

func known(s state.Size) *int64 {
	if !s.Known {
		return nil
	}
	return &s.Bytes
}
