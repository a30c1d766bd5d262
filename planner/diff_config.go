package planner

import (
	"sort"

	"ballast/config"
	"ballast/state"
)

// configChanges are the overrides of a topic that change, by name. A topic
// block owns the whole set of its overrides: one that it does not declare is
// reset, those that belong to somebody else aside. One that it does declare is
// set, whatever ignore_config says.
func (m *maker) configChanges(t *subject) []ConfigChange {
	if t.role != declared || t.live != nil && t.live.Config == nil {
		return nil
	}
	var out []ConfigChange
	for key, value := range t.want.Config {
		if c, ok := setting(orEmpty(t.live), key, value); ok {
			c.Pins = c.Pins || t.live == nil && m.inheritsSame(key, value)
			out = append(out, c)
		}
	}
	for key, v := range orEmpty(t.live).Config {
		if _, ok := t.want.Config[key]; !ok && v.Source == state.SourceTopic && !foreign(key, t.want.IgnoreConfig) {
			out = append(out, m.reset(key, v.Value))
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// inheritsSame says whether the cluster shows that a new topic would have the
// value by itself.
func (m *maker) inheritsSame(key, value string) bool {
	v, known := m.inherits.value(key)
	return known && config.SameValue(key, v.Value, value)
}

// setting is the change that sets a declared override, and whether one is needed.
func setting(live *state.Topic, key, value string) (ConfigChange, bool) {
	c := ConfigChange{Name: key, After: &value, AfterSource: state.SourceTopic}
	v, shown := live.Config[key]
	if !shown {
		return c, true
	}
	same := config.SameValue(key, v.Value, value)
	c.Before, c.BeforeSource = &v.Value, v.Source
	c.Pins = same && v.Source != state.SourceTopic
	return c, !same || v.Source != state.SourceTopic
}

// reset is the change that takes an override away.
func (m *maker) reset(key, value string) ConfigChange {
	c := ConfigChange{Name: key, Before: &value, BeforeSource: state.SourceTopic, AfterSource: state.SourceDefault}
	if v, ok := m.inherits.value(key); ok {
		c.After, c.AfterSource = &v.Value, v.Source
	}
	return c
}

// effect is what a config change does: the value that holds before and after,
// by Kafka's own default where the cluster does not show it.
func (m *maker) effect(c *ConfigChange) (was, is string) {
	presumed, _ := m.inherits.presumed(c.Name)
	was, is = presumed, presumed
	if c.Before != nil {
		was = *c.Before
	}
	if c.After != nil {
		is = *c.After
	}
	return was, is
}
