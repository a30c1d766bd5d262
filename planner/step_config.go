package planner

import (
	"strconv"
	"strings"

	"ballast/state"
)

// sortConfig puts a config change where it does no harm: what destroys nothing
// at once, and before the moves, which may need it; min.insync.replicas raised
// once there are replicas to bear it; what makes data go at the end.
func (m *maker) sortConfig(w *work, t *subject, c *ConfigChange) {
	step := StepConfig{Name: c.Name}
	if c.BeforeSource == state.SourceTopic {
		step.Before = c.Before
	}
	if c.AfterSource == state.SourceTopic {
		step.After = c.After
	}
	was, is := m.effect(c)
	switch {
	case c.Name == minISR && atoi(is) > atoi(was):
		w.minISR = append(w.minISR, step)
	case makesDataGo(c, was, is):
		w.gone = append(w.gone, step)
	case c.Name == "unclean.leader.election.enable" && strings.EqualFold(is, "true"):
		w.late = append(w.late, step)
	default:
		w.early = append(w.early, step)
	}
}

// dataKeys are limits that, lowered, let Kafka delete records or tombstones
// earlier than before.
var dataKeys = map[string]bool{
	"retention.ms": true, "retention.bytes": true, "local.retention.ms": true, "local.retention.bytes": true,
	"delete.retention.ms": true, "min.compaction.lag.ms": true, "max.compaction.lag.ms": true,
}

// makesDataGo says whether a config change may delete records. Where the value
// after it is not known, it may.
func makesDataGo(c *ConfigChange, was, is string) bool {
	switch {
	case dataKeys[c.Name]:
		return c.After == nil || limit(is) < limit(was)
	case c.Name == "cleanup.policy":
		return true
	case c.Name == "remote.storage.enable" || c.Name == "remote.log.delete.on.disable":
		return !strings.EqualFold(was, is)
	}
	return false
}

// atoi is a whole number, 0 where the text is none.
func atoi(s string) int {
	n, _ := strconv.Atoi(strings.TrimSpace(s))
	return n
}
