package realkafka

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// controllerID is the node id of the only controller.
const controllerID = 1000

// properties are a node's server properties.
func properties(n *node, o Options, controllerPort int) map[string]string {
	p := map[string]string{
		"node.id":                                  fmt.Sprint(n.id),
		"log.dirs":                                 n.dir + "/data",
		"controller.quorum.voters":                 fmt.Sprintf("%d@127.0.0.1:%d", controllerID, controllerPort),
		"controller.listener.names":                "CONTROLLER",
		"listener.security.protocol.map":           "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
		"auto.create.topics.enable":                "false",
		"auto.leader.rebalance.enable":             "false", // leaders move where a test says so
		"broker.session.timeout.ms":                "6000",
		"broker.heartbeat.interval.ms":             "1000",
		"group.initial.rebalance.delay.ms":         "0",
		"offsets.topic.replication.factor":         "1",
		"offsets.topic.num.partitions":             "4",
		"transaction.state.log.replication.factor": "1",
		"transaction.state.log.min.isr":            "1",
		"num.network.threads":                      "2",
		"num.io.threads":                           "4",
		"num.replica.alter.log.dirs.threads":       "1",
		"background.threads":                       "2",
		"log.cleaner.dedupe.buffer.size":           "10485760",
		"replica.lag.time.max.ms":                  "10000",
	}
	if n.id == controllerID {
		p["process.roles"] = "controller"
		p["listeners"] = fmt.Sprintf("CONTROLLER://127.0.0.1:%d", n.port)
	} else {
		p["process.roles"] = "broker"
		p["broker.rack"] = o.rack(n.id)
		p["listeners"] = fmt.Sprintf("PLAINTEXT://127.0.0.1:%d", n.port)
		if o.Secure != nil {
			maps.Copy(p, o.Secure.properties(n))
		}
	}
	maps.Copy(p, o.Config)
	return p
}

// writeProperties writes a properties file.
func writeProperties(file string, p map[string]string) error {
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(p)) {
		fmt.Fprintf(&b, "%s=%s\n", key, p[key])
	}
	return os.WriteFile(file, []byte(b.String()), 0o644)
}
