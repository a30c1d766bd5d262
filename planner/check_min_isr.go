package planner

import (
	"fmt"
	"strconv"
	"strings"

	"ballast/state"
)

const minISR = "min.insync.replicas"

// checkMinISR: fewer copies than min.insync.replicas would stop all producers
// that ask for acks=all. Kafka takes it without a word.
func (m *maker) checkMinISR(t *subject) {
	if t.failed || t.role != declared {
		return
	}
	rf, had := m.factor(t), maxFactor(t.live)
	minimum, from := m.minISRAfter(t)
	if rf == 0 || minimum <= rf {
		return
	}
	_, declares := t.want.Config[minISR]
	switch {
	case t.live != nil && rf < had:
		m.reject(t, "rf_below_min_isr", t.want.At("replication_factor"),
			fmt.Sprintf("Topic %q would have %d %s, and min.insync.replicas is %d (%s)", t.name, rf, replicas(rf), minimum, from),
			fmt.Sprintf("With fewer replicas than min.insync.replicas nobody could produce with acks=all. Declare min_insync_replicas = %d or less in the same change, or keep the replicas.", rf))
	case declares:
		m.reject(t, "rf_below_min_isr", t.want.At("config."+minISR),
			fmt.Sprintf("Topic %q has %d %s and declares min_insync_replicas = %d", t.name, rf, replicas(rf), minimum),
			"With fewer replicas than min.insync.replicas nobody could produce with acks=all. Lower it, or raise replication_factor.")
	}
}

func replicas(n int) string {
	if n == 1 {
		return "replica"
	}
	return "replicas"
}

// minISRAfter is the min.insync.replicas that a topic has after the plan and
// where it comes from; 0 where that is not known.
func (m *maker) minISRAfter(t *subject) (n int, from string) {
	if v, ok := t.want.Config[minISR]; ok {
		n, _ = strconv.Atoi(strings.TrimSpace(v))
		return n, "declared"
	}
	if t.live != nil && t.live.Config == nil {
		return 0, ""
	}
	if v, ok := override(orEmpty(t.live), minISR); ok && foreign(minISR, t.want.IgnoreConfig) {
		n, _ = strconv.Atoi(v)
		return n, "an override that ignore_config leaves alone"
	}
	v, _ := m.inherits.presumed(minISR)
	if t.live != nil {
		if own, ok := t.live.Config[minISR]; ok && own.Source != state.SourceTopic {
			v = own.Value
		}
	}
	n, _ = strconv.Atoi(v)
	return n, "inherited from the brokers"
}

func orEmpty(t *state.Topic) *state.Topic {
	if t == nil {
		return &state.Topic{}
	}
	return t
}

// counted is a number of replicas in words.
func counted(n int) string { return fmt.Sprintf("%d %s", n, replicas(n)) }
