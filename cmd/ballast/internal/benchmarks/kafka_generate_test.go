package benchmarks

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ballast/planner/placement"
	"ballast/state"
	"ballast/state/clustertest/realkafka"
	"ballast/state/sandbox"
)

// On the same snapshots Kafka's own tool proposes what the table says of it, and
// the plan of the built program is better in all that the table counts.
func TestKafkasOwnGenerateCopiesMore(t *testing.T) {
	realkafka.Require(t)
	jars, err := realkafka.Jars(t.Context(), "4.3.0")
	if err != nil {
		t.Fatal(err)
	}
	binary := build(t)
	for _, s := range Compared() {
		t.Run(s.Name, func(t *testing.T) {
			lists := generatedByKafka(t, jars, s)
			tool := s.Judge(lists)
			ways := compare(t, binary, s)
			t.Logf("kafka-reassign-partitions: %+v; ballast: %+v and %+v", tool, ways[0].Runs[0], ways[1].Runs[0])
			proposedByThePort(t, s, lists)
			alike(t, tool, ways[2].Runs)
			for _, w := range ways[:2] {
				better(t, s, w, tool)
			}
		})
	}
}

// generatedByKafka is what the tool proposes for all topics of a cluster that is
// as the scenario's snapshot says.
func generatedByKafka(t *testing.T, jars string, s Scenario) Lists {
	t.Helper()
	snapshot := s.Snapshot()
	cluster, err := sandbox.Start(sandbox.Options{Snapshot: snapshot})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cluster.Close() })
	var topics, brokers []string
	for i := range snapshot.Topics {
		topics = append(topics, fmt.Sprintf(`{"topic":%q}`, snapshot.Topics[i].Name))
	}
	for _, b := range s.Usable(snapshot) {
		brokers = append(brokers, fmt.Sprint(b.ID))
	}
	file := filepath.Join(t.TempDir(), "topics.json")
	if err := os.WriteFile(file, []byte(`{"version":1,"topics":[`+strings.Join(topics, ",")+`]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := realkafka.RunTool(jars, realkafka.ReassignCommand, "--bootstrap-server", cluster.Bootstrap()[0],
		"--generate", "--topics-to-move-json-file", file, "--broker-list", strings.Join(brokers, ","))
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return proposed(t, out, s)
}

// proposed reads the lists that the tool proposes out of what it prints.
func proposed(t *testing.T, out string, s Scenario) Lists {
	t.Helper()
	_, text, found := strings.Cut(out, "Proposed partition reassignment configuration\n")
	var d struct {
		Partitions []struct {
			Topic     string
			Partition int
			Replicas  []state.BrokerID
		}
	}
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&d); err != nil || !found {
		t.Fatalf("%v\n%s", err, out)
	}
	if want := s.Cluster.Topics * s.Cluster.Partitions; len(d.Partitions) != want {
		t.Fatalf("%d partitions are proposed, there are %d", len(d.Partitions), want)
	}
	lists := Lists{}
	for _, p := range d.Partitions {
		if lists[p.Topic] == nil {
			lists[p.Topic] = make([][]state.BrokerID, s.Cluster.Partitions)
		}
		lists[p.Topic][p.Partition] = p.Replicas
	}
	return lists
}

// proposedByThePort checks that what Kafka proposes for a topic is one of the
// proposals that ours can make. With three racks these are few enough to make
// all: chance says with which rack to begin, and with which broker in each.
func proposedByThePort(t *testing.T, s Scenario, lists Lists) {
	t.Helper()
	usable, all := s.Usable(s.Snapshot()), len(s.Cluster.Racks)
	if all > 3 {
		return
	}
	for _, n := range s.Cluster.Racks {
		all *= n - s.Drain
	}
	known := map[string]bool{}
	for n := range uint64(40_000) {
		list, err := ProposedStriped(usable, s.Cluster.Partitions, s.Cluster.RF, placement.Mixed(n))
		if err != nil {
			t.Fatal(err)
		}
		known[fmt.Sprint(list)] = true
	}
	if len(known) != all {
		t.Fatalf("the port makes %d proposals, there are %d", len(known), all)
	}
	for topic, list := range lists {
		if !known[fmt.Sprint(list)] {
			t.Errorf("%s: Kafka proposes %v, which is none of %d", topic, list, all)
		}
	}
}

// alike checks that the tool's figures are of the kind that the table has: those
// of the port, or so near to them as chance has it.
func alike(t *testing.T, tool Figures, port []Figures) {
	t.Helper()
	least, most := port[0], port[0]
	for _, f := range port {
		least.Copies, most.Copies = min(least.Copies, f.Copies), max(most.Copies, f.Copies)
		least.Bytes, most.Bytes = min(least.Bytes, f.Bytes), max(most.Bytes, f.Bytes)
		least.Broken, most.Broken = min(least.Broken, f.Broken), max(most.Broken, f.Broken)
	}
	near := func(n, least, most int64) bool { return n >= least*9/10 && n <= most*11/10 }
	if !near(int64(tool.Copies), int64(least.Copies), int64(most.Copies)) || !near(tool.Bytes, least.Bytes, most.Bytes) || tool.Broken < least.Broken || tool.Broken > most.Broken {
		t.Errorf("the tool has %+v, the port %+v to %+v", tool, least, most)
	}
}

// better checks that the plan copies less than the tool and is as even and as
// well spread over racks as its rule says. The tool leaves a replication factor as
// it is, so that its lists lack the replicas that the plan adds.
func better(t *testing.T, s Scenario, w Way, tool Figures) {
	t.Helper()
	f := w.Runs[0]
	if f.Broken > 0 || f.Broken > tool.Broken {
		t.Errorf("%s: %d partitions break the rack rule", w.Name, f.Broken)
	}
	if f.Copies >= tool.Copies || f.Bytes >= tool.Bytes {
		t.Errorf("%s copies %+v, the tool %+v", w.Name, f, tool)
	}
	if w.Name == "ballast, `cluster`" && f.Apart > tool.Apart || w.Name == "ballast, `topic`" && f.TopicApart > tool.TopicApart {
		t.Errorf("%s is less even, %+v, than the tool, %+v", w.Name, f, tool)
	}
}
