package main

import (
	"encoding/json"
	"strings"
	"testing"

	"ballast/cmd/ballast/internal/consumers"
	"ballast/state"
	"ballast/state/clustertest/realkafka"
	"ballast/state/kafka"
)

func TestConsumersOnRealKafka(t *testing.T) {
	realkafka.Require(t)
	live := realkafka.Start(t, realkafka.Options{Brokers: 3, Racks: 3})
	client, err := kafka.Dial(t.Context(), kafka.Options{Bootstrap: live.Bootstrap()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	errs, err := client.CreateTopics(t.Context(), []state.NewTopic{{Name: "orders", Assignments: [][]state.BrokerID{{1}, {2}, {3}, {1}, {2}}}})
	if err != nil || errs[0] != nil {
		t.Fatal(err, errs)
	}
	if err := live.AwaitTopics(t.Context(), "orders"); err != nil {
		t.Fatal(err)
	}
	g := &grouped{T: t, dir: t.TempDir()}
	g.configure(live.Bootstrap())
	if code, out := g.ballast("consumers", "-group", "billing"); code != exitError || !strings.Contains(out, "there is no such group") {
		t.Errorf("before anybody joins: exit %d, %s", code, out)
	}
	if s, err := client.Metadata(t.Context(), []string{"__consumer_offsets"}); err != nil || s.Topic("__consumer_offsets") != nil {
		t.Errorf("to look for a group made the topic of groups: %v", err)
	}
	for group, assignor := range map[string]string{"billing": "range", "audit": coordinators} {
		leave, err := joinMembers(live.Bootstrap(), group, assignor, "orders", 2)
		t.Cleanup(leave)
		if err != nil {
			t.Fatal(err)
		}
	}
	g.assignedByTheCoordinator()
	g.comesAsForeseen()
}

// assignedByTheCoordinator: a group of KIP-848 is shown, and foreseen where an
// assignor is asked for.
func (g *grouped) assignedByTheCoordinator() {
	g.Helper()
	for _, assignor := range []string{"", "sticky"} {
		args := []string{"-json", "-group", "audit"}
		if assignor != "" {
			args = append(args, "-assignor", assignor)
		}
		_, out := g.ballast("consumers", args...)
		var d consumers.Document
		if err := json.Unmarshal([]byte(out), &d); err != nil || len(d.Groups) != 1 {
			g.Fatal(err, out)
		}
		got := d.Groups[0]
		if got.Type != state.ConsumerGroup || got.Assignor != coordinators || got.Now == nil || got.Now.Partitions != 5 || (len(got.Forecasts) == 1) != (assignor != "") {
			g.Errorf("-assignor %q: %s", assignor, out)
		}
	}
}
