package state

// GroupType is by which protocol a group is coordinated; "" where the brokers
// are too old to tell (before 3.8).
type GroupType string

// The types of groups, in Kafka's words.
const (
	ClassicGroup  GroupType = "classic"  // members assign among themselves
	ConsumerGroup GroupType = "consumer" // the coordinator assigns (KIP-848)
	ShareGroup    GroupType = "share"    // KIP-932
	StreamsGroup  GroupType = "streams"  // KIP-1071
)

// ConsumerProtocol is the protocol type of consumers, as against e.g. Kafka
// Connect's "connect".
const ConsumerProtocol = "consumer"

// The states of a group that callers tell apart, in Kafka's words.
const (
	GroupStable = "Stable"
	GroupEmpty  = "Empty" // it has no members, but perhaps offsets
)

// GroupListing is a group as ListGroups tells it.
type GroupListing struct {
	Name         string
	Type         GroupType
	ProtocolType string // ConsumerProtocol, "connect", …; "" where nobody has ever joined
	State        string // in Kafka's words; "" where the brokers are too old to tell (before 2.6)
}

// Group is a group with its members.
type Group struct {
	GroupListing
	// Assignor is the partition assignor in use: of a classic group the
	// protocol that its members agreed on, of a consumer group the coordinator's.
	// "" while a classic group rebalances, or has no members.
	Assignor string
	Members  []GroupMember // by id
}

// GroupMember is a member of a group. Of a classic group that rebalances no
// more than who it is is known, and of one that does not hold consumers.
type GroupMember struct {
	ID         string
	InstanceID string // of a static member (KIP-345), else ""
	ClientID   string
	Host       string
	Rack       string           // client.rack, as far as the member tells it; "" for none
	Topics     []string         // that it subscribes to, by name; they need not exist
	Pattern    string           // that it subscribes to, where the coordinator resolves it (KIP-848)
	Assigned   []TopicPartition // that it has now, by topic and number
	Target     []TopicPartition // of a consumer group: that the coordinator moves it towards
	Malformed  string           // why what it told or was told could not be read; "" where it could
}

// The codes of Kafka's that readers of groups tell apart.
const (
	CodeGroupAuthorization int16 = 30
	CodeGroupNotFound      int16 = 69
)
