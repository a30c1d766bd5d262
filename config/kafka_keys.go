package config

import "sort"

// KafkaVersion is the release whose topic configs this build knows.
const KafkaVersion = "4.3.0"

// KeyType is the type of a Kafka topic config, by Kafka's own name.
type KeyType string

// The types of topic configs (ConfigDef.Type).
const (
	TypeString  KeyType = "STRING"
	TypeInt     KeyType = "INT"
	TypeLong    KeyType = "LONG"
	TypeDouble  KeyType = "DOUBLE"
	TypeBoolean KeyType = "BOOLEAN"
	TypeList    KeyType = "LIST" // in each of these the order means nothing to Kafka
)

// KeyInfo is what Kafka's LogConfig says of a topic config.
type KeyInfo struct {
	Name    string
	Type    KeyType
	Default string // Kafka's own; the brokers' settings may say otherwise
	Valid   string // the values it takes, in words; "" where the type says it all
	Broker  string // the broker config that the topic inherits from; "" where there is none

	check func(value string) bool // of a value that is of the type; nil: all are valid
}

// kafkaKeys are the public topic configs of Kafka 4.3.0, as its LogConfig
// lists them.
var kafkaKeys = indexKeys([]KeyInfo{
	{"cleanup.policy", TypeList, "delete", "compact, delete", "log.cleanup.policy", listOf("compact", "delete")},
	{"compression.gzip.level", TypeInt, "-1", "1 to 9, or -1", "compression.gzip.level", between(1, 9, -1)},
	{"compression.lz4.level", TypeInt, "9", "1 to 17", "compression.lz4.level", between(1, 17)},
	{"compression.type", TypeString, "producer", "uncompressed, zstd, lz4, snappy, gzip, producer", "compression.type",
		oneOf("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer")},
	{"compression.zstd.level", TypeInt, "3", "-131072 to 22", "compression.zstd.level", between(-131072, 22)},
	{"delete.retention.ms", TypeLong, "86400000", "at least 0", "log.cleaner.delete.retention.ms", atLeast(0)},
	{"file.delete.delay.ms", TypeLong, "60000", "at least 0", "log.segment.delete.delay.ms", atLeast(0)},
	{"flush.messages", TypeLong, "9223372036854775807", "at least 1", "log.flush.interval.messages", atLeast(1)},
	{"flush.ms", TypeLong, "9223372036854775807", "at least 0", "log.flush.interval.ms", atLeast(0)},
	{"follower.replication.throttled.replicas", TypeList, "", "PARTITION:BROKER, …, or *", "", throttledReplicas},
	{"index.interval.bytes", TypeInt, "4096", "at least 0", "log.index.interval.bytes", atLeast(0)},
	{"leader.replication.throttled.replicas", TypeList, "", "PARTITION:BROKER, …, or *", "", throttledReplicas},
	{"local.retention.bytes", TypeLong, "-2", "at least -2", "log.local.retention.bytes", atLeast(-2)},
	{"local.retention.ms", TypeLong, "-2", "at least -2", "log.local.retention.ms", atLeast(-2)},
	{"max.compaction.lag.ms", TypeLong, "9223372036854775807", "at least 1", "log.cleaner.max.compaction.lag.ms", atLeast(1)},
	{"max.message.bytes", TypeInt, "1048588", "at least 0", "message.max.bytes", atLeast(0)},
	{"message.timestamp.after.max.ms", TypeLong, "3600000", "at least 0", "log.message.timestamp.after.max.ms", atLeast(0)},
	{"message.timestamp.before.max.ms", TypeLong, "9223372036854775807", "at least 0", "log.message.timestamp.before.max.ms", atLeast(0)},
	{"message.timestamp.type", TypeString, "CreateTime", "CreateTime, LogAppendTime", "log.message.timestamp.type",
		oneOf("CreateTime", "LogAppendTime")},
	{"min.cleanable.dirty.ratio", TypeDouble, "0.5", "0 to 1", "log.cleaner.min.cleanable.ratio", ratio},
	{"min.compaction.lag.ms", TypeLong, "0", "at least 0", "log.cleaner.min.compaction.lag.ms", atLeast(0)},
	{"min.insync.replicas", TypeInt, "1", "at least 1", "min.insync.replicas", atLeast(1)},
	{"preallocate", TypeBoolean, "false", "", "log.preallocate", nil},
	{"remote.log.copy.disable", TypeBoolean, "false", "", "", nil},
	{"remote.log.delete.on.disable", TypeBoolean, "false", "", "", nil},
	{"remote.storage.enable", TypeBoolean, "false", "", "", nil},
	{"retention.bytes", TypeLong, "-1", "", "log.retention.bytes", nil},
	{"retention.ms", TypeLong, "604800000", "at least -1", "log.retention.ms", atLeast(-1)},
	{"segment.bytes", TypeInt, "1073741824", "at least 1048576", "log.segment.bytes", atLeast(1048576)},
	{"segment.index.bytes", TypeInt, "10485760", "at least 4", "log.index.size.max.bytes", atLeast(4)},
	{"segment.jitter.ms", TypeLong, "0", "at least 0", "log.roll.jitter.ms", atLeast(0)},
	{"segment.ms", TypeLong, "604800000", "at least 1", "log.roll.ms", atLeast(1)},
	{"unclean.leader.election.enable", TypeBoolean, "false", "", "unclean.leader.election.enable", nil},
})

// indexKeys makes the table of keys by name.
func indexKeys(list []KeyInfo) map[string]KeyInfo {
	out := make(map[string]KeyInfo, len(list))
	for _, k := range list {
		out[k.Name] = k
	}
	return out
}

// KnownKey returns what Kafka says of a topic config, and whether it knows it.
func KnownKey(key string) (KeyInfo, bool) {
	info, ok := kafkaKeys[key]
	return info, ok
}

// KnownKeys returns the names of Kafka's topic configs, sorted.
func KnownKeys() []string {
	out := make([]string, 0, len(kafkaKeys))
	for name := range kafkaKeys {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}
