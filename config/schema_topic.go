package config

// topicSettings are what defaults and topic have in common.
var topicSettings = []attribute{
	{name: "partitions", kind: kindInteger(1, 1_000_000), def: "what is live", doc: "The number of partitions. It can only grow. A new topic needs it.", example: "48"},
	{name: "replication_factor", kind: kindInteger(1, 32_767), def: "what is live", doc: "Replicas of each partition. A new topic needs it.", example: "3"},
	{name: "min_insync_replicas", kind: kindInteger(1, 32_767), def: "what the brokers say", doc: "The config min.insync.replicas; give one of the two. Never more than the replication factor.", example: "2"},
	{name: "config", kind: kindConfig, def: "{}", doc: "Overrides by Kafka's own keys. A topic owns its whole set: what is not declared is reset. Merged with defaults key by key; null takes one away.", example: `{ "retention.ms" = 7 * 24 * 3600 * 1000 }`},
	{name: "keyed", kind: kindBool, def: "false", doc: "Records have keys: growing partitions sends keys elsewhere, and the plan says so loudly.", example: "true"},
	{name: "ignore_config", kind: kindGlobs, def: "[]", doc: "Config keys that somebody else owns, as globs: what is not declared of them is left as it is. A topic that says so takes no such key from defaults.", example: `["retention.*"]`},
}

var replicasBlock = &block{
	name: "replicas",
	doc:  "Where the replicas may and shall be.",
	attrs: []attribute{
		{name: "racks", kind: kindNames, def: "all", doc: "Only these racks.", example: `["r1", "r2", "r3"]`},
		{name: "brokers", kind: kindBrokers, def: "all", doc: "Only these brokers.", example: "[1, 2, 3]"},
		{name: "class", kind: kindString, def: "all", doc: "Only brokers of this broker_class.", example: `"ssd"`},
		{name: "rack_spread", kind: kindChoice("even", "distinct", "none"), def: "even where every live broker has a rack, none where none has", doc: "even: each rack holds floor or ceil of replication factor / racks. distinct: at most one replica a rack. none: racks do not matter.", example: `"distinct"`},
		{name: "per_rack", kind: kindPerRack, def: "none", doc: "Exact numbers of replicas by rack; a rack that is missing gets none. It wins over rack_spread.", example: "{ r1 = 2, r2 = 1 }"},
		{name: "pin", kind: kindPin, def: "none", doc: "Exact lists of brokers by partition, the preferred leader first. It wins over all else.", example: `{ "0" = [1, 4, 7] }`},
		{name: "balance", kind: kindChoice("keep", "topic", "cluster"), def: `"keep"`, doc: "keep: a replica moves only to meet another rule. topic: the topic's replicas are even over its brokers. cluster: the sum over all topics that say cluster is.", example: `"topic"`},
		{name: "balance_by", kind: kindChoice("count", "bytes"), def: `"count"`, doc: "Which of the plans with fewest copies: count copies fewest bytes, bytes leaves the bytes per broker most even.", example: `"bytes"`},
	},
}

var leadersBlock = &block{
	name: "leaders",
	doc:  "Where the preferred leaders shall be. These are preferences: they order the replicas and copy nothing, unless required.",
	attrs: []attribute{
		{name: "racks", kind: kindNames, def: "any", doc: "Preferred leaders in these racks, in order of preference.", example: `["r1"]`},
		{name: "brokers", kind: kindBrokers, def: "any", doc: "Preferred leaders on these brokers, in order of preference.", example: "[1, 2]"},
		{name: "required", kind: kindBool, def: "false", doc: "The places are a rule: replicas are copied to meet it.", example: "true"},
		{name: "balance", kind: kindChoice("keep", "topic", "cluster"), def: `"keep"`, doc: "keep: a preferred leader changes only where it has to. topic and cluster: preferred leaders are as even as the replicas allow.", example: `"topic"`},
	},
}

var defaultsBlock = &block{
	name: "defaults", once: true,
	doc:    "What topics that say nothing get, attribute by attribute, inside blocks too.",
	attrs:  topicSettings,
	blocks: []*block{replicasBlock, leadersBlock},
}

// topicOwn are the attributes that only topic has.
var topicOwn = []attribute{
	{name: "for_each", kind: kindAny, def: "none", doc: "A map or a list of strings: the block declares a topic for each element, and expressions have each.key and each.value. It needs name.", example: "{ eu = 12, us = 24 }"},
	{name: "name", kind: kindString, def: "the label", doc: "The topic's name in Kafka, where it is not the label.", example: `"audit-${each.key}"`},
}

var topicBlock = &block{
	name: "topic", label: "the topic's name in Kafka",
	doc:    "A topic as it shall be; with for_each, several.",
	attrs:  append(append([]attribute(nil), topicOwn...), topicSettings...),
	blocks: []*block{replicasBlock, leadersBlock},
}
