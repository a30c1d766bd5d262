package planner

import (
	"fmt"
	"strconv"
	"strings"

	"ballast/config"
	"ballast/planner/placement"
	"ballast/state"
)

// Explanation tells why a partition's replicas are where a plan puts them.
type Explanation struct {
	Topic     string              `json:"topic"`
	Partition int32               `json:"partition"`
	Before    []state.BrokerID    `json:"before"` // empty for a new partition
	After     []state.BrokerID    `json:"after"`
	Reasons   []Reason            `json:"reasons"` // of a partition that changes
	Rules     []string            `json:"rules"`   // in force for it, in words
	Replicas  []ExplainedReplica  `json:"replicas"`
	Failed    []config.Diagnostic `json:"failed,omitempty"` // why nothing is planned for the topic
}

// ExplainedReplica is one replica and every other broker that it could be on.
type ExplainedReplica struct {
	Broker state.BrokerID `json:"broker"`
	Rack   string         `json:"rack,omitempty"`
	Kept   bool           `json:"kept"` // it was there before
	Why    string         `json:"why"`
	Others []Alternative  `json:"others"`
}

// Alternative is a broker that a replica could be on instead.
type Alternative struct {
	Broker  state.BrokerID `json:"broker"`
	Rack    string         `json:"rack,omitempty"`
	Allowed bool           `json:"allowed"` // no rule forbids it
	Copies  int            `json:"copies"`  // more than planned; -1 where it would be one less
	Bytes   *int64         `json:"bytes,omitempty"`
	Verdict string         `json:"verdict"` // the rule against it, or what it would cost
}

// ParsePartition reads topic.NAME[PARTITION], as -explain takes it.
func ParsePartition(arg string) (topic string, partition int32, err error) {
	name, ok := strings.CutPrefix(arg, "topic.")
	name, number, bracket := strings.Cut(name, "[")
	digits, closed := strings.CutSuffix(number, "]")
	n, bad := strconv.ParseInt(digits, 10, 32)
	if !ok || !bracket || !closed || bad != nil || n < 0 || name == "" {
		return "", 0, fmt.Errorf("%q is not a partition: write topic.NAME[PARTITION], such as topic.orders[0]", arg)
	}
	return name, int32(n), nil
}

// Explain plans, and tells of one partition why each replica is where it is:
// the rule, or what every other broker would have cost.
func Explain(d *config.Desired, s *state.Snapshot, o Options, topic string, partition int32) (*Explanation, error) {
	m := prepare(d, s, o)
	if !m.usable() {
		return nil, fmt.Errorf("nothing can be planned, so there is nothing to explain")
	}
	m.work()
	t := m.byName[topic]
	if t == nil || t.problem == nil || int(partition) >= len(t.problem.Partitions) {
		return nil, fmt.Errorf("there is no partition %s-%d, neither in the cluster nor in the configuration", topic, partition)
	}
	return m.explain(t, partition), nil
}

func (m *maker) explain(t *subject, partition int32) *Explanation {
	e := &Explanation{Topic: t.name, Partition: partition, Before: []state.BrokerID{}, Reasons: []Reason{}, Rules: m.rulesOf(t, partition), Replicas: []ExplainedReplica{}}
	if t.live != nil && int(partition) < len(t.live.Partitions) {
		e.Before = t.live.Partitions[partition].Target()
	}
	if !t.planned() {
		e.After, e.Failed = e.Before, t.blame
		return e
	}
	e.After = m.after(t, int(partition))
	if t.change != nil {
		for i := range t.change.Assignments {
			if a := &t.change.Assignments[i]; a.Partition == partition {
				e.Reasons = a.Reasons
			}
		}
	}
	w := m.weighing(t, e)
	for i := range e.After {
		e.Replicas = append(e.Replicas, w.replica(i))
	}
	return e
}

// rulesOf are the rules that a partition is under, in words.
func (m *maker) rulesOf(t *subject, partition int32) []string {
	p := &t.problem.Partitions[partition]
	switch {
	case !t.planned() && t.role == left:
		return []string{"nobody declares the topic, and it is left as it is"}
	case !t.planned():
		return []string{"the topic is left as it is"}
	case p.Pin != nil:
		return []string{"pinned to this list"}
	case p.Frozen:
		return []string{"left as it is until the rack of a dead broker is known, or because nothing of it drains"}
	}
	rules := []string{fmt.Sprintf("%d %s on eligible brokers %s", p.RF, replicas(int(p.RF)), join(m.net.toIDs(t.problem.Eligible)))}
	if lo, hi := m.boundsOf(t, p); lo != nil {
		for r, name := range m.net.racks {
			rules = append(rules, fmt.Sprintf("rack %s: %d to %d", quoted(name), lo[r], hi[r]))
		}
	}
	if t.problem.LeaderRequired {
		rules = append(rules, "led from where leaders says: "+join(m.net.toIDs(m.listed(t.problem))))
	}
	if t.want != nil && t.want.Replicas.Balance != "" && t.want.Replicas.Balance != config.BalanceKeep {
		rules = append(rules, fmt.Sprintf("replicas balanced by %s", t.want.Replicas.Balance))
	}
	return rules
}

// boundsOf are how many replicas of a partition each rack has to hold at least
// and at most, by rack index; nil where racks do not matter to it.
func (m *maker) boundsOf(t *subject, p *placement.Partition) (lo, hi []int) {
	if p.Bounds == nil {
		if t.problem.Spread == placement.SpreadNone {
			return nil, nil
		}
		return m.rackBounds(t, int(p.RF))
	}
	for _, b := range p.Bounds {
		lo, hi = append(lo, int(b.Lo)), append(hi, int(b.Hi))
	}
	return lo, hi
}

// listed are the eligible brokers that a topic's leaders block names.
func (m *maker) listed(t *placement.Topic) (out []int16) {
	for _, b := range t.Eligible {
		if t.LeaderRank[b] < t.NumLeaderRanks {
			out = append(out, b)
		}
	}
	return out
}
