package planner

import (
	"fmt"
	"math"
	"strconv"
)

// retentionKeys are the limits beyond which Kafka deletes records.
var retentionKeys = []string{"retention.ms", "retention.bytes", "local.retention.ms", "local.retention.bytes"}

// riskRetention: a lower limit deletes what is beyond it, for good.
func riskRetention(m *maker, t *subject, r *riskList) {
	if t.change.Action != Update {
		return
	}
	for _, key := range retentionKeys {
		c := t.change.changed(key)
		if c == nil {
			continue
		}
		was, is := m.effect(c)
		if limit(is) < limit(was) {
			r.add("retention_lowered", fmt.Sprintf("%s falls from %s to %s%s: records beyond it are deleted.", key, was, is, presumed(c)))
		}
	}
}

// limit is a retention limit as a number; -1 is none. (-2, of local retention,
// is that of the topic as a whole, which is no lower.)
func limit(v string) int64 {
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || n < 0 {
		return math.MaxInt64
	}
	return n
}

// presumed says that the value after is Kafka's own default, not one read.
func presumed(c *ConfigChange) string {
	if c.After == nil {
		return " (Kafka's default; the cluster's own is not known)"
	}
	return ""
}
