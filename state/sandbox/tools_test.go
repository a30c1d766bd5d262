package sandbox_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ballast/state/clustertest/realkafka"
)

// tools runs Apache Kafka's own command line tools, one at a time.
type tools struct {
	*lab
	jars string
}

func newTools(t *testing.T) *tools {
	t.Helper()
	if testing.Short() {
		t.Skip("NOT TESTED WITH KAFKA'S TOOLS: -short")
	}
	realkafka.Require(t)
	jars, err := realkafka.Jars(t.Context(), "4.3.0")
	if err != nil {
		t.Fatal(err)
	}
	return &tools{newLab(t), jars}
}

func (x *tools) run(class string, args ...string) string {
	x.Helper()
	out, err := realkafka.RunTool(x.jars, class, append([]string{"--bootstrap-server", x.Bootstrap()[0]}, args...)...)
	if err != nil {
		x.Fatalf("%v\n%s", err, out)
	}
	return out
}

// shows checks that a tool's output has all of these.
func (x *tools) shows(out string, want ...string) {
	x.Helper()
	for _, w := range want {
		if !strings.Contains(out, w) {
			x.Errorf("the tool does not show %q, but\n%s", w, out)
		}
	}
}

func (x *tools) file(name, content string) string {
	x.Helper()
	path := filepath.Join(x.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		x.Fatal(err)
	}
	return path
}

// TestKafkasToolsReadTheSandbox: every line that is looked for is what the
// same tool printed of a real cluster.
func TestKafkasToolsReadTheSandbox(t *testing.T) {
	x := newTools(t)
	x.shows(x.run(realkafka.TopicCommand, "--create", "--topic", "orders", "--replica-assignment", "1:3,2:4,5:1", "--config", "retention.ms=1000000"),
		"Created topic orders.")
	x.shows(x.run(realkafka.TopicCommand, "--describe"),
		"PartitionCount: 3\tReplicationFactor: 2\tConfigs: min.insync.replicas=1,retention.ms=1000000",
		"\tTopic: orders\tPartition: 1\tLeader: 2\tReplicas: 2,4\tIsr: 2,4\tElr: \tLastKnownElr: ")
	x.fill("orders", 0, 30*MB)

	x.shows(x.run(realkafka.ConfigCommand, "--entity-type", "topics", "--entity-name", "orders", "--describe"),
		"  retention.ms=1000000 sensitive=false synonyms={DYNAMIC_TOPIC_CONFIG:retention.ms=1000000}")

	move := x.file("move.json", `{"version":1,"partitions":[{"topic":"orders","partition":0,"replicas":[5,6]}]}`)
	x.shows(x.run(realkafka.ReassignCommand, "--execute", "--reassignment-json-file", move, "--throttle", "1000000"),
		"The inter-broker throttle limit was set to 1000000 B/s", "Successfully started partition reassignment for orders-0")
	x.pass(10 * time.Second)
	x.shows(x.run(realkafka.ConfigCommand, "--entity-type", "brokers", "--entity-name", "6", "--describe"),
		"  follower.replication.throttled.rate=1000000 sensitive=false synonyms={DYNAMIC_BROKER_CONFIG:follower.replication.throttled.rate=1000000}")
	x.shows(x.run(realkafka.ReassignCommand, "--list"), "orders-0: replicas: 5,6,1,3. adding: 5,6. removing: 1,3.")
	x.shows(x.run(realkafka.ReassignCommand, "--verify", "--reassignment-json-file", move), "Reassignment of partition orders-0 is still in progress.")
	x.showsSize(5, 5*MB) // two copies share the leader's 1 MB/s

	x.pass(time.Hour)
	x.shows(x.run(realkafka.ReassignCommand, "--verify", "--reassignment-json-file", move),
		"Reassignment of partition orders-0 is completed.", "Clearing broker-level throttles on brokers 1,2,3,4,5,6", "Clearing topic-level throttles on topic orders")
	if _, source := x.config(6, brokerRes, "6", followerRate); source != 0 {
		t.Error("the throttle is still there")
	}
	x.showsSize(6, 30*MB)
	x.move("orders", 0, 6, 5)
	x.run(realkafka.ElectionCommand, "--election-type", "preferred", "--topic", "orders", "--partition", "0")
	x.leads("orders", 0, 6)
	x.shows(x.run(realkafka.TopicCommand, "--describe", "--topic", "orders"), "Partition: 0\tLeader: 6\tReplicas: 6,5\tIsr: 5,6")
}

// showsSize checks what kafka-log-dirs tells of partition 0 on a broker.
func (x *tools) showsSize(broker int, want int64) {
	x.Helper()
	out := x.run(realkafka.LogDirsCommand, "--describe", "--topic-list", "orders")
	var doc struct {
		Brokers []struct {
			Broker  int
			LogDirs []struct {
				Partitions []struct {
					Partition string
					Size      int64
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(out[strings.Index(out, "{"):]), &doc); err != nil {
		x.Fatalf("%v\n%s", err, out)
	}
	for _, b := range doc.Brokers {
		for _, d := range b.LogDirs {
			for _, p := range d.Partitions {
				if b.Broker == broker && p.Partition == "orders-0" {
					same(x.T, "size shown", p.Size, want)
					return
				}
			}
		}
	}
	x.Errorf("orders-0 is not shown on broker %d:\n%s", broker, out)
}
