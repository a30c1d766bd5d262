package main

import (
	"slices"

	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

func (j *judged) checkDocument() {
	if j.plan.Errored != (j.exit == exitError) {
		j.Errorf("errored is %v and the exit status %d", j.plan.Errored, j.exit)
	}
	if config.HasErrors(j.plan.Diagnostics) != j.plan.Errored {
		j.Error("errored does not agree with the diagnostics")
	}
	if j.exit != exitError && (j.exit == exitChanges) != (len(j.plan.Changes) > 0) {
		j.Errorf("exit %d with %d changes", j.exit, len(j.plan.Changes))
	}
}

func (j *judged) checkChanges() {
	seen := map[string]bool{}
	for _, c := range j.plan.Changes {
		if seen[c.Topic] {
			j.Errorf("%s is listed twice", c.Topic)
		}
		seen[c.Topic] = true
		live := j.before.Topic(c.Topic)
		if (c.Action == planner.Create) == (live != nil) {
			j.Errorf("%s: action %s, exists: %v", c.Topic, c.Action, live != nil)
		}
		if c.Action == planner.Update && len(c.Assignments) == 0 && len(c.Config) == 0 {
			j.Errorf("%s: an update that changes nothing", c.Topic)
		}
		if c.Action != planner.Delete {
			j.checkAssignments(c, live)
		}
	}
}

func (j *judged) checkAssignments(c planner.Change, live *state.Topic) {
	n := int32(0)
	if live != nil {
		n = int32(len(live.Partitions))
	}
	last, next := int32(-1), n
	for _, a := range c.Assignments {
		if a.Partition <= last {
			j.Errorf("%s: partitions are not in order", c.Topic)
		}
		last = a.Partition
		if len(a.Before) == 0 {
			if a.Partition != next {
				j.Errorf("%s: new partition %d, the next is %d", c.Topic, a.Partition, next)
			}
			next++
			continue
		}
		if a.Partition >= n {
			j.Errorf("%s-%d has a before and does not exist", c.Topic, a.Partition)
			continue
		}
		j.checkAssignment(c.Topic, a, &live.Partitions[a.Partition])
	}
	if c.Partitions != nil && c.Partitions.After != int(next) {
		j.Errorf("%s: partitions.after is %d, the assignments make %d", c.Topic, c.Partitions.After, next)
	}
}

func (j *judged) checkAssignment(topic string, a planner.Assignment, p *state.Partition) {
	tp := show(state.TopicPartition{Topic: topic, Partition: a.Partition})
	if unique := slices.Compact(slices.Sorted(slices.Values(a.After))); len(unique) != len(a.After) || len(unique) == 0 {
		j.Errorf("%s: %v is empty or repeats a broker", tp, a.After)
		return
	}
	for _, b := range added(a) {
		if !alive(j.before, b) {
			j.Errorf("%s: a copy onto broker %d, which is not alive", tp, b)
		}
	}
	if !slices.Equal(a.Before, p.Target()) {
		j.Errorf("%s: before is %v, the snapshot says %v", tp, a.Before, p.Target())
	}
	lead := a.After[0]
	if l := living(j.before, a.After); len(l) > 0 {
		lead = l[0]
	}
	if a.LeaderAfter != lead || a.LeaderBefore != p.Leader {
		j.Errorf("%s: leader %d -> %d, should be %d -> %d", tp, a.LeaderBefore, a.LeaderAfter, p.Leader, lead)
	}
	if slices.Equal(a.After, a.Before) && a.LeaderBefore == a.After[0] && !slices.Contains(a.Reasons, planner.ReasonInFlight) {
		j.Errorf("%s: listed and unchanged", tp)
	}
	j.checkBytes(tp, a, p)
}

func (j *judged) checkBytes(tp string, a planner.Assignment, p *state.Partition) {
	var got int64
	if a.Bytes != nil {
		got = *a.Bytes
	}
	want := p.Size.Bytes * int64(len(added(a)))
	switch {
	case p.Size.Known && got != want:
		j.Errorf("%s: bytes %d, should be %d", tp, got, want)
	case !p.Size.Known && len(added(a)) > 0 && a.Bytes != nil:
		j.Errorf("%s: bytes of a partition whose size is unknown", tp)
	}
}

func added(a planner.Assignment) (out brokers) {
	for _, b := range a.After {
		if !slices.Contains(a.Before, b) {
			out = append(out, b)
		}
	}
	return out
}

func removed(a planner.Assignment) (out brokers) {
	for _, b := range a.Before {
		if !slices.Contains(a.After, b) {
			out = append(out, b)
		}
	}
	return out
}

// counted is the summary that the changes make.
func (j *judged) counted() planner.Summary {
	var n planner.Summary
	for _, c := range j.plan.Changes {
		switch c.Action {
		case planner.Create:
			n.TopicsCreate++
		case planner.Update:
			n.TopicsUpdate++
			n.ConfigsChanged += len(c.Config)
		case planner.Delete:
			n.TopicsDelete++
			continue
		}
		for _, a := range c.Assignments {
			count(&n, c.Action, a)
		}
	}
	return n
}

func count(n *planner.Summary, action planner.Action, a planner.Assignment) {
	if a.Bytes != nil {
		n.BytesToCopy += *a.Bytes
	}
	if len(a.Before) == 0 {
		if action == planner.Update {
			n.PartitionsAdded++
		}
		return
	}
	n.ReplicasAdded += len(added(a))
	n.ReplicasRemoved += len(removed(a))
	if a.LeaderBefore != a.After[0] {
		n.LeadersMoved++
	}
}

func (j *judged) checkSummary() {
	want := j.counted()
	want.TopicsUnchanged, want.TopicsUnmanaged = j.plan.Summary.TopicsUnchanged, j.plan.Summary.TopicsUnmanaged
	if j.plan.Summary != want {
		j.Errorf("the summary is\n%+v, the changes make\n%+v", j.plan.Summary, want)
	}
	o := j.plan.Optimality.ReplicaCopies
	if o.Planned != want.ReplicasAdded || o.LowerBound > o.Planned {
		j.Errorf("optimality has %d copies of at least %d, the changes make %d", o.Planned, o.LowerBound, want.ReplicasAdded)
	}
}

func (j *judged) checkBrokers() {
	for _, t := range j.before.Topics {
		for i := range t.Partitions {
			if t.Partitions[i].InFlight() {
				return // the table may count a move at either end
			}
		}
	}
	before, after := replicasOn(layout(j.before)), replicasOn(layout(j.after))
	for _, b := range j.plan.Brokers {
		if b.Before.Replicas != before[b.ID] || b.After.Replicas != after[b.ID] {
			j.Errorf("broker %d: %d -> %d replicas, the changes make %d -> %d", b.ID, b.Before.Replicas, b.After.Replicas, before[b.ID], after[b.ID])
		}
	}
}

func replicasOn(l map[state.TopicPartition]brokers) map[state.BrokerID]int {
	n := map[state.BrokerID]int{}
	for _, list := range l {
		for _, b := range list {
			n[b]++
		}
	}
	return n
}
