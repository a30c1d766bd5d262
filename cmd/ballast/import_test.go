package main

import (
	"fmt"
	"math/rand"
	"path/filepath"
	"strings"
	"testing"

	"ballast/state"
	"ballast/state/sandbox"
)

// grown is a cluster with a history: 200 topics of all sizes, many placed by
// hand or by tools that know nothing of racks.
func grown(racks int) *state.Snapshot {
	s := sandbox.Empty(9, racks)
	random := rand.New(rand.NewSource(int64(racks)))
	for i := range 200 {
		t := state.Topic{Name: fmt.Sprintf("%s.topic-%03d", []string{"cart", "orders", "search"}[i%3], i), Config: map[string]state.ConfigValue{}}
		factor := 1 + random.Intn(4)
		for p := range 1 + random.Intn(12) {
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
			order[i] = (p + i*3 + i/3) % len(order)
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
		box, err := sandbox.Start(sandbox.Options{Listen: "127.0.0.1:0", Snapshot: grown(racks), Speed: 1000})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { box.Close() })
		verb := func(args ...string) string {
			t.Helper()
			s, out, errOut := testStreams(nil)
			if code := run(append([]string{"ballast"}, args...), s); code != exitDone {
				t.Fatalf("%s: exit %d\n%s%s", strings.Join(args, " "), code, out, errOut)
			}
			return out.String()
		}
		for _, separator := range []string{"", "."} {
			dir := filepath.Join(t.TempDir(), "prod")
			verb("import", "-bootstrap", strings.Join(box.Bootstrap(), ","), "-separator", separator, dir)
			verb("fmt", "-check", dir)
			if plan := verb("plan", "-detailed-exitcode", dir); !strings.Contains(plan, "No changes. 200 declared topics are as declared") {
				t.Errorf("%d racks, separator %q:\n%s", racks, separator, plan)
			}
		}
	}
}
