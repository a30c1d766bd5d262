package planner

import (
	"fmt"

	"ballast/config"
	"ballast/planner/placement"
)

// restriction is something that a topic's replicas have to keep to, and how to
// leave it out.
type restriction struct {
	name      string
	attribute string // of the topic, that declares it; "" where none does
	drop      func(*supposed)
}

// supposed is a topic and its brokers as if some restrictions were not there.
type supposed struct {
	want    *config.Topic
	brokers []placement.Broker
	anyRack bool // of a drained topic: racks may hold more or fewer than they do
}

// restrictions are those that a topic is under, in the order in which they are
// tried. Pins are none: they were checked before anything is placed.
func (m *maker) restrictions(t *subject) []restriction {
	if t.want == nil {
		return append(m.brokerRestrictions(), m.drainedRestrictions()...)
	}
	return append(append(placeRestrictions(t.want), m.brokerRestrictions()...), m.spreadRestrictions(t.want)...)
}

// placeRestrictions say where replicas and leaders may be.
func placeRestrictions(w *config.Topic) (out []restriction) {
	declared := func(there bool, attribute, what string, drop func(*config.Topic)) {
		if there {
			out = append(out, restriction{attribute + what, attribute, func(s *supposed) { drop(s.want) }})
		}
	}
	r := &w.Replicas
	declared(w.Leaders.Required, "leaders.required", "", func(w *config.Topic) { w.Leaders.Required = false })
	declared(r.Class != "", "replicas.class", " = "+quoted(r.Class), func(w *config.Topic) { w.Replicas.Class = "" })
	declared(r.Brokers != nil, "replicas.brokers", fmt.Sprintf(" (%d)", len(r.Brokers)), func(w *config.Topic) { w.Replicas.Brokers = nil })
	declared(r.Racks != nil, "replicas.racks", fmt.Sprintf(" (%d)", len(r.Racks)), func(w *config.Topic) { w.Replicas.Racks = nil })
	return out
}

// brokerRestrictions are that brokers drain, and that they are dead. One that is
// both counts as both: either keeps new replicas away.
func (m *maker) brokerRestrictions() (out []restriction) {
	drains, dead := 0, 0
	for _, b := range m.net.broker {
		if b.Drains {
			drains++
		}
		if !b.Alive {
			dead++
		}
	}
	each := func(n int, what string, drop func(*placement.Broker)) {
		if n > 0 {
			out = append(out, restriction{fmt.Sprintf("%d %s %s", n, what, brokerWord(n)), "", func(s *supposed) {
				for b := range s.brokers {
					drop(&s.brokers[b])
				}
			}})
		}
	}
	each(drains, "draining", func(b *placement.Broker) { b.Drains = false })
	each(dead, "dead", func(b *placement.Broker) { b.Alive = true })
	return out
}

// spreadRestrictions are the rack rule.
func (m *maker) spreadRestrictions(w *config.Topic) []restriction {
	if rule, _ := m.spread(w, m.eligible(w)); rule == placement.SpreadNone {
		return nil
	}
	r := restriction{"the even spread over racks", "", func(s *supposed) {
		s.want.Replicas.PerRack, s.want.Replicas.RackSpread = nil, config.SpreadNone
	}}
	switch {
	case w.Replicas.PerRack != nil:
		r.name, r.attribute = "replicas.per_rack", "replicas.per_rack"
	case w.Replicas.RackSpread != "":
		r.name, r.attribute = "replicas.rack_spread = "+quoted(string(w.Replicas.RackSpread)), "replicas.rack_spread"
	}
	return []restriction{r}
}

// drainedRestrictions: a topic that nobody declared leaves draining brokers
// without more or fewer replicas in any rack than now.
func (m *maker) drainedRestrictions() []restriction {
	if rackless, _ := m.net.rackless(); len(rackless) > 0 {
		return nil
	}
	return []restriction{{"the present spread over racks", "", func(s *supposed) { s.anyRack = true }}}
}

// rulesKey is all of a topic's rules that decides which of them conflict.
func (m *maker) rulesKey(t *subject) string {
	if t.want == nil {
		return ""
	}
	r, leaders := &t.want.Replicas, config.Leaders{}
	if t.want.Leaders.Required {
		leaders = t.want.Leaders
	}
	return fmt.Sprintf(" %q %v %q %t %q %v %v", r.Class, r.Brokers, r.Racks, r.Racks == nil, r.RackSpread, r.PerRack, leaders)
}
