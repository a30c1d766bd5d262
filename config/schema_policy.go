package config

var policyBlock = &block{
	name: "policy", label: "the policy's name; plans show it",
	doc: "A condition that every plan has to meet, for each topic that it is about.",
	attrs: []attribute{
		{name: "topics", kind: kindTopicGlobs, def: `"*"`, doc: "The topics that it is about: a glob, or a list of them.", example: `["orders-*", "carts"]`},
		{name: "condition", kind: kindExpression("bool"), required: true, def: "needed", doc: "What must be true. It may use topic, change and plan.", example: "topic.replication_factor >= 3"},
		{name: "error_message", kind: kindExpression("string"), required: true, def: "needed", doc: "What to say where it is not.", example: `"${topic.name} needs three replicas"`},
		{name: "severity", kind: kindChoice("error", "warning"), def: `"error"`, doc: "Whether a plan that does not meet it can be applied: not after an error.", example: `"warning"`},
	},
}

var builtinPoliciesBlock = &block{
	name: "builtin_policies", once: true,
	doc: "Which of the policies that come with ballast are on. They warn, and refuse nothing.",
	attrs: []attribute{
		{name: "few_replicas", kind: kindBool, def: "true", doc: "Warns of topics with fewer than three replicas. Topics with test as a word of their name are left out, and clusters of fewer than three brokers.", example: "false"},
		{name: "no_spare_replica", kind: kindBool, def: "true", doc: "Warns of topics to which nothing can be written with acks=all while one replica is away: min.insync.replicas is all of their replicas, which are two or more.", example: "false"},
		{name: "broker_load", kind: kindBool, def: "true", doc: "Warns of brokers that would lead more than 2,000 partitions or hold more than 4,000 replicas.", example: "false"},
		{name: "unclean_election", kind: kindBool, def: "true", doc: "Warns of topics in which a replica that is not in sync may become the leader, and records be lost.", example: "false"},
		{name: "even_replicas", kind: kindBool, def: "true", doc: "Warns of topics with two, four or more replicas in an even number: they bear the loss of no more brokers by majority than with one replica less.", example: "false"},
	},
}

// policyValues is what the manual says of each name that policies may use.
var policyValues = []struct{ name, doc string }{
	{"topic.name", "the topic's name in Kafka"},
	{"topic.partitions", "how many partitions it will have"},
	{"topic.replication_factor", "the most replicas that a partition of it will have"},
	{"topic.min_insync_replicas", "min.insync.replicas as it will take effect; 0 where that is not known"},
	{"topic.keyed", "whether it is declared as keyed"},
	{"topic.config", "a map of its configs as they will take effect, by Kafka's own keys, all values texts; what is not known is not in it"},
	{"topic.replicas_per_rack", "a map: how many replicas, of all its partitions, each rack will hold"},
	{"change.action", "`create`, `update`, `delete`, or `none` where nothing changes"},
	{"change.bytes", "bytes to copy for this topic, of the partitions whose size is known"},
	{"change.partitions_added", "partitions by which it grows"},
	{"change.replicas_added", "replicas copied to another broker"},
	{"change.replicas_removed", "replicas taken away"},
	{"change.leaders_moved", "partitions whose leader changes"},
	{"change.configs", "a list of the config keys that change"},
	{"plan.bytes_to_copy", "bytes to copy for the whole plan"},
	{"plan.seconds", "how long the plan is estimated to take"},
	{"plan.topics_create", "topics to create"},
	{"plan.topics_update", "topics to change"},
	{"plan.topics_delete", "topics to delete"},
	{"plan.partitions_added", "partitions by which existing topics grow"},
	{"plan.replicas_added", "replicas copied to another broker"},
	{"plan.replicas_removed", "replicas taken away"},
	{"plan.leaders_moved", "partitions whose leader changes"},
}
