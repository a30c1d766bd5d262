package planner

import (
	"fmt"
	"strings"
)

// riskKeysRemapped: a producer's partitioner takes hash(key) modulo the number
// of partitions, so records of a key land elsewhere once there are more.
func riskKeysRemapped(m *maker, t *subject, r *riskList) {
	c := t.change
	if c.Action != Update || c.Partitions == nil || t.want == nil {
		return
	}
	compacted := strings.Contains(m.configAfter(t, "cleanup.policy"), "compact")
	if !t.want.Keyed && !compacted {
		return
	}
	message := fmt.Sprintf("Partitions grow from %d to %d: records of the same key go to other partitions than before, so their order is lost across the change, and consumers that keep state by partition see keys change hands.", c.Partitions.Before, c.Partitions.After)
	if compacted {
		message += " The topic is compacted: the latest value of such a key is kept in its old partition too."
	}
	r.add("keys_remapped", message)
}

// configAfter is the effective value of a config once the change is made, "" where it is unknown.
func (m *maker) configAfter(t *subject, key string) string {
	if c := t.change.changed(key); c != nil {
		_, is := m.effect(c)
		return is
	}
	if t.live != nil {
		if v, ok := t.live.Config[key]; ok {
			return v.Value
		}
		if t.live.Config == nil {
			return ""
		}
	}
	v, _ := m.inherits.presumed(key)
	return v
}

// configBefore is the effective value of a config now, "" where it is unknown.
func (m *maker) configBefore(t *subject, key string) string {
	if t.live == nil || t.live.Config == nil {
		return ""
	}
	if v, ok := t.live.Config[key]; ok {
		return v.Value
	}
	v, _ := m.inherits.presumed(key)
	return v
}
