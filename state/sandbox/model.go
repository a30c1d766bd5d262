package sandbox

import (
	"time"

	"ballast/state"
)

// noTime is an event that never comes.
var noTime = time.Unix(1<<40, 0)

// noEvent is the time of something that is not going to happen.
var noEvent time.Time

// broker is a node of the cluster. It has two lives: its process (running),
// and what the controller believes of it (fenced), which lags behind by the
// session timeout.
type broker struct {
	id      int32
	rack    string
	host    string
	port    int32
	running bool
	fenced  bool
	fenceAt time.Time // when the session of a killed broker expires
	joinAt  time.Time // when a restarted broker is unfenced
	dirs    []*logDir
	dynamic map[string]string      // DYNAMIC_BROKER_CONFIG
	static  map[string]string      // STATIC_BROKER_CONFIG beyond the cluster's
	dirOf   map[*partition]*logDir // nil with one directory
	behind  *behind                // nil: it hears of the controller
}

// logDir is a broker's log directory.
type logDir struct {
	path    string
	total   int64   // -1 unknown
	usable  int64   // at the time that base was measured; -1 unknown
	base    float64 // used at that time
	used    float64 // bytes of replicas here
	inflow  float64 // bytes a second of copies that arrive, as last shared out
	offline bool
	count   int // replicas placed here
}

// topic is a topic with its overrides.
type topic struct {
	name       string
	id         [16]byte
	internal   bool
	partitions []*partition
	overrides  map[string]string
	denied     bool // DescribeConfigs is not authorised
	leaderSide throttled
	followSide throttled
}

// partition is a partition as the controller has it, and its log. The slices
// of ids are never changed in place: answers that are still being written
// share them.
type partition struct {
	topic    *topic
	id       int32
	replicas []int32
	isr      []int32
	elr      []int32
	adding   []int32
	removing []int32
	leader   int32
	epoch    int32
	behind   []*follower // replicas that are not in sync, of any liveness
	stalled  bool
	log      log
	size     int64   // bytes of an in-sync replica
	traffic  float64 // bytes a second that producers add
	grown    float64 // of traffic, not yet in size
	sequence map[int64]sequence
	past     []past // what metadata still shows, see Options.MetadataLag
}

// follower is a replica that is not in sync and, where it can, copies.
type follower struct {
	p       *partition
	broker  int32
	bytes   float64 // what it has, unless caught
	caught  bool    // has all, and joins the ISR at joins
	joins   time.Time
	rate    float64   // bytes a second, as last shared out
	begins  time.Time // when it may copy first
	appears time.Time // when DescribeLogDirs first shows it
	gone    bool      // no longer a follower
}

func (p *partition) inFlight() bool { return len(p.adding) > 0 || len(p.removing) > 0 }

func (p *partition) follower(id int32) *follower {
	for _, f := range p.behind {
		if f.broker == id {
			return f
		}
	}
	return nil
}

// bytesAt returns what the replica on a broker holds.
func (p *partition) bytesAt(id int32) int64 {
	if f := p.follower(id); f != nil && !f.caught {
		return int64(f.bytes)
	}
	return p.size
}

func has(list []int32, id int32) bool {
	for _, x := range list {
		if x == id {
			return true
		}
	}
	return false
}

// without returns list less the ids of drop, in order, never nil.
func without(list, drop []int32) []int32 {
	out := make([]int32, 0, len(list))
	for _, x := range list {
		if !has(drop, x) {
			out = append(out, x)
		}
	}
	return out
}

// with returns list with id at its end.
func with(list []int32, id int32) []int32 {
	return append(append(make([]int32, 0, len(list)+1), list...), id)
}

func containsAll(list, want []int32) bool {
	for _, x := range want {
		if !has(list, x) {
			return false
		}
	}
	return true
}

func toIDs(list []int32) []state.BrokerID {
	out := make([]state.BrokerID, len(list))
	for i, x := range list {
		out[i] = state.BrokerID(x)
	}
	return out
}

func fromIDs(list []state.BrokerID) []int32 {
	out := make([]int32, len(list))
	for i, x := range list {
		out[i] = int32(x)
	}
	return out
}
