package config

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ballast/state"
)

// cluster is a snapshot of six brokers in three racks.
func cluster(topics ...state.Topic) *state.Snapshot {
	s := &state.Snapshot{ClusterID: "lab", Topics: topics}
	for id := state.BrokerID(1); id <= 6; id++ {
		s.Brokers = append(s.Brokers, state.Broker{ID: id, Rack: fmt.Sprintf("r%d", (id+1)/2), Alive: true})
	}
	return s
}

func liveTopic(name string, config map[string]string, partitions ...[]state.BrokerID) state.Topic {
	t := state.Topic{Name: name, Config: map[string]state.ConfigValue{"segment.bytes": {Value: "1073741824", Source: state.SourceDefault}}}
	for key, value := range config {
		t.Config[key] = state.ConfigValue{Value: value, Source: state.SourceTopic}
	}
	for i, replicas := range partitions {
		t.Partitions = append(t.Partitions, state.Partition{ID: int32(i), Replicas: replicas, ISR: replicas, Leader: replicas[0]})
	}
	return t
}

func TestWhatTopicsHaveInCommonIsInDefaults(t *testing.T) {
	even, uneven := []state.BrokerID{1, 3, 5}, []state.BrokerID{1, 2, 3}
	zstd := func(more ...string) map[string]string {
		m := map[string]string{"compression.type": "zstd", "min.insync.replicas": "2"}
		for i := 0; i < len(more); i += 2 {
			m[more[i]] = more[i+1]
		}
		return m
	}
	unread := liveTopic("unread", nil, even)
	unread.Config = nil
	internal := liveTopic("__internal", nil, even)
	internal.Internal = true
	s := cluster(
		liveTopic("a", zstd("retention.ms", "604800000", "leader.replication.throttled.replicas", "*"), even, even),
		liveTopic("b", zstd("cleanup.policy", "compact,delete", "preallocate", "TRUE", "confluent.x", "1"), even, uneven),
		liveTopic("c", zstd("min.insync.replicas", "5", "segment.bytes", "14"), even),
		liveTopic("d", map[string]string{"vendor.note": "say \"${hi}\""}, []state.BrokerID{1, 3}, even),
		unread, internal,
	)
	files, err := Generate(s, GenerateOptions{Cluster: &Cluster{Name: "lab", Bootstrap: []string{"kafka-1:9092"}, ClusterID: "x"}})
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, f := range files {
		got += fmt.Sprintf("-- %s, %d --\n%s", f.Name, f.Topics, f.Text)
	}
	want := `-- cluster.hcl, 0 --
cluster "lab" {
  bootstrap  = ["kafka-1:9092"]
  cluster_id = "x"
}
-- topics.hcl, 5 --
# What most topics have in common.
defaults {
  replication_factor = 3
  config             = { "compression.type" = "zstd" }
}

topic "a" {
  partitions          = 2
  min_insync_replicas = 2
  config              = { "retention.ms" = 604800000 }
}

# Partition 1 is not even over the racks; without rack_spread replicas would move.
topic "b" {
  partitions          = 2
  min_insync_replicas = 2

  config = {
    "cleanup.policy" = "compact,delete"
    "preallocate"    = "TRUE"
  }

  replicas {
    rack_spread = "none"
  }
}

# min.insync.replicas is left alone: it is 5, above the replication factor.
# segment.bytes is left alone: Kafka 4.3.0 would not take its value.
topic "c" {
  partitions    = 1
  ignore_config = ["min.insync.replicas", "segment.bytes"]
}

# Its partitions have 2 to 3 replicas. Give it a replication_factor.
topic "d" {
  partitions         = 2
  replication_factor = null

  config = {
    "compression.type" = null
    "vendor.note"      = "say \"$${hi}\""
  }
}

# Its configs could not be read.
topic "unread" {
  partitions    = 1
  ignore_config = ["*"]
}
`
	if got != want {
		t.Error(cmp.Diff(want, got))
	}
	checkImported(t, s, files, Options{})
}

// checkImported loads generated files and holds each topic against the live
// one: nothing may differ.
func checkImported(t rapidOrTest, s *state.Snapshot, files []GeneratedFile, o Options, more ...string) {
	t.Helper()
	var args []string
	for _, f := range files {
		args = append(args, f.Name, string(f.Text))
	}
	dir := writeFiles(t, append(args, more...)...)
	defer os.RemoveAll(dir)
	l := Load(dir, o)
	if HasErrors(l.Diagnostics) {
		var b strings.Builder
		_ = l.Print(&b, l.Diagnostics, PrintOptions{})
		t.Fatalf("%s", b.String())
	}
	views := racksOf(s)
	for i := range s.Topics {
		live := &s.Topics[i]
		if live.Internal {
			continue
		}
		d := l.Desired.Topic(live.Name)
		if d == nil {
			t.Fatalf("%s is missing", live.Name)
		}
		if wrong := unlike(d, live, views); wrong != "" {
			t.Fatalf("%s: %s\n%v", live.Name, wrong, args)
		}
	}
}

// unlike says how a declared topic would change the live one, or "".
func unlike(d *Topic, live *state.Topic, racks rackView) string {
	if d.Partitions != 0 && d.Partitions != len(live.Partitions) {
		return "partitions"
	}
	g := &generator{racks: racks}
	for i := range live.Partitions {
		if n := len(live.Partitions[i].Target()); d.ReplicationFactor != 0 && n != d.ReplicationFactor {
			return "replication factor"
		}
	}
	if d.Replicas.RackSpread != SpreadNone && !racks.none && (!racks.all || len(g.uneven(live)) > 0) {
		return "rack spread"
	}
	if d.Replicas.Racks != nil || d.Replicas.Balance == BalanceTopic || d.Leaders.Balance == BalanceTopic {
		return "placement"
	}
	for key, value := range d.Config {
		if v := live.Config[key]; v.Source != state.SourceTopic || !SameValue(key, v.Value, value) {
			return "config " + key
		}
	}
	for key, v := range live.Config {
		_, declared := d.Config[key]
		if v.Source == state.SourceTopic && !declared && !throttleKey(key) && !VendorKey(key) && matching(d.IgnoreConfig, key) == "" {
			return "override " + key
		}
	}
	return ""
}

func TestImportBesideAConfiguration(t *testing.T) {
	even := []state.BrokerID{1, 3, 5}
	s := cluster(liveTopic("declared", nil, even), liveTopic("new", map[string]string{"retention.ms": "1000"}, []state.BrokerID{1, 2}))
	const existing = `
defaults {
  replication_factor = 3
  keyed              = true
  config             = { "compression.type" = "zstd" }
  replicas {
    racks   = ["r1"]
    balance = "topic"
  }
  leaders { balance = "topic" }
}
topic "declared" {
  config = null
  replicas {
    racks   = null
    balance = null
  }
  leaders { balance = null }
}
`
	files, err := Generate(s, GenerateOptions{Existing: sound(t, existing)})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 1 || files[0].Topics != 1 || strings.Contains(string(files[0].Text), "defaults") {
		t.Fatalf("%s", files[0].Text)
	}
	checkImported(t, s, files, Options{}, "main.hcl", existing)
}

func TestImportIsSplitAndChosenByName(t *testing.T) {
	even := []state.BrokerID{1, 3, 5}
	s := cluster(liveTopic("shop.orders", nil, even), liveTopic("shop.carts", nil, even), liveTopic("billing.invoices", nil, even), liveTopic("plain", nil, even))
	files, err := Generate(s, GenerateOptions{Separator: ".", Topics: []string{"shop.*", "p*"}})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, fmt.Sprint(f.Name, " ", f.Topics))
	}
	if want := []string{"defaults.hcl 0", "topics-shop.hcl 2", "topics.hcl 1"}; !cmp.Equal(names, want) {
		t.Error(names)
	}
	if _, err := Generate(s, GenerateOptions{Topics: []string{"none*"}}); err == nil {
		t.Error("no error where there is nothing to import")
	}
}

// TestImportChangesNothing: whatever a cluster looks like, what is generated
// leaves each topic as it is.
func TestImportChangesNothing(t *testing.T) {
	keys := append(KnownKeys(), "vendor.key", "vendor.other")
	values := []string{"", "-1", "0", "1", "2", "3", "14", "1048576", "007", "1.50", "0.5", "true", "TRUE", "compact", "delete,compact", "zstd", "${x} %{y} \"\n\u202e", "9223372036854775807"}
	rapid.Check(t, func(t *rapid.T) {
		s := cluster()
		for i := range s.Brokers {
			s.Brokers[i].Alive = rapid.IntRange(0, 9).Draw(t, "alive") > 0
			if rapid.IntRange(0, 19).Draw(t, "rack") == 0 {
				s.Brokers[i].Rack = ""
			}
		}
		for n := range rapid.IntRange(1, 8).Draw(t, "topics") {
			config := map[string]string{}
			for range rapid.IntRange(0, 4).Draw(t, "overrides") {
				config[rapid.SampledFrom(keys).Draw(t, "key")] = rapid.SampledFrom(values).Draw(t, "value")
			}
			if config["min.compaction.lag.ms"] != "" {
				delete(config, "max.compaction.lag.ms") // below the other Kafka would not have taken it
			}
			var partitions [][]state.BrokerID
			size := rapid.IntRange(1, 4).Draw(t, "factor")
			for range rapid.IntRange(1, 3).Draw(t, "partitions") {
				ids := rapid.Permutation([]state.BrokerID{1, 2, 3, 4, 5, 6}).Draw(t, "brokers")
				partitions = append(partitions, ids[:size])
				if rapid.IntRange(0, 9).Draw(t, "mixed") == 0 {
					size = 1
				}
			}
			topic := liveTopic(fmt.Sprintf("t%d", n), config, partitions...)
			if rapid.IntRange(0, 9).Draw(t, "unread") == 0 {
				topic.Config = nil
			}
			s.Topics = append(s.Topics, topic)
		}
		files, err := Generate(s, GenerateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		checkImported(t, s, files, Options{})
	})
}
