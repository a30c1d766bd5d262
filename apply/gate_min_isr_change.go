package apply

import (
	"context"

	"ballast/planner"
	"ballast/state"
)

// passMinISRGate waits before a change of min.insync.replicas until no
// partition of the topic is under it or has eligible leader replicas, which
// the change would clear, and, where it rises, until every ISR bears it.
func (r *run) passMinISRGate(step planner.Step) error {
	after, changes := r.minISRAfter(step)
	if !changes {
		return nil
	}
	return r.waitOpen("before min.insync.replicas of "+step.Topic, func() ([]Hold, error) {
		l, err := r.lookWithELR(step.Topic)
		if err != nil {
			return nil, err
		}
		return r.minISRHolds(step.Topic, after, l), nil
	})
}

// lookWithELR looks at a topic. Eligible leader replicas are in snapshots
// alone, and only a replica that is out of sync can be one: a healthy topic
// costs no snapshot.
func (r *run) lookWithELR(topic string) (*look, error) {
	l, err := r.look([]string{topic})
	if err != nil {
		return nil, err
	}
	healthy := true
	l.each(func(_ state.TopicPartition, p *state.Partition) { healthy = healthy && len(outOfSync(p)) == 0 })
	if healthy {
		return l, nil
	}
	err = r.read("the eligible leader replicas", func(ctx context.Context) error {
		s, err := r.cluster.Snapshot(ctx)
		if err == nil {
			l.meta = s
		}
		return err
	})
	return l, err
}

// minISRAfter is what a step makes of min.insync.replicas: where it deletes the
// override, the inherited value that the plan tells, or 0.
func (r *run) minISRAfter(step planner.Step) (after int, changes bool) {
	for _, c := range step.Config {
		if c.Name != minISRConfig {
			continue
		}
		value := c.After
		if value == nil {
			value = r.inherited(step.Topic, c.Name)
		}
		if value != nil {
			after, _ = atoi(*value)
		}
		return after, true
	}
	return 0, false
}

// inherited is the value that the plan expects once an override is deleted.
func (r *run) inherited(topic, key string) *string {
	for i := range r.plan.Changes {
		if c := &r.plan.Changes[i]; c.Topic == topic {
			for _, k := range c.Config {
				if k.Name == key {
					return k.After
				}
			}
		}
	}
	return nil
}

func (r *run) minISRHolds(topic string, after int, l *look) []Hold {
	before, known := r.minISR[topic]
	t := l.meta.Topic(topic)
	if t == nil {
		return nil
	}
	var out []Hold
	for i := range t.Partitions {
		p := &t.Partitions[i]
		tp := state.TopicPartition{Topic: topic, Partition: p.ID}
		h := Hold{}
		switch {
		case r.base.offline[tp] || r.base.under[tp] && after < before:
			continue // it has been so from the beginning: lowering may be its cure
		case after > before && l.target(tp) != nil:
			h = hold(tp, noBroker, "let that move end, or take it back with `ballast cancel`",
				"a reassignment is in flight, to %s: min.insync.replicas is raised after it", listIDs(l.target(tp)))
		case len(p.ELR) > 0:
			h = hold(tp, p.ELR[0], "bring its brokers back", "it has eligible leader replicas %s, which the change would clear", listIDs(p.ELR))
		case known && underMinISR(p, before):
			h = hold(tp, noBroker, "bring its brokers back", "%d in-sync replicas, min.insync.replicas is %d", len(p.ISR), before)
		case len(p.ISR) < after:
			h = hold(tp, noBroker, "wait for its replicas, or bring their brokers back", "%d in-sync replicas do not bear min.insync.replicas = %d", len(p.ISR), after)
		default:
			continue
		}
		h.Gate = "min_isr_change"
		out = append(out, h)
	}
	return out
}
