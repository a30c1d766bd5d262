package planner

import (
	"fmt"
	"slices"

	"ballast/config"
	"ballast/state"
)

// provedAgain is the largest number of replicas for which the proof makes the
// whole plan again from its end. Above that it compares the end with what was
// decided, which costs no second search.
const provedAgain = 60_000

// prove replays the steps of the plan. A plan that does not end where it should,
// or passes a state that is unsafe, is errored: that is a mistake of ballast's,
// and nobody's data shall pay for it.
func (m *maker) prove() {
	p := &proof{m: m, r: newReplay(m.s)}
	p.r.settle()
	for i := range m.plan.Steps {
		p.step(&m.plan.Steps[i])
	}
	p.unsafe()
	p.ended()
	p.rules()
	if len(p.found) == 0 && m.solution.Exhausted == "" && m.replicaCount() <= provedAgain {
		p.again()
	}
	for i, why := range p.found {
		if i == 5 {
			break
		}
		m.fail("internal_proof", why.topic, config.Source{}, "The plan fails its own proof: "+why.what,
			"This is a mistake in ballast, not in the configuration; nothing of this plan is carried out. Please report it with the configuration and the snapshot (ballast snapshot).")
	}
}

// proof is a replay of a plan that looks at every state on the way.
type proof struct {
	m     *maker
	r     *replay
	found []finding
	doubt []doubt
}

type finding struct{ topic, what string }

// doubt is a state on the way that is unsafe, unless the end is declared so.
type doubt struct {
	topic     string
	partition int32
	step      int
	sync, min int
}

func (p *proof) fail(topic, format string, args ...any) {
	p.found = append(p.found, finding{topic, fmt.Sprintf(format, args...)})
}

// step replays a step, and holds every partition that it touches against what
// it had before.
func (p *proof) step(s *Step) {
	switch s.Kind {
	case Reassign:
		p.moves(s)
	case SetConfig:
		p.raised(s)
	default:
		p.legal(s)
		p.r.apply(s)
	}
}

// moves: a partition that had a live leader keeps one, and one that had enough
// in-sync replicas keeps enough.
func (p *proof) moves(s *Step) {
	sync := make([]int, len(s.Moves))
	for i := range s.Moves {
		if part := p.r.partition(s.Moves[i]); part == nil {
			p.fail(s.Moves[i].Topic, "step %d moves a partition that does not exist", s.ID)
		} else {
			sync[i] = len(p.r.live(part.ISR))
			if !slices.Equal(part.Replicas, s.Moves[i].Before) {
				p.fail(s.Moves[i].Topic, "step %d moves partition %d from a list that it does not have", s.ID, part.ID)
			}
		}
	}
	p.r.apply(s)
	for i := range s.Moves {
		v := &s.Moves[i]
		if t := p.r.topic(v.Topic); t != nil && int(v.Partition) < len(t.Partitions) {
			p.compare(s, v, sync[i], len(t.Partitions[v.Partition].ISR), minISROf(t, p.r.inherits))
		}
	}
}

func (p *proof) compare(s *Step, v *Move, was, is, minimum int) {
	if was > 0 && is == 0 {
		p.fail(v.Topic, "step %d leaves partition %d without a live replica", s.ID, v.Partition)
	} else if was >= minimum && is < max(1, minimum) {
		p.doubt = append(p.doubt, doubt{v.Topic, v.Partition, s.ID, is, minimum})
	}
}

// raised: min.insync.replicas is only raised to what every partition bears.
func (p *proof) raised(s *Step) {
	t := p.r.topic(s.Topic)
	if t == nil {
		p.fail(s.Topic, "step %d configures a topic that does not exist", s.ID)
		return
	}
	was := minISROf(t, p.r.inherits)
	p.r.apply(s)
	t = p.r.topic(s.Topic)
	is := minISROf(t, p.r.inherits)
	for i := range t.Partitions {
		if n := len(p.r.live(t.Partitions[i].ISR)); is > was && n >= was && n < is {
			p.doubt = append(p.doubt, doubt{s.Topic, int32(i), s.ID, n, is})
		}
	}
}

// legal: topics are created once, and partitions added to those that exist.
func (p *proof) legal(s *Step) {
	t := p.r.topic(s.Topic)
	switch {
	case s.Kind == CreateTopic && t != nil:
		p.fail(s.Topic, "step %d creates a topic that exists", s.ID)
	case s.Kind == AddPartitions && (t == nil || len(s.Moves) == 0 || int(s.Moves[0].Partition) != len(t.Partitions)):
		p.fail(s.Topic, "step %d adds partitions that do not follow those that exist", s.ID)
	case s.Kind == DeleteTopic && t == nil:
		p.fail(s.Topic, "step %d deletes a topic that does not exist", s.ID)
	}
}

// unsafe reports the doubts that the declared end does not explain.
func (p *proof) unsafe() {
	for _, d := range p.doubt {
		t := p.r.topic(d.topic)
		if t != nil && int(d.partition) < len(t.Partitions) {
			end := len(p.r.live(t.Partitions[d.partition].ISR))
			if end < max(1, minISROf(t, p.r.inherits)) {
				continue
			}
		}
		p.fail(d.topic, "step %d leaves partition %d with %d in-sync replicas, min.insync.replicas is %d", d.step, d.partition, d.sync, d.min)
	}
}

// ended compares the end of the steps with what the changes say.
func (p *proof) ended() {
	for i := range p.m.plan.Changes {
		c := &p.m.plan.Changes[i]
		t := p.r.topic(c.Topic)
		switch {
		case c.Action == Delete && t != nil:
			p.fail(c.Topic, "the steps do not delete the topic")
		case c.Action != Delete && t == nil:
			p.fail(c.Topic, "the steps end without the topic")
		case t != nil:
			p.endedTopic(c, t)
		}
	}
}

func (p *proof) endedTopic(c *Change, t *state.Topic) {
	if c.Partitions != nil && len(t.Partitions) != c.Partitions.After {
		p.fail(c.Topic, "the steps end with %s, the change with %d", partitions(len(t.Partitions)), c.Partitions.After)
		return
	}
	for i := range c.Assignments {
		a := &c.Assignments[i]
		if int(a.Partition) >= len(t.Partitions) {
			p.fail(c.Topic, "the steps end without partition %d", a.Partition)
			continue
		}
		part := &t.Partitions[a.Partition]
		if !slices.Equal(part.Replicas, a.After) {
			p.fail(c.Topic, "the steps end with partition %d on %v, the change with %v", a.Partition, part.Replicas, a.After)
		}
		if p.r.alive[a.LeaderAfter] && a.LeaderAfter == a.After[0] && part.Leader != a.LeaderAfter {
			p.fail(c.Topic, "the steps leave partition %d led by %d, the change by %d", a.Partition, part.Leader, a.LeaderAfter)
		}
	}
	for i := range c.Config {
		p.endedConfig(c, &c.Config[i], t)
	}
}

func (p *proof) endedConfig(c *Change, k *ConfigChange, t *state.Topic) {
	v, has := override(t, k.Name)
	want := k.AfterSource == state.SourceTopic
	if has != want || want && (k.After == nil || *k.After != v) {
		p.fail(c.Topic, "the steps do not end with %s as the change has it", k.Name)
	}
}

// again plans from the end of the steps: nothing may be left to do.
func (p *proof) again() {
	o := p.m.o
	o.ConfigDiagnostics = nil
	second := prepare(p.m.d, p.r.snapshot(), o)
	second.inherits = p.m.inherits // an override may have hidden the only place that showed a value
	second.work()
	for i := range second.plan.Changes {
		c := &second.plan.Changes[i]
		p.fail(c.Topic, "planned again from its end, topic %q changes once more%s", c.Topic, firstChange(c))
	}
}

func firstChange(c *Change) string {
	if len(c.Config) > 0 {
		return " (" + c.Config[0].Name + ")"
	}
	if len(c.Assignments) > 0 {
		a := &c.Assignments[0]
		return fmt.Sprintf(" (partition %d from %v to %v)", a.Partition, a.Before, a.After)
	}
	return ""
}

func (m *maker) replicaCount() int {
	n := 0
	for i := range m.s.Topics {
		for j := range m.s.Topics[i].Partitions {
			n += len(m.s.Topics[i].Partitions[j].Replicas)
		}
	}
	return n
}
