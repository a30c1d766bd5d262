package planner

import (
	"fmt"

	"ballast/config"
)

// checkDeclared reports, before anything is placed, what of a declaration
// cannot be planned. A topic with an error is left as it is.
func (m *maker) checkDeclared() {
	var rackless []*subject
	m.checkNames()
	for _, t := range m.subjects {
		if t.role != declared && t.role != placed {
			continue
		}
		m.checkCounts(t)
		m.checkReadable(t)
		m.checkKeys(t)
		m.checkMinISR(t)
		m.checkPins(t)
		if _, ok := m.spread(t.want, m.eligible(t.want)); !ok && !t.failed && !m.pinned(t) {
			rackless = append(rackless, t)
		}
	}
	m.failRackless(rackless)
}

// reject reports an error of a topic, for which nothing is planned then.
func (m *maker) reject(t *subject, code string, at config.Source, summary, detail string) {
	t.failed = true
	m.fail(code, t.name, at, summary, detail)
	t.blame = append(t.blame, m.diags[len(m.diags)-1])
}

// atOnce is how many partitions Kafka creates or adds in one request.
const atOnce = 10_000

// checkCounts: partitions can only grow, and a new topic has to say how many.
func (m *maker) checkCounts(t *subject) {
	switch {
	case t.live == nil && t.want.Partitions <= 0:
		m.reject(t, "partitions_missing", t.want.Source, fmt.Sprintf("Topic %q is new and says nothing of its partitions", t.name),
			"A topic that exists keeps the number that it has; a new one needs partitions = N.")
	case t.live == nil && t.want.ReplicationFactor <= 0:
		m.reject(t, "replication_factor_missing", t.want.Source, fmt.Sprintf("Topic %q is new and says nothing of its replication factor", t.name),
			"A topic that exists keeps what it has; a new one needs replication_factor = N, here or in defaults.")
	case t.want.Partitions-len(orEmpty(t.live).Partitions) > atOnce:
		m.reject(t, "partitions_too_many", t.want.At("partitions"), fmt.Sprintf("Topic %q would get %d partitions at once", t.name, t.want.Partitions-len(orEmpty(t.live).Partitions)),
			fmt.Sprintf("Kafka creates at most %d in one request. Declare fewer, apply, and grow the topic then.", atOnce))
	case t.live != nil && t.want.Partitions > 0 && t.want.Partitions < len(t.live.Partitions):
		m.reject(t, "partitions_lowered", t.want.At("partitions"), fmt.Sprintf("Topic %q has %d partitions, %d are declared", t.name, len(t.live.Partitions), t.want.Partitions),
			fmt.Sprintf("Kafka cannot take partitions away. Declare partitions = %d or more; to have fewer, create another topic and move the data there.", len(t.live.Partitions)))
	}
}
