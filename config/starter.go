package config

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
)

// StarterOptions say what a starter configuration is for.
type StarterOptions struct {
	Name      string   // of the cluster; "" is "main"
	Bootstrap []string // host:port; none: an address to be filled in
	ClusterID string   // "" where it is not known
}

// Starter returns a commented configuration to begin with. It validates as it
// is, and declares no topic: planned, it changes nothing.
func Starter(o StarterOptions) []byte {
	var b strings.Builder
	b.WriteString(starterHead)
	fmt.Fprintf(&b, "cluster %s {\n", hclString(orElse(o.Name, "main")))
	bootstrap := o.Bootstrap
	if len(bootstrap) == 0 {
		bootstrap = []string{"localhost:9092"}
	}
	quoted := make([]string, len(bootstrap))
	for i, address := range bootstrap {
		quoted[i] = hclString(address)
	}
	fmt.Fprintf(&b, "  bootstrap = [%s] # every one is tried\n", strings.Join(quoted, ", "))
	if o.ClusterID != "" {
		fmt.Fprintf(&b, "  cluster_id = %s # refuse any other\n", hclString(o.ClusterID))
	} else {
		b.WriteString("  # cluster_id = \"…\" # refuse any other cluster\n")
	}
	b.WriteString("}\n")
	b.WriteString(starterRest)
	out, _ := Format("main.hcl", []byte(b.String()))
	return out
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// hclString writes a string as HCL does.
func hclString(s string) string {
	return string(hclwrite.TokensForValue(cty.StringVal(s)).Bytes())
}

const starterHead = `# All *.hcl files of this directory are one configuration, in any order.
#
#   ballast validate   checks it without a cluster
#   ballast plan       shows what would change
#   ballast apply      changes it, in throttled and verified batches
#
# Topics that are not declared are left alone.

`

const starterRest = `
# What topics that say nothing get.
defaults {
  replication_factor  = 3
  min_insync_replicas = 2

  replicas {
    # even: each rack holds its share of a partition's replicas. It is the
    # default where all brokers have a rack.
    # rack_spread = "even"

    # keep: a replica moves only to meet a rule. topic: evened out by topic.
    balance = "keep"
  }
}

# A topic. Take the comment signs off to declare it.
#
# topic "orders" {
#   partitions = 12
#   keyed      = true # warn loudly when partitions are added: keys move
#
#   config = {
#     "retention.ms"   = 7 * 24 * 3600 * 1000
#     "cleanup.policy" = "delete"
#   }
#
#   leaders {
#     balance = "topic" # preferred leaders even over the brokers
#   }
# }

# Nothing may stay on this broker.
#
# broker "6" { drain = true }

# Delete a topic, but never when it holds anything.
#
# absent_topic "orders-old" { max_bytes = 0 }

# How changes are carried out. These are the defaults.
apply {
  throttle             = "50MB/s" # replication, for each broker
  max_moves_per_broker = 5        # replicas copied onto or off one broker at a time
}
`
