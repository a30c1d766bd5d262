package planner

import (
	"fmt"
	"slices"
	"strings"

	"ballast/config"
	"ballast/planner/placement"
)

// restriction is something that a topic's replicas have to keep to, and how to
// leave it out.
type restriction struct {
	name string
	drop func(want *config.Topic, brokers []placement.Broker)
}

// restrictions are those that a topic is under, in the order in which they are
// tried without.
func (m *maker) restrictions(t *subject) (out []restriction) {
	onWant := func(there bool, name string, drop func(*config.Topic)) {
		if there {
			out = append(out, restriction{name, func(want *config.Topic, _ []placement.Broker) { drop(want) }})
		}
	}
	if w := t.want; w != nil {
		onWant(w.Leaders.Required, "leaders.required", func(w *config.Topic) { w.Leaders.Required = false })
		onWant(w.Replicas.Class != "", "replicas.class = "+quoted(w.Replicas.Class), func(w *config.Topic) { w.Replicas.Class = "" })
		onWant(w.Replicas.Brokers != nil, fmt.Sprintf("replicas.brokers (%d)", len(w.Replicas.Brokers)), func(w *config.Topic) { w.Replicas.Brokers = nil })
		onWant(w.Replicas.Racks != nil, fmt.Sprintf("replicas.racks (%d)", len(w.Replicas.Racks)), func(w *config.Topic) { w.Replicas.Racks = nil })
		onWant(w.Replicas.Pin != nil, "replicas.pin", func(w *config.Topic) { w.Replicas.Pin = nil })
	}
	out = append(out, m.brokerRestrictions()...)
	if w := t.want; w != nil {
		name := "the even spread over racks"
		switch {
		case w.Replicas.PerRack != nil:
			name = "replicas.per_rack"
		case w.Replicas.RackSpread != "":
			name = "replicas.rack_spread = " + quoted(string(w.Replicas.RackSpread))
		}
		spread, _ := m.spread(w, m.eligible(w))
		onWant(spread != placement.SpreadNone, name, func(w *config.Topic) {
			w.Replicas.PerRack, w.Replicas.RackSpread = nil, config.SpreadNone
		})
	}
	return out
}

// brokerRestrictions are that brokers drain, and that they are dead.
func (m *maker) brokerRestrictions() (out []restriction) {
	drains, dead := 0, 0
	for _, b := range m.net.broker {
		if b.Drains {
			drains++
		} else if !b.Alive {
			dead++
		}
	}
	if drains > 0 {
		out = append(out, restriction{fmt.Sprintf("%d draining %s", drains, brokerWord(drains)), func(_ *config.Topic, all []placement.Broker) {
			for b := range all {
				if all[b].Drains {
					all[b].Drains, all[b].Alive = false, true
				}
			}
		}})
	}
	if dead > 0 {
		out = append(out, restriction{fmt.Sprintf("%d dead %s", dead, brokerWord(dead)), func(_ *config.Topic, all []placement.Broker) {
			for b := range all {
				all[b].Alive = all[b].Alive || !all[b].Drains
			}
		}})
	}
	return out
}

// conflicting are the names of a smallest set of restrictions that cannot be kept
// to together: without any one of them the topic could be placed. None is left
// where its number of replicas is too much for the cluster by itself.
func (m *maker) conflicting(t *subject) []string {
	left := m.restrictions(t)
	for i := 0; i < len(left); {
		if without := slices.Delete(slices.Clone(left), i, i+1); m.conflicts(t, without) {
			left = without
		} else {
			i++
		}
	}
	var names []string
	for _, r := range left {
		names = append(names, r.name)
	}
	return names
}

// conflicts says whether a topic cannot be placed under these restrictions alone.
func (m *maker) conflicts(t *subject, kept []restriction) bool {
	own, net, subject := *m, *m.net, *t
	net.broker = slices.Clone(m.net.broker)
	own.net, own.waiting = &net, nil
	if t.want != nil {
		want := *t.want
		subject.want = &want
	}
	for _, r := range m.restrictions(t) {
		if !slices.ContainsFunc(kept, func(k restriction) bool { return k.name == r.name }) {
			r.drop(subject.want, net.broker)
		}
	}
	p := &placement.Problem{Brokers: net.broker, Racks: len(net.racks), Topics: []placement.Topic{own.pose(&subject)}}
	return placement.Conflict(p, 0) != nil
}

// conflictWords says which restrictions conflict with a number of replicas.
func (m *maker) conflictWords(t *subject, rf int) string {
	names := m.conflicting(t)
	replicas := fmt.Sprintf("%d replicas", rf)
	if rf == 1 {
		replicas = "1 replica"
	}
	switch len(names) {
	case 0:
		return ". " + replicas + " are more than this cluster can hold at all"
	case 1:
		return fmt.Sprintf(". %s cannot be had with %s; without that they could", replicas, names[0])
	}
	last := len(names) - 1
	return fmt.Sprintf(". %s cannot be had with %s and %s together; without any one of these they could", replicas, strings.Join(names[:last], ", "), names[last])
}
