package planner

import (
	"fmt"
	"strings"
)

// riskCleanupPolicy: what a policy did not delete before, it deletes now.
func riskCleanupPolicy(m *maker, t *subject, r *riskList) {
	c := t.change.changed("cleanup.policy")
	if c == nil || t.change.Action != Update {
		return
	}
	was, is := m.effect(c)
	if !strings.Contains(was, "compact") && strings.Contains(is, "compact") {
		r.add("cleanup_policy_compact", fmt.Sprintf("cleanup.policy changes from %s to %s: of each key only the latest record is kept, and records without a key are refused.", was, is))
	}
	if !strings.Contains(was, "delete") && strings.Contains(is, "delete") {
		r.add("cleanup_policy_delete", fmt.Sprintf("cleanup.policy changes from %s to %s: records beyond the retention are deleted, the latest of a key too.", was, is))
	}
}
