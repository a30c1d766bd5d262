package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ballast/state"
	"ballast/state/sandbox"
)

// TestPlanOfManyTopicsAsksNoMoreThanOfFew tells the story of five hundred
// declared topics that are as declared: nothing to do, and as many requests as
// for fifty, give or take the brokers.
func TestPlanOfManyTopicsAsksNoMoreThanOfFew(t *testing.T) {
	few, many := requestsOfEmptyPlan(t, 50), requestsOfEmptyPlan(t, 500)
	if more := many - few; more > brokersOfMany || more < -brokersOfMany {
		t.Errorf("50 topics take %d requests, 500 topics take %d", few, many)
	}
}

const (
	brokersOfMany  = 6
	apiVersionsKey = 18
)

// requestsOfEmptyPlan plans n topics that are as declared, and counts the
// requests besides those that open a connection.
func requestsOfEmptyPlan(t *testing.T, n int) int {
	t.Helper()
	box, err := sandbox.Start(sandbox.Options{Listen: "127.0.0.1:0", Snapshot: manyTopics(n), Speed: 1000})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	dir := t.TempDir()
	hcl := fmt.Sprintf(`
cluster "many" {
  bootstrap = [%q]
}
builtin_policies { few_replicas = false }
topic "all" {
  for_each           = toset([for i in range(%d) : format("t%%03d", i)])
  name               = each.value
  partitions         = 3
  replication_factor = 3
}
`, box.Bootstrap()[0], n)
	if err := os.WriteFile(filepath.Join(dir, "main.hcl"), []byte(hcl), 0o644); err != nil {
		t.Fatal(err)
	}
	s, out, errOut := testStreams(map[string]string{})
	if code := run([]string{"ballast", "plan", "-detailed-exitcode", dir}, s); code != exitDone {
		t.Fatalf("exit %d, want %d\n%s%s", code, exitDone, out, errOut)
	}
	if want := fmt.Sprintf("%d declared topics are as declared", n); !strings.Contains(out.String(), want) {
		t.Errorf("the plan does not say %q:\n%s", want, out)
	}
	asked := 0
	for _, r := range box.Requests() {
		if r.Writes {
			t.Errorf("plan sent a request that writes: %s", r.Name)
		}
		if r.Key != apiVersionsKey {
			asked++
		}
	}
	return asked
}

// manyTopics is a cluster of six brokers in three racks with n topics of three
// partitions, one replica a rack.
func manyTopics(n int) *state.Snapshot {
	s := sandbox.Empty(brokersOfMany, 3)
	id := func(i int) state.BrokerID { return s.Brokers[i%len(s.Brokers)].ID }
	for i := range n {
		topic := state.Topic{Name: fmt.Sprintf("t%03d", i), Config: map[string]state.ConfigValue{}}
		for p := range 3 {
			replicas := byRack(s, i+p, id)
			topic.Partitions = append(topic.Partitions, state.Partition{
				ID: int32(p), Replicas: replicas, ISR: replicas, Leader: replicas[0], Size: state.KnownSize(1000),
			})
		}
		s.Topics = append(s.Topics, topic)
	}
	return s
}

// byRack takes the next broker of each rack, from the i-th broker on.
func byRack(s *state.Snapshot, i int, id func(int) state.BrokerID) []state.BrokerID {
	var out []state.BrokerID
	seen := map[string]bool{}
	for ; len(out) < 3; i++ {
		b := s.Broker(id(i))
		if !seen[b.Rack] {
			seen[b.Rack] = true
			out = append(out, b.ID)
		}
	}
	return out
}
