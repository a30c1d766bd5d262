package config

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// readOracle returns the rows of testdata/kafka-values.tsv: what Kafka itself
// said of many values of each of its topic configs.
func readOracle(t *testing.T) (rows [][4]string) {
	t.Helper()
	data, err := os.ReadFile("testdata/kafka-values.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		f := strings.Split(line, "\t")
		var row [4]string
		copy(row[:], f)
		for _, i := range []int{1, 3} {
			if row[i] == "" {
				continue
			}
			if err := json.Unmarshal([]byte(row[i]), &row[i]); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func TestValuesAreTakenAndRefusedAsKafkaDoes(t *testing.T) {
	keys := map[string]bool{}
	for _, row := range readOracle(t) {
		key, value, taken := row[0], row[1], row[2] == "taken"
		keys[key] = true
		if err := CheckValue(key, value); (err == nil) != taken {
			t.Errorf("%s = %q: Kafka: %s, here: %v", key, value, row[2], err)
		}
		if taken && !SameValue(key, value, row[3]) {
			t.Errorf("%s: %q and %q, as Kafka writes it, are said to differ", key, value, row[3])
		}
	}
	for _, k := range KnownKeys() {
		if !keys[k] {
			t.Errorf("%s is not one of Kafka's topic configs", k)
		}
		delete(keys, k)
	}
	for k := range keys {
		t.Errorf("%s of Kafka is missing", k)
	}
}

func TestEveryDefaultIsValid(t *testing.T) {
	for _, k := range KnownKeys() {
		info, _ := KnownKey(k)
		if err := CheckValue(k, info.Default); err != nil {
			t.Errorf("%s: default %q: %v", k, info.Default, err)
		}
	}
}

func TestSameValue(t *testing.T) {
	for _, c := range []struct {
		key, a, b string
		same      bool
	}{
		{"retention.ms", "-1", "-1", true},
		{"retention.ms", "007", "7", true},
		{"retention.ms", "9223372036854775807", "9223372036854775806", false},
		{"cleanup.policy", "compact,delete", "delete, compact", true},
		{"cleanup.policy", "compact", "compact,delete", false},
		{"preallocate", "TRUE", "true", true},
		{"min.cleanable.dirty.ratio", "0.50", "0.5", true},
		{"compression.type", "ZSTD", "zstd", false},
		{"retention.ms", "abc", "abc", true},
		{"vendor.key", "1", "01", false},
	} {
		if got := SameValue(c.key, c.a, c.b); got != c.same {
			t.Errorf("SameValue(%q, %q, %q) = %v", c.key, c.a, c.b, got)
		}
	}
}

func TestSuggestKey(t *testing.T) {
	for given, want := range map[string]string{
		"retention.hours":     "retention.ms",
		"retention.gb":        "retention.bytes",
		"retention_ms":        "retention.ms",
		"log.retention.hours": "retention.ms",
		"log.retention.ms":    "retention.ms",
		"message.max.bytes":   "max.message.bytes",
		"log.roll.hours":      "segment.ms",
		"cleanup.polcy":       "cleanup.policy",
		"min_insync_replicas": "min.insync.replicas",
		"retention.ms":        "",
		"number.of.squirrels": "",
	} {
		if got := SuggestKey(given); got != want {
			t.Errorf("SuggestKey(%q) = %q, want %q", given, got, want)
		}
	}
}

func TestMatchGlob(t *testing.T) {
	for _, c := range []struct {
		pattern, s string
		match      bool
	}{
		{"*", "", true}, {"*", "orders", true}, {"orders", "orders", true}, {"orders", "orders2", false},
		{"retention.*", "retention.ms", true}, {"retention.*", "local.retention.ms", false},
		{"__*", "__consumer_offsets", true}, {"*-dlq", "a-dlq", true}, {"*-dlq", "a-dlq-b", false},
		{"a*b*c", "aXbYbc", true}, {"a*b*c", "acb", false}, {"a?c", "abc", true}, {"a?c", "ac", false},
		{"a.c", "abc", false}, {"[a]", "a", false}, {"", "", true}, {"", "a", false}, {"**", "x", true},
	} {
		if got := MatchGlob(c.pattern, c.s); got != c.match {
			t.Errorf("MatchGlob(%q, %q) = %v", c.pattern, c.s, got)
		}
	}
}
