package placement

// Who does what. The caller decides which brokers are eligible, the ranks of the
// leader preference, each partition's RF, and where racks are bounded otherwise
// than the spread says; it freezes partitions that have to wait, and turns an
// Infeasible into words. Here it is decided which replicas stay, the dead among
// them, where the others go, who leads, and the order of every list.
//
// A replica on a broker that is neither alive nor draining stays if the rules can
// be met with it at no more copies than without; it counts in its rack and is the
// first to be given up. A replica that is out of sync comes next. Of two replicas
// in sync the live leader is kept first, then the first of the list.
//
// A list is left as it is where neither its replicas nor its preferred leader (the
// first that is alive) change. Otherwise it has the leader first, then replicas
// that were there in their old order, then new ones by index. The preferred leader
// stays where its replica does, also where another leads now; else the live leader
// stays; else one is chosen.
//
// Problem is a cluster and its topics, on indices: a broker is its index in
// Brokers (sorted by id by the caller), a rack is 0 to Racks-1, a topic is its
// index in Topics (sorted by name by the caller).
type Problem struct {
	Brokers []Broker
	Racks   int
	Topics  []Topic
	Budget  int64 // counted work of the search over all topics; 0 is the default
}

// Broker is one broker.
type Broker struct {
	Rack   int16 // -1 where it has none or it is unknown
	Alive  bool
	Drains bool  // nothing may stay on it
	Weight int64 // relative share, at least 1
}

// Spread is a rack rule.
type Spread uint8

// The rack rules.
const (
	SpreadNone     Spread = iota // 0..inf
	SpreadEven                   // floor..ceil of RF / eligible racks
	SpreadDistinct               // 0..1
	SpreadPerRack                // exactly Topic.PerRack
)

// Balance is what is evened out.
type Balance uint8

// The balances.
const (
	Keep Balance = iota
	BalanceTopic
	BalanceCluster
)

// Topic is one topic's partitions and rules.
type Topic struct {
	// Fixed topics are load only: nothing of them changes.
	Fixed bool
	// Eligible brokers, ascending: alive, not draining, allowed by the rules.
	Eligible []int16
	Spread   Spread
	PerRack  []int16 // by rack, with SpreadPerRack
	Balance  Balance
	ByBytes  bool // among plans with fewest copies: bytes per broker (of all topics) most even, rather than fewest bytes
	// LeaderRank has each broker's place in the leader preference, 0 the best;
	// nil without a preference. Brokers outside of it have the largest rank + 1.
	LeaderRank     []int16
	LeaderRequired bool // the preferred leader must have a listed rank (a rank below NumLeaderRanks)
	NumLeaderRanks int16
	LeaderBalance  Balance
	Partitions     []Partition
}

// Partition is one partition.
type Partition struct {
	RF       int16
	Replicas []int16 // as they are (once a move in flight has ended), in order; nil for a new partition
	OutOfISR []int16 // of Replicas: those out of sync or offline
	Leader   int16   // the live leader, -1 where there is none
	Size     int64   // bytes of one replica, -1 where unknown
	Pin      []int16 // exactly this list; nil where not pinned
	Frozen   bool    // must not change (a move is in flight that has to end first)
	// Bounds by rack override what Spread says for this partition; nil otherwise.
	Bounds []Bound
}

// Bound is how many replicas of a partition a rack may hold.
type Bound struct{ Lo, Hi int16 }

// Solution is where everything goes.
type Solution struct {
	Topics []TopicSolution // as Problem.Topics
	// Copies is the number of replicas of existing partitions on brokers that
	// lacked one; CopiesBound a lower bound of it, computed on its own.
	Copies, CopiesBound int
	// LeaderMoves counts existing partitions whose list changes and whose preferred
	// leader (first live of the list) then is not the live leader; LeaderMovesBound
	// is a lower bound for these replica sets.
	LeaderMoves, LeaderMovesBound int
	// Exhausted says that the budget ended the search before everything was proved
	// optimal, and of which levels that is true: "replicas: evenness by topic and
	// over the cluster". It is "" where everything was proved.
	Exhausted string
	// BytesOpen says that bytes per broker, where topics ask for them to be even,
	// are not proved to be as even as they can be. Exhausted leaves that aside.
	BytesOpen bool
}

// TopicSolution is one topic's lists, by partition. A topic with an Infeasible
// keeps its lists (new partitions are nil).
type TopicSolution struct {
	Replicas   [][]int16
	Infeasible *Infeasible
}

// Infeasible says why a topic's rules cannot be met: the smallest set of rules
// that conflict, with the counts that show it.
type Infeasible struct {
	Rule      Rule
	Partition int32
	RF        int
	// EligibleByRack has the number of eligible brokers by rack; brokers without
	// a rack are counted in EligibleNoRack.
	EligibleByRack []int
	EligibleNoRack int
	Need           int // what the rule needs, in the unit that Rule says
	Have           int // what there is
	Rack           int // the rack concerned, -1 where none is
}

// Rule names a rule that cannot be met.
type Rule string

// The rules that can fail.
const (
	RuleEnoughBrokers  Rule = "enough_brokers" // RF against eligible brokers (and dead replicas that stay)
	RuleEven           Rule = "rack_spread_even"
	RuleDistinct       Rule = "rack_spread_distinct"
	RulePerRack        Rule = "per_rack"
	RulePin            Rule = "pin"
	RuleLeaderRequired Rule = "leaders_required"
)
