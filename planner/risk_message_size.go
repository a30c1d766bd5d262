package planner

import "fmt"

// riskMessageSize: producers of larger batches are refused.
func riskMessageSize(m *maker, t *subject, r *riskList) {
	c := t.change.changed("max.message.bytes")
	if c == nil || t.change.Action != Update {
		return
	}
	if was, is := m.effect(c); limit(is) < limit(was) {
		r.add("max_message_bytes_lowered", fmt.Sprintf("max.message.bytes falls from %s to %s: larger batches are refused.", was, is))
	}
}
