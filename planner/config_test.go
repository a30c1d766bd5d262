package planner_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

// changed is a topic's config changes in short: "key before(source) -> after(source)".
func changedConfigs(c planner.Change) string {
	var out []string
	for _, k := range c.Config {
		pins := ""
		if k.Pins {
			pins = " pins"
		}
		out = append(out, fmt.Sprintf("%s %s(%s) -> %s(%s)%s", k.Name, show(k.Before), k.BeforeSource, show(k.After), k.AfterSource, pins))
	}
	return strings.Join(out, "; ")
}

func TestATopicOwnsItsOverrides(t *testing.T) {
	live := with(topic("t", on(1)), "retention.ms", "1000", "segment.ms", "60000", "max.message.bytes", "5",
		"leader.replication.throttled.replicas", "0:1", "follower.replication.throttled.replicas", "*", "confluent.tier.enable", "true", "flush.ms", "9")
	other := topic("other", on(2))
	other.Config["segment.ms"] = state.ConfigValue{Value: "604800000", Source: state.SourceStatic}
	w := want("t", 1, 1, "max.message.bytes", "5", "cleanup.policy", "delete", "min.insync.replicas", "1")
	w.IgnoreConfig = []string{"flush.*"}
	p := planOf(desired(w), cluster(2, 0, other, live))
	noErrors(t, p)
	got := changedConfigs(change(t, p, "t"))
	wanted := "cleanup.policy delete(default) -> delete(topic) pins; min.insync.replicas 1(default) -> 1(topic) pins; " +
		"retention.ms 1000(topic) -> 604800000(default); segment.ms 60000(topic) -> 604800000(static)"
	if got != wanted {
		t.Errorf("\n%s\n%s", got, wanted)
	}
	over := p.Bound.Overrides["t"]
	if len(over) != 3 || over["retention.ms"] != "1000" || over["flush.ms"] != "" {
		t.Errorf("bound to %v", over)
	}
}

// What a topic declares is not somebody else's, even where ignore_config
// matches it: neither on a live topic nor on a new one.
func TestADeclaredConfigIsSetWhereIgnoreConfigMatchesIt(t *testing.T) {
	live := want("live", 1, 2, "retention.ms", "7", "min.insync.replicas", "2")
	fresh := want("new", 1, 2, "retention.ms", "7", "min.insync.replicas", "2")
	live.IgnoreConfig, fresh.IgnoreConfig = []string{"*"}, []string{"*"}
	p := planOf(desired(live, fresh), cluster(2, 0, with(topic("live", on(1, 2)), "retention.ms", "9", "segment.ms", "60000")))
	noErrors(t, p)
	if got := changedConfigs(change(t, p, "live")); got != "min.insync.replicas 1(default) -> 2(topic); retention.ms 9(topic) -> 7(topic)" {
		t.Error(got)
	}
	if got := len(change(t, p, "new").Config); got != 2 {
		t.Errorf("a new topic is created with %d configs, not 2", got)
	}
}

// A new topic's override with the value that it would inherit pins it, as far
// as the cluster shows what that is.
func TestANewTopicPinsWhatItWouldInherit(t *testing.T) {
	other := topic("other", on(1))
	other.Config["segment.ms"] = state.ConfigValue{Value: "1000", Source: state.SourceCluster}
	p := planOf(desired(want("new", 1, 1, "segment.ms", "1000", "retention.ms", "5", "flush.ms", "9223372036854775807")), cluster(1, 0, other))
	noErrors(t, p)
	if got := changedConfigs(change(t, p, "new")); got != "flush.ms null() -> 9223372036854775807(topic); retention.ms null() -> 5(topic); segment.ms null() -> 1000(topic) pins" {
		t.Error(got)
	}
}

func TestAResetWhoseInheritedValueNobodyShowsSaysSo(t *testing.T) {
	p := planOf(desired(want("t", 1, 1)), cluster(1, 0, with(topic("t", on(1)), "retention.ms", "-1")))
	c := change(t, p, "t")
	if got := changedConfigs(c); got != "retention.ms -1(topic) -> null(default)" {
		t.Error(got)
	}
	if !strings.Contains(c.Risks[0].Message, "Kafka's default") || c.Risks[0].Code != "retention_lowered" {
		t.Errorf("%+v", c.Risks)
	}
	if after := p.Steps[0].Config[0].After; after != nil {
		t.Error("a reset does not delete the override")
	}
}

func TestConfigsThatCouldNotBeReadAreNotEmpty(t *testing.T) {
	live := topic("t", on(1))
	live.Config = nil
	s := cluster(2, 0, live)
	s.Unread = []state.Unread{{What: "topic_config", Name: "t", Reason: "TOPIC_AUTHORIZATION_FAILED: needs DescribeConfigs on the topic"}}
	p := planOf(desired(want("t", 2, 1, "retention.ms", "1000")), s)
	unchanged(t, p, "t")
	d := diagnostic(t, p, "config_unreadable")
	if d.Severity != config.SeverityError || d.Topic != "t" || !strings.Contains(d.Detail, "DescribeConfigs") {
		t.Errorf("%+v", d)
	}
	p = planOf(desired(want("t", 2, 1)), s)
	noErrors(t, p)
	if d := diagnostic(t, p, "config_unreadable"); d.Severity != config.SeverityWarning || p.Summary.PartitionsAdded != 1 {
		t.Errorf("%+v", d)
	}
}

func TestAKeyThatTheBrokersDoNotKnowIsAnErrorOnALiveCluster(t *testing.T) {
	live := topic("t", on(1))
	for _, k := range config.KnownKeys() {
		if _, ok := live.Config[k]; !ok {
			live.Config[k] = state.ConfigValue{Value: "", Source: state.SourceDefault}
		}
	}
	d := desired(want("t", 1, 1, "retention.hours", "1"))
	p := planner.Make(d, cluster(1, 0, live), planner.Options{})
	if got := diagnostic(t, p, "config_key_unknown"); got.Severity != config.SeverityError || !strings.Contains(got.Detail, "retention.ms") {
		t.Errorf("%+v", got)
	}
	unchanged(t, p, "t")
	noErrors(t, planOf(d, cluster(1, 0, live)))
	noErrors(t, planner.Make(d, cluster(1, 0), planner.Options{}))
	diagnostic(t, planner.Make(d, cluster(1, 0), planner.Options{TopicKeys: config.KnownKeys()}), "config_key_unknown")
}

// The warning that Kafka has no such config says no more than the error, which
// knows the brokers; offline it is all there is.
func TestAKeyThatTheBrokersDoNotKnowIsToldOnce(t *testing.T) {
	dir := t.TempDir()
	text := "topic \"t\" {\n partitions = 1\n replication_factor = 1\n config = {\n  \"retention.hours\" = 1\n  \"segment.hours\" = 2\n }\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "main.hcl"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	l := config.Load(dir, config.Options{})
	count := func(o planner.Options) map[string]int {
		o.ConfigDiagnostics = l.Diagnostics
		n := map[string]int{}
		for _, d := range planner.Make(l.Desired, cluster(1, 0), o).Diagnostics {
			n[d.Code]++
		}
		return n
	}
	if n := count(planner.Options{TopicKeys: append(config.KnownKeys(), "segment.hours")}); n["config_key_unknown"] != 1 || n["unknown_config_key"] != 1 {
		t.Errorf("live: %v", n)
	}
	if n := count(planner.Options{SnapshotFile: "s.json"}); n["config_key_unknown"] != 0 || n["unknown_config_key"] != 2 {
		t.Errorf("offline: %v", n)
	}
}

func TestFewerCopiesThanMinISRAreRefusedWhereverItComesFrom(t *testing.T) {
	live := topic("t", on(1, 2, 3))
	live.Config["min.insync.replicas"] = state.ConfigValue{Value: "2", Source: state.SourceCluster}
	p := planOf(desired(want("t", 1, 1)), cluster(3, 0, live))
	d := diagnostic(t, p, "rf_below_min_isr")
	if d.Line != 7 || !strings.Contains(d.Detail, "min_insync_replicas") {
		t.Errorf("%+v", d)
	}
	unchanged(t, p, "t")
	noErrors(t, planOf(desired(want("t", 1, 1, "min.insync.replicas", "1")), cluster(3, 0, live)))
}

func TestRisks(t *testing.T) {
	tests := []struct {
		name string
		live state.Topic
		want config.Topic
		risk string
	}{
		{"keys", topic("t", on(1)), keyed(want("t", 2, 1)), "keys_remapped"},
		{"no keys", topic("t", on(1)), want("t", 2, 1), ""},
		{"compacted", with(topic("t", on(1)), "cleanup.policy", "compact"), want("t", 2, 1, "cleanup.policy", "compact"), "keys_remapped"},
		{"retention", topic("t", on(1)), want("t", 1, 1, "retention.ms", "5"), "retention_lowered"},
		{"retention raised", topic("t", on(1)), want("t", 1, 1, "retention.ms", "-1"), ""},
		{"compaction", topic("t", on(1)), want("t", 1, 1, "cleanup.policy", "compact"), "cleanup_policy_compact"},
		{"deletion", with(topic("t", on(1)), "cleanup.policy", "compact"), want("t", 1, 1, "cleanup.policy", "delete"), "cleanup_policy_delete"},
		{"unclean", topic("t", on(1)), want("t", 1, 1, "unclean.leader.election.enable", "true"), "unclean_leader_election"},
		{"min ISR is RF", topic("t", on(1, 2)), want("t", 1, 2, "min.insync.replicas", "2"), "min_isr_equals_rf"},
		{"min ISR lowered", with(topic("t", on(1, 2, 3)), "min.insync.replicas", "2"), want("t", 1, 3, "min.insync.replicas", "1"), "min_isr_lowered"},
		{"one copy", topic("t", on(1, 2)), want("t", 1, 1), "redundancy_lowered"},
		{"messages", topic("t", on(1)), want("t", 1, 1, "max.message.bytes", "10"), "max_message_bytes_lowered"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := planOf(desired(test.want), cluster(3, 0, test.live))
			noErrors(t, p)
			if got := riskCodes(change(t, p, "t")); got != test.risk {
				t.Errorf("%q, want %q", got, test.risk)
			}
		})
	}
}

func keyed(t config.Topic) config.Topic {
	t.Keyed = true
	return t
}

func TestFewerRacksThanBeforeAreARisk(t *testing.T) {
	w := want("t", 1, 2)
	w.Replicas.RackSpread = config.SpreadNone
	w.Replicas.Racks = []string{"a"}
	p := planOf(desired(w), cluster(4, 2, topic("t", on(1, 2))))
	noErrors(t, p)
	if got := riskCodes(change(t, p, "t")); got != "rack_diversity_lowered" {
		t.Error(got)
	}
}

func TestAMoveThatKeepsADeadReplicaMayNotComplete(t *testing.T) {
	s := cluster(4, 0, topic("t", on(1, 4)))
	s.Brokers[3].Alive = false
	s.Topics[0].Partitions[0].ISR = on(1)
	p := planOf(desired(want("t", 1, 3)), s)
	noErrors(t, p)
	if got := riskCodes(change(t, p, "t")); got != "may_not_complete" {
		t.Error(got)
	}
	diagnostic(t, p, "dead_replica_stays")
}

func TestWithoutALeaderThereIsNothingToCopyFrom(t *testing.T) {
	s := cluster(2, 0, topic("t", on(2)))
	s.Brokers[1].Alive = false
	s.Topics[0].Partitions[0].ISR, s.Topics[0].Partitions[0].Leader = nil, state.NoLeader
	p := planOf(drain(desired(want("t", 1, 1)), 2), s)
	noErrors(t, p)
	if got := riskCodes(change(t, p, "t")); got != "no_leader" {
		t.Error(got)
	}
}
