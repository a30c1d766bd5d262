package config

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/state"
)

const plain = `cluster "prod" {
  bootstrap  = ["kafka-1:9092", "[::1]:9093"]
  cluster_id = "4L6g3nShT-eMCtK--X86sw"
}
broker "6" { drain = true }
broker "0" {
  rack   = "r3"
  weight = 2
}
defaults {
  replication_factor  = 3
  min_insync_replicas = 2
  config = {
    "compression.type" = "zstd"
    "retention.ms"     = 86400000
  }
  replicas {
    rack_spread = "even"
    balance     = "topic"
  }
}
topic "orders" {
  partitions = 48
  keyed      = true
  config = {
    "retention.ms"     = 9223372036854775807
    "cleanup.policy"   = ["compact", "delete"]
    "compression.type" = null
    "retention.bytes"  = -1
    "min.cleanable.dirty.ratio" = 0.1
    "preallocate"      = true
  }
  replicas {
    racks   = ["r1", "r2"]
    brokers = [1, 2, 0]
    balance = null
  }
  leaders {
    racks   = ["r1"]
    brokers = [2]
    balance = "cluster"
  }
  ignore_config = ["local.*"]
}
topic "plain" {}
absent_topic "old" {
  max_bytes    = "1GiB"
  allow_remote = true
}
`

func TestPlainConfiguration(t *testing.T) {
	d := sound(t, plain)
	if want := (Cluster{Name: "prod", Bootstrap: []string{"kafka-1:9092", "[::1]:9093"}, ClusterID: "4L6g3nShT-eMCtK--X86sw", Source: Source{"main.hcl", 1}}); !cmp.Equal(d.Cluster, want) {
		t.Error(cmp.Diff(want, d.Cluster))
	}
	if want := []Broker{{ID: 0, Rack: "r3", Weight: 2, Source: Source{"main.hcl", 6}}, {ID: 6, Drain: true, Weight: 1, Source: Source{"main.hcl", 5}}}; !cmp.Equal(d.Brokers, want) {
		t.Error(cmp.Diff(want, d.Brokers))
	}
	if want := []AbsentTopic{{"old", 1 << 30, true, Source{"main.hcl", 46}}}; !cmp.Equal(d.Absent, want) {
		t.Error(cmp.Diff(want, d.Absent))
	}
	if !cmp.Equal(d.Apply, DefaultApply()) {
		t.Error(cmp.Diff(DefaultApply(), d.Apply))
	}
	if len(d.Topics) != 2 || d.Topics[0].Name != "orders" || d.Topics[1].Name != "plain" {
		t.Fatalf("topics: %+v", d.Topics)
	}
	checkOrders(t, d.Topics[0])
	rest := d.Topics[1]
	if rest.ReplicationFactor != 3 || rest.Replicas.Balance != BalanceTopic || rest.At("replication_factor").Line != 11 || rest.At("partitions").Line != 45 {
		t.Errorf("what comes of the defaults: %+v", rest)
	}
}

func checkOrders(t *testing.T, got Topic) {
	t.Helper()
	lines := got.Lines
	got.Lines = nil
	want := Topic{
		Name: "orders", Partitions: 48, ReplicationFactor: 3, Keyed: true,
		Config: map[string]string{
			"min.insync.replicas": "2", "retention.ms": "9223372036854775807", "cleanup.policy": "compact,delete",
			"retention.bytes": "-1", "min.cleanable.dirty.ratio": "0.1", "preallocate": "true",
		},
		IgnoreConfig: []string{"local.*"},
		Replicas:     Replicas{Racks: []string{"r1", "r2"}, Brokers: []state.BrokerID{1, 2, 0}, RackSpread: SpreadEven},
		Leaders:      Leaders{Racks: []string{"r1"}, Brokers: []state.BrokerID{2}, Balance: BalanceCluster},
		Source:       Source{"main.hcl", 22},
	}
	if !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
	for path, line := range map[string]int{"partitions": 23, "config.retention.ms": 26, "config.min.insync.replicas": 12, "replicas.racks": 34, "replicas.rack_spread": 18, "leaders.balance": 41} {
		if lines[path].Line != line {
			t.Errorf("%s is at line %d, not %d", path, lines[path].Line, line)
		}
	}
	for _, path := range []string{"config.compression.type", "replicas.balance"} {
		if _, there := lines[path]; there {
			t.Errorf("%s was taken away", path)
		}
	}
}

func TestApplyBlock(t *testing.T) {
	got := sound(t, `apply {
  throttle             = { network = "1GB/s", start = "10%", max = "40%" }
  throttle_side        = "both"
  max_moves_per_broker = 7
  max_batch_partitions = 9
  max_batch_bytes      = "64MiB"
  disk_headroom        = 1.5
  gate_timeout         = "1h30m"
  gate_settle          = "0s"
  stall_timeout        = "1d"
  elections            = { every = "30s" }
  reclaim_first        = true
  on_failed_gate       = "cancel"
}`).Apply
	want := Apply{
		Throttle: Throttle{Network: 1_000_000_000, StartPercent: 10, MaxPercent: 40}, ThrottleSide: BothSides,
		MaxMovesPerBroker: 7, MaxBatchPartitions: 9, MaxBatchBytes: 64 << 20, DiskHeadroom: 1.5,
		GateTimeout: 90 * time.Minute, StallTimeout: 24 * time.Hour,
		Elections: Elections{Count: 50, Every: 30 * time.Second}, ReclaimFirst: true, OnFailedGate: CancelOnFailedGate,
	}
	if !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
	for text, want := range map[string]Throttle{`"none"`: {}, `"50MB/s"`: {BytesPerSecond: 50_000_000}, `"1.5MiB/s"`: {BytesPerSecond: 3 << 19}} {
		if got := sound(t, "apply {\n throttle = "+text+"\n}").Apply.Throttle; got != want {
			t.Errorf("throttle = %s is %+v", text, got)
		}
	}
}

// TestOrderOfFilesDoesNotMatter deals the blocks of a configuration out to
// files in many ways.
func TestOrderOfFilesDoesNotMatter(t *testing.T) {
	blocks := strings.SplitAfter(plain, "\n}\n")
	want := Load(write(t, "main.hcl", plain), Options{}).Desired
	for seed := range int64(20) {
		r := rand.New(rand.NewSource(seed))
		texts := make([]string, 3)
		for _, i := range r.Perm(len(blocks)) {
			texts[r.Intn(3)] += blocks[i]
		}
		var files []string
		for i, text := range texts {
			files = append(files, fmt.Sprintf("%d.hcl", i), text)
		}
		got := Load(write(t, files...), Options{}).Desired
		for _, d := range []*Desired{got, want} {
			d.Files, d.Digest = nil, ""
		}
		if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b Source) bool { return true })); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
	}
}

func TestTopicsIgnoreWhatDefaultsDeclare(t *testing.T) {
	d := sound(t, `
defaults {
  config = { "retention.ms" = 86400000, "segment.ms" = 3600000 }
}
topic "a" {
  ignore_config = ["retention.*"]
}
topic "b" {
  config = null
}`)
	if want := map[string]string{"segment.ms": "3600000"}; !cmp.Equal(d.Topics[0].Config, want) {
		t.Errorf("ignored: %v", d.Topics[0].Config)
	}
	if len(d.Topics[1].Config) != 0 {
		t.Errorf("taken away: %v", d.Topics[1].Config)
	}
}

func TestConfigsTakeUnits(t *testing.T) {
	d := sound(t, `topic "a" {
  config = {
    "retention.bytes" = "500GB"
    "segment.bytes"   = "64MiB"
    "retention.ms"    = "7d"
    "segment.ms"      = "1h30m"
    "flush.ms"        = "-1" == "" ? "" : 9223372036854775807
    "local.retention.bytes" = "-2"
  }
}`)
	want := map[string]string{"retention.bytes": "500000000000", "segment.bytes": "67108864", "retention.ms": "604800000", "segment.ms": "5400000", "flush.ms": "9223372036854775807", "local.retention.bytes": "-2"}
	if got := d.Topics[0].Config; !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
	for _, bad := range []string{`"retention.bytes" = "5 lots"`, `"retention.ms" = "7GB"`, `"segment.bytes" = "64m"`, `"retention.ms" = "1us"`, `"flush.messages" = "1k"`} {
		if l := load(t, "topic \"a\" {\n config = { "+bad+" }\n}\n"); len(l.Diagnostics) != 1 || l.Diagnostics[0].Code != "invalid_config_value" {
			t.Errorf("%s: %s", bad, printed(t, l))
		}
	}
}

func TestDigestFollowsNamesAndContents(t *testing.T) {
	digest := func(files ...string) string { return Load(write(t, files...), Options{}).Desired.Digest }
	base := digest("a.hcl", "", "b.hcl", "topic \"x\" {}\n")
	if base != digest("a.hcl", "", "b.hcl", "topic \"x\" {}\n") {
		t.Error("it differs for the same files")
	}
	for _, other := range []string{digest("a.hcl", "", "c.hcl", "topic \"x\" {}\n"), digest("a.hcl", "topic \"x\" {}\n", "b.hcl", ""), digest("a.hcl", "", "b.hcl", "topic \"y\" {}\n")} {
		if other == base {
			t.Error("it is the same for other files")
		}
	}
}
