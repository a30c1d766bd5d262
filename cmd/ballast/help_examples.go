package main

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// typed are the examples that the help of a verb shows below its description. The verbs
// that are not here have theirs in the description.
var typed = map[string][][2]string{
	"init": {
		{"ballast init -bootstrap kafka-1:9092 prod", "a configuration in prod that names that cluster"},
	},
	"fmt": {
		{"ballast fmt", "all *.hcl files of this directory"},
		{"ballast fmt -check -diff prod", "for CI: change nothing, show what would change"},
	},
	"validate": {
		{"ballast validate prod", ""},
		{"ballast validate -var-file prod.vars prod", "with the values of its variables"},
	},
	"drift": {
		{"ballast drift prod", "what differs; exits with 2 where something does"},
		{"ballast drift -metrics /var/lib/node_exporter/ballast.prom prod", "from cron, for Prometheus"},
		{"ballast drift -against approved.json prod", "who has changed it, by an earlier snapshot"},
	},
	"status": {
		{"ballast status prod", ""},
		{"ballast status -watch -every 10s prod", "again and again, until an interrupt"},
		{"ballast status -json -bootstrap kafka-1:9092", "of any cluster, without a configuration"},
	},
	"consumers": {
		{"ballast consumers prod", "the groups that the plan concerns"},
		{"ballast consumers -group billing -group 'etl-*' prod.plan", "some groups, after a saved plan"},
		{"ballast consumers -group billing -assignor all prod", "under each of Kafka's four assignors"},
		{"ballast consumers -json -bootstrap kafka-1:9092", "of any cluster, as it is"},
	},
	"cancel": {
		{"ballast cancel prod", "after a question"},
		{"ballast cancel -all -auto-approve prod", "other tools' moves too, and without one"},
	},
	"elect": {
		{"ballast elect prod", "all topics"},
		{"ballast elect -topic 'orders*' prod", "only some"},
	},
	"throttle": {
		{"ballast throttle show prod", ""},
		{"ballast throttle clear -auto-approve prod", "all leftovers, without a question"},
	},
	"snapshot": {
		{"ballast snapshot -out prod.json prod", ""},
		{"ballast snapshot -bootstrap kafka-1:9092 > prod.json", "of any cluster, without a configuration"},
	},
	"sandbox": {
		{"ballast sandbox", "6 brokers in 3 racks, without topics"},
		{"ballast sandbox -snapshot prod.json -speed 100", "as that cluster was, in faster time"},
	},
	"allocate": {
		{"ballast allocate -topic orders -partitions 24 prod", "partitions added to a topic that is there"},
		{"ballast allocate -snapshot prod.json -partitions 12 -allocator classic", "a new topic, as kafka-reassign-partitions places"},
		{"ballast allocate -brokers 6 -racks 3 -partitions 9 -seed 7", "without a cluster"},
	},
	"size": {
		{"ballast size -throughput 200MB/s -producer-rate 12MB/s -consumer-rate 8MB/s prod", ""},
		{"ballast size -throughput 1GB/s -growth 1.5 -brokers 9 -racks 3 -broker-network 1250MB/s", "without a cluster"},
		{"ballast size -throughput 50MB/s -consumer-groups 4 -retention 3d -snapshot prod.json", "log dirs too"},
	},
	"version": {
		{"ballast version -json", "with the commit and the platform"},
	},
}

// describe puts a verb's examples below its description.
func describe(verb *cli.Command) {
	list := typed[verb.Name]
	if len(list) == 0 {
		return
	}
	width := 0
	for _, e := range list {
		width = max(width, len(e[0]))
	}
	var b strings.Builder
	if b.WriteString(verb.Description); verb.Description != "" {
		b.WriteString("\n\n")
	}
	for i, e := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("   " + e[0])
		if e[1] != "" {
			b.WriteString(strings.Repeat(" ", width-len(e[0])+3) + e[1])
		}
	}
	verb.Description = b.String()
}
