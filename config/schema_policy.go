package config

var policyBlock = &block{
	name: "policy", label: "the policy's name; plans show it",
	refused: "Policies are " + notYet + ". Take the block out.",
	doc:     "A condition that every plan has to meet, for each topic that it is about.",
	attrs: []attribute{
		{name: "topics", kind: kindTopicGlobs, def: `"*"`, doc: "The topics that it is about: a glob, or a list of them.", example: `["orders-*", "carts"]`},
		{name: "condition", kind: kindExpression("bool"), required: true, def: "needed", doc: "What must be true. It may use topic, change and plan.", example: "topic.replication_factor >= 3"},
		{name: "error_message", kind: kindExpression("string"), required: true, def: "needed", doc: "What to say where it is not.", example: `"${topic.name} needs three replicas"`},
		{name: "severity", kind: kindChoice("error", "warning"), def: `"error"`, doc: "Whether a plan that does not meet it can be applied: not after an error.", example: `"warning"`},
	},
}
