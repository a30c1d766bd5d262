package sandbox

import "github.com/twmb/franz-go/pkg/kmsg"

// topicKey is a config that a topic can override: what Apache Kafka 4.3.0's
// LogConfig says of it.
type topicKey struct {
	name     string
	kind     kmsg.ConfigType
	value    string   // its default
	broker   string   // the broker config that a topic without override takes it from
	unset    bool     // that broker config has no default of its own
	least    *float64 // numbers
	most     *float64
	also     string   // a value outside of the range that is accepted too
	oneOf    []string // strings and lists
	replicas bool     // a list of throttled replicas
}

func at(n float64) *float64 { return &n }

// topicKeys are Kafka's topic configs by name.
var topicKeys = []topicKey{
	{name: "cleanup.policy", kind: kmsg.ConfigTypeList, value: "delete", broker: "log.cleanup.policy", oneOf: []string{"compact", "delete"}},
	{name: "compression.gzip.level", kind: kmsg.ConfigTypeInt, value: "-1", broker: "compression.gzip.level", least: at(1), most: at(9), also: "-1"},
	{name: "compression.lz4.level", kind: kmsg.ConfigTypeInt, value: "9", broker: "compression.lz4.level", least: at(1), most: at(17)},
	{name: "compression.type", kind: kmsg.ConfigTypeString, value: "producer", broker: "compression.type", oneOf: []string{"uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"}},
	{name: "compression.zstd.level", kind: kmsg.ConfigTypeInt, value: "3", broker: "compression.zstd.level", least: at(-131072), most: at(22)},
	{name: "delete.retention.ms", kind: kmsg.ConfigTypeLong, value: "86400000", broker: "log.cleaner.delete.retention.ms", least: at(0)},
	{name: "file.delete.delay.ms", kind: kmsg.ConfigTypeLong, value: "60000", broker: "log.segment.delete.delay.ms", least: at(0)},
	{name: "flush.messages", kind: kmsg.ConfigTypeLong, value: "9223372036854775807", broker: "log.flush.interval.messages", least: at(1)},
	{name: "flush.ms", kind: kmsg.ConfigTypeLong, value: "9223372036854775807", broker: "log.flush.interval.ms", unset: true, least: at(0)},
	{name: "follower.replication.throttled.replicas", kind: kmsg.ConfigTypeList, value: "", replicas: true},
	{name: "index.interval.bytes", kind: kmsg.ConfigTypeInt, value: "4096", broker: "log.index.interval.bytes", least: at(0)},
	{name: "leader.replication.throttled.replicas", kind: kmsg.ConfigTypeList, value: "", replicas: true},
	{name: "local.retention.bytes", kind: kmsg.ConfigTypeLong, value: "-2", broker: "log.local.retention.bytes", least: at(-2)},
	{name: "local.retention.ms", kind: kmsg.ConfigTypeLong, value: "-2", broker: "log.local.retention.ms", least: at(-2)},
	{name: "max.compaction.lag.ms", kind: kmsg.ConfigTypeLong, value: "9223372036854775807", broker: "log.cleaner.max.compaction.lag.ms", least: at(1)},
	{name: "max.message.bytes", kind: kmsg.ConfigTypeInt, value: "1048588", broker: "message.max.bytes", least: at(0)},
	{name: "message.timestamp.after.max.ms", kind: kmsg.ConfigTypeLong, value: "3600000", broker: "log.message.timestamp.after.max.ms", least: at(0)},
	{name: "message.timestamp.before.max.ms", kind: kmsg.ConfigTypeLong, value: "9223372036854775807", broker: "log.message.timestamp.before.max.ms", least: at(0)},
	{name: "message.timestamp.type", kind: kmsg.ConfigTypeString, value: "CreateTime", broker: "log.message.timestamp.type", oneOf: []string{"CreateTime", "LogAppendTime"}},
	{name: "min.cleanable.dirty.ratio", kind: kmsg.ConfigTypeDouble, value: "0.5", broker: "log.cleaner.min.cleanable.ratio", least: at(0), most: at(1)},
	{name: "min.compaction.lag.ms", kind: kmsg.ConfigTypeLong, value: "0", broker: "log.cleaner.min.compaction.lag.ms", least: at(0)},
	{name: "min.insync.replicas", kind: kmsg.ConfigTypeInt, value: "1", broker: "min.insync.replicas", least: at(1)},
	{name: "preallocate", kind: kmsg.ConfigTypeBoolean, value: "false", broker: "log.preallocate"},
	{name: "remote.log.copy.disable", kind: kmsg.ConfigTypeBoolean, value: "false"},
	{name: "remote.log.delete.on.disable", kind: kmsg.ConfigTypeBoolean, value: "false"},
	{name: "remote.storage.enable", kind: kmsg.ConfigTypeBoolean, value: "false"},
	{name: "retention.bytes", kind: kmsg.ConfigTypeLong, value: "-1", broker: "log.retention.bytes"},
	{name: "retention.ms", kind: kmsg.ConfigTypeLong, value: "604800000", broker: "log.retention.ms", unset: true, least: at(-1)},
	{name: "segment.bytes", kind: kmsg.ConfigTypeInt, value: "1073741824", broker: "log.segment.bytes", least: at(1048576)},
	{name: "segment.index.bytes", kind: kmsg.ConfigTypeInt, value: "10485760", broker: "log.index.size.max.bytes", least: at(4)},
	{name: "segment.jitter.ms", kind: kmsg.ConfigTypeLong, value: "0", broker: "log.roll.jitter.ms", unset: true, least: at(0)},
	{name: "segment.ms", kind: kmsg.ConfigTypeLong, value: "604800000", broker: "log.roll.ms", unset: true, least: at(1)},
	{name: "unclean.leader.election.enable", kind: kmsg.ConfigTypeBoolean, value: "false", broker: "unclean.leader.election.enable"},
}

// brokerKey is a broker config, as far as the sandbox knows them.
type brokerKey struct {
	name      string
	kind      kmsg.ConfigType
	value     string
	fixed     bool // cannot be changed while the broker runs
	perBroker bool // dynamic, but not as the cluster's default
	dynamic   bool // exists only once it has been set
}

// brokerKeys are the broker configs beyond those that topics take theirs from.
var brokerKeys = []brokerKey{
	{name: leaderRate, kind: kmsg.ConfigTypeLong, dynamic: true},
	{name: followerRate, kind: kmsg.ConfigTypeLong, dynamic: true},
	{name: "replica.alter.log.dirs.io.max.bytes.per.second", kind: kmsg.ConfigTypeLong, dynamic: true},
	{name: "advertised.listeners", kind: kmsg.ConfigTypeList, perBroker: true},
	{name: "auto.create.topics.enable", kind: kmsg.ConfigTypeBoolean, value: "true", fixed: true},
	{name: "auto.leader.rebalance.enable", kind: kmsg.ConfigTypeBoolean, value: "true", fixed: true},
	{name: "background.threads", kind: kmsg.ConfigTypeInt, value: "10"},
	{name: "broker.rack", kind: kmsg.ConfigTypeString, fixed: true},
	{name: "broker.session.timeout.ms", kind: kmsg.ConfigTypeInt, value: "9000", fixed: true},
	{name: "controlled.shutdown.enable", kind: kmsg.ConfigTypeBoolean, value: "true", fixed: true},
	{name: "default.replication.factor", kind: kmsg.ConfigTypeInt, value: "1", fixed: true},
	{name: "delete.topic.enable", kind: kmsg.ConfigTypeBoolean, value: "true", fixed: true},
	{name: "listeners", kind: kmsg.ConfigTypeList, value: "PLAINTEXT://:9092", perBroker: true},
	{name: "log.cleaner.threads", kind: kmsg.ConfigTypeInt, value: "1"},
	{name: "log.dirs", kind: kmsg.ConfigTypeList, fixed: true},
	{name: "max.connections", kind: kmsg.ConfigTypeInt, value: "2147483647"},
	{name: "node.id", kind: kmsg.ConfigTypeInt, fixed: true},
	{name: "num.io.threads", kind: kmsg.ConfigTypeInt, value: "8"},
	{name: "num.network.threads", kind: kmsg.ConfigTypeInt, value: "3"},
	{name: "num.partitions", kind: kmsg.ConfigTypeInt, value: "1", fixed: true},
	{name: "num.replica.fetchers", kind: kmsg.ConfigTypeInt, value: "1"},
	{name: "process.roles", kind: kmsg.ConfigTypeList, fixed: true},
	{name: "replica.lag.time.max.ms", kind: kmsg.ConfigTypeLong, value: "30000", fixed: true},
}

var (
	topicKeyOf  = map[string]*topicKey{}
	brokerKeyOf = map[string]*brokerKey{}
	topicKeyFor = map[string]*topicKey{} // by the broker config
)

func init() {
	for i := range topicKeys {
		k := &topicKeys[i]
		topicKeyOf[k.name] = k
		if k.broker != "" {
			topicKeyFor[k.broker] = k
		}
	}
	for i := range brokerKeys {
		brokerKeyOf[brokerKeys[i].name] = &brokerKeys[i]
	}
}

// brokerDefault returns the default of a broker config, and false where it
// has none.
func brokerDefault(key string) (string, bool) {
	if k := topicKeyFor[key]; k != nil {
		return k.value, !k.unset
	}
	if k := brokerKeyOf[key]; k != nil {
		return k.value, k.value != ""
	}
	return "", false
}
