package config

// block is the schema of a block type: what it may hold and what the manual
// says of it. All of the language is in the tables of schema_*.go; loading,
// suggestions and the manual's test read the same ones.
type block struct {
	name    string
	label   string // what the label is, "" where the block takes none
	once    bool   // at most one of them in a configuration
	many    bool   // an inner block of which there may be several
	free    bool   // its attributes have names of the person's own
	attrs   []attribute
	blocks  []*block
	doc     string
	refused string // why the block is refused, "" where it is not
}

// attribute is the schema of an attribute.
type attribute struct {
	name     string
	kind     kind
	required bool
	def      string // the default, as the manual shows it
	doc      string
	example  string
	refused  string // why the attribute is refused, "" where it is not
	private  bool   // no plan or journal has it: its value may come from something sensitive
	secret   bool   // private, and sensitive whatever it comes from
}

// attr returns the schema of an attribute, or nil.
func (b *block) attr(name string) *attribute {
	for i := range b.attrs {
		if b.attrs[i].name == name {
			return &b.attrs[i]
		}
	}
	return nil
}

// block returns the schema of a block inside, or nil.
func (b *block) block(name string) *block {
	for _, inner := range b.blocks {
		if inner.name == name {
			return inner
		}
	}
	return nil
}

// names returns the names of all that may stand in the block.
func (b *block) names() []string {
	var out []string
	for _, a := range b.attrs {
		out = append(out, a.name)
	}
	for _, inner := range b.blocks {
		out = append(out, inner.name)
	}
	return out
}

// language is the body of a configuration: all top-level blocks.
var language = &block{name: "configuration", blocks: []*block{
	variableBlock, localsBlock, clusterBlock, brokerBlock, brokerClassBlock, defaultsBlock, topicBlock, absentTopicBlock, unmanagedBlock, policyBlock, builtinPoliciesBlock, applyBlock, journalBlock,
}}

const notYet = "not supported yet by this version"

var clusterBlock = &block{
	name: "cluster", label: "what this cluster is called here; plans show it", once: true,
	doc: "Where the cluster is. A configuration that is only planned against snapshots needs none.",
	attrs: []attribute{
		{name: "bootstrap", kind: kindBootstrap, def: "none", doc: "Addresses to begin with. Every one is tried.", example: `["kafka-1:9092", "kafka-2:9092"]`},
		{name: "cluster_id", kind: kindString, def: "any", doc: "Refuse to talk to a cluster with any other id.", example: `"4L6g3nShT-eMCtK--X86sw"`},
	},
	blocks: []*block{tlsBlock, saslBlock},
}

var brokerBlock = &block{
	name: "broker", label: "the broker's id",
	doc: "What is to be known of one broker. A broker needs no block to be used.",
	attrs: []attribute{
		{name: "drain", kind: kindBool, def: "false", doc: "Nothing may stay on it, and nothing new is put there.", example: "true"},
		{name: "rack", kind: kindString, def: "what the cluster says", doc: "Its rack, for when it is down: metadata forgets a dead broker's rack.", example: `"r3"`},
		{name: "weight", kind: kindInteger(1, 10_000), def: "1", doc: "Its share of what is balanced; 2 takes twice an even share.", example: "2"},
	},
}

var brokerClassBlock = &block{
	name: "broker_class", label: "the class's name; replicas.class refers to it",
	doc: "A named set of brokers: by their ids, or all in some racks.",
	attrs: []attribute{
		{name: "brokers", kind: kindBrokers, def: "none", doc: "The brokers of the class. Give these or racks.", example: "[7, 8, 9]"},
		{name: "racks", kind: kindNames, def: "none", doc: "The racks whose brokers are of the class. Give these or brokers.", example: `["r1", "r2"]`},
	},
}

var unmanagedBlock = &block{
	name: "unmanaged", once: true,
	doc: "What happens to topics that nobody declared. They are never reconfigured, grown or deleted.",
	attrs: []attribute{
		{name: "replicas", kind: kindChoice("keep", "drain", "place"), def: `"keep"`, doc: "keep: left where they are. drain: moved off draining brokers, and nothing else. place: placed as if declared with their present partitions and replication factor under defaults.", example: `"drain"`},
		{name: "exclude", kind: kindGlobs, def: "[]", doc: "Topics that are left where they are in any case, as globs.", example: `["__*"]`},
	},
}

var journalBlock = &block{
	name: "journal", once: true,
	doc: "Where a run records what it does, and holds its lock.",
	attrs: []attribute{
		{name: "backend", kind: kindChoice("local", "kafka"), def: `"local"`, doc: "local: the directory .ballast beside the configuration; it excludes and resumes on one machine only. kafka: a compacted topic of one partition in the cluster itself, so that a run on another machine finds it.", example: `"kafka"`},
		{name: "topic", kind: kindTopicName, def: `"ballast-journal"`, doc: "The topic of backend kafka. It is created where there is none, and never planned.", example: `"ballast-journal"`},
	},
}

var absentTopicBlock = &block{
	name: "absent_topic", label: "the topic's name in Kafka",
	doc: "A topic that shall not exist. It is deleted, but never when it holds more than max_bytes, measured again just before.",
	attrs: []attribute{
		{name: "max_bytes", kind: kindBytes, def: "0", doc: "The most that one replica of it may hold, over all partitions. 0 also wants every partition's earliest offset to equal its latest.", example: `"10MB"`},
		{name: "allow_remote", kind: kindBool, def: "false", doc: "Delete it even where part of it is in tiered storage, whose bytes are not counted.", example: "true"},
	},
}

var applyBlock = &block{
	name: "apply", once: true,
	doc: "How a plan is carried out.",
	attrs: []attribute{
		{name: "throttle", kind: kindThrottle, def: `"50MB/s"`, doc: `Replication rate per broker; "none"; or an object with network, start and max, which climbs from start to max of the network while ISRs hold.`, example: `{ network = "1GB/s", start = "20%", max = "50%" }`},
		{name: "throttle_side", kind: kindChoice("follower", "both"), def: `"follower"`, doc: "Whose traffic is throttled: that of the replicas being added, or, as kafka-reassign-partitions does, the leaders' too.", example: `"both"`},
		{name: "max_moves_per_broker", kind: kindInteger(1, 100_000), def: "5", doc: "Replicas being copied onto or off one broker at a time.", example: "10"},
		{name: "max_batch_partitions", kind: kindInteger(1, 1_000_000), def: "200", doc: "Partitions in one batch.", example: "100"},
		{name: "max_batch_bytes", kind: kindSize, def: `"500GB"`, doc: "What the busiest broker copies in one batch.", example: `"1TB"`},
		{name: "disk_headroom", kind: kindNumber(1, 100), def: "1.2", doc: "Free space wanted, as a multiple of what arrives, on any log dir.", example: "1.5"},
		{name: "gate_timeout", kind: kindDuration, def: `"30m"`, doc: "How long a gate waits, for a rolling restart for instance, before the run stops.", example: `"1h"`},
		{name: "gate_settle", kind: kindDuration, def: `"10s"`, doc: "A gate that was not clean must be clean twice, this far apart.", example: `"30s"`},
		{name: "stall_timeout", kind: kindWait, def: `"15m"`, doc: "No replica grew or joined for this long stops the run.", example: `"20m"`},
		{name: "elections", kind: kindElections, def: `{ count = 50, every = "10s" }`, doc: "How many partitions elect leaders at once, and how far apart.", example: `{ count = 20, every = "30s" }`},
		{name: "reclaim_first", kind: kindBool, def: "false", doc: "Reviewed deletions and retention cuts before the moves.", example: "true"},
		{name: "on_failed_gate", kind: kindChoice("stop", "cancel"), def: `"stop"`, doc: "What to do when a gate stays shut: stop, or take the batch in flight back.", example: `"cancel"`},
	},
}
