package main

import (
	"errors"
	"fmt"
	"math/rand"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ballast/state"
	"ballast/state/clustertest/realkafka"
	"ballast/state/kafka"
	"ballast/state/sandbox"
)

// grown is a cluster with a history: 200 topics of all sizes, many placed by
// hand or by tools that know nothing of racks.
func grown(brokers, racks, partitions int) *state.Snapshot {
	s := sandbox.Empty(brokers, racks)
	random := rand.New(rand.NewSource(int64(racks)))
	for i := range 200 {
		t := state.Topic{Name: fmt.Sprintf("%s.topic-%03d", []string{"cart", "orders", "search"}[i%3], i), Config: map[string]state.ConfigValue{}}
		factor := 1 + random.Intn(min(brokers, 4))
		for p := range 1 + random.Intn(partitions) {
			list := placedByHand(random, s, factor, p)
			t.Partitions = append(t.Partitions, state.Partition{ID: int32(p), Replicas: list, ISR: list, Leader: list[random.Intn(len(list))], Size: state.KnownSize(random.Int63n(1e9))})
		}
		overrides(random, t.Config, factor)
		s.Topics = append(s.Topics, t)
	}
	return s
}

// placedByHand is a replica list: rack after rack, or anything.
func placedByHand(random *rand.Rand, s *state.Snapshot, factor, p int) []state.BrokerID {
	order := random.Perm(len(s.Brokers))
	if random.Intn(10) > 0 {
		for i := range order {
			order[i] = (p + i*len(order)/3 + i/3) % len(order)
		}
	}
	var list []state.BrokerID
	for _, b := range order[:factor] {
		list = append(list, s.Brokers[b].ID)
	}
	return list
}

func overrides(random *rand.Rand, configs map[string]state.ConfigValue, factor int) {
	own := func(key, value string) { configs[key] = state.ConfigValue{Value: value, Source: state.SourceTopic} }
	if factor > 1 {
		own("min.insync.replicas", fmt.Sprint(factor-1))
	}
	for _, c := range []struct {
		key    string
		values []string
	}{
		{"retention.ms", []string{"-1", "604800000", "604800000", "9223372036854775807"}},
		{"cleanup.policy", []string{"compact", "compact,delete", "delete"}},
		{"segment.bytes", []string{"1073741824", "104857600"}},
	} {
		if n := random.Intn(2 * len(c.values)); n < len(c.values) {
			own(c.key, c.values[n])
		}
	}
}

// TestAnImportedClusterIsAsDeclared: what import writes of 200 live topics is
// laid out, and planned at once it changes nothing.
func TestAnImportedClusterIsAsDeclared(t *testing.T) {
	for _, racks := range []int{3, 0} {
		box, err := sandbox.Start(sandbox.Options{Listen: "127.0.0.1:0", Snapshot: grown(9, racks, 12), Speed: 1000})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { box.Close() })
		importsToNoChanges(t, box.Bootstrap(), "")
		importsToNoChanges(t, box.Bootstrap(), ".")
	}
}

// TestAnImportedRealClusterIsAsDeclared is the same on Apache Kafka.
func TestAnImportedRealClusterIsAsDeclared(t *testing.T) {
	if testing.Short() {
		t.Skip("starts Apache Kafka")
	}
	live := realkafka.Start(t, realkafka.Options{Brokers: 3, Racks: 3})
	client, err := kafka.Dial(t.Context(), kafka.Options{Bootstrap: live.Bootstrap()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	if keys, err := client.TopicConfigKeys(t.Context()); err != nil || !slices.Contains(keys, "retention.ms") {
		t.Errorf("an empty cluster does not tell its topic configs: %v, %v", keys, err)
	}
	var ask []state.NewTopic
	var names []string
	for _, topic := range grown(3, 3, 3).Topics {
		n := state.NewTopic{Name: topic.Name, Config: map[string]string{}}
		for key, v := range topic.Config {
			n.Config[key] = v.Value
		}
		for _, p := range topic.Partitions {
			n.Assignments = append(n.Assignments, p.Replicas)
		}
		ask, names = append(ask, n), append(names, n.Name)
	}
	errs, err := client.CreateTopics(t.Context(), ask)
	if err := errors.Join(append(errs, err)...); err != nil {
		t.Fatal(err)
	}
	if err := live.AwaitTopics(t.Context(), names...); err != nil {
		t.Fatal(err)
	}
	importsToNoChanges(t, live.Bootstrap(), "")
}

func importsToNoChanges(t *testing.T, bootstrap []string, separator string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "prod")
	verb := func(args ...string) string {
		t.Helper()
		s, out, errOut := testStreams(nil)
		if code := run(append([]string{"ballast"}, append(args, dir)...), s); code != exitDone {
			t.Fatalf("%s: exit %d\n%s%s", strings.Join(args, " "), code, out, errOut)
		}
		return out.String()
	}
	verb("import", "-bootstrap", strings.Join(bootstrap, ","), "-separator", separator)
	verb("fmt", "-check")
	if plan := verb("plan", "-detailed-exitcode"); !strings.Contains(plan, "No changes. 200 declared topics are as declared") {
		t.Errorf("separator %q:\n%s", separator, plan)
	}
}
