package placement

// PackMove is one partition's move: its replica list is changed, and a copy of
// it arrives on each target.
type PackMove struct {
	Bytes   int64   // of one copy; -1 unknown, which counts as nothing
	Source  int16   // the broker that the copies are read from, the leader; -1 none
	Targets []int16 // the brokers that a copy arrives on; none where only order or number change
	Frees   []int16 // the brokers whose copy goes once the move has ended
	Urgency int8    // UrgentUnderMinISR, UrgentRedundancy or NotUrgent
}

// How urgent a move is. More urgent ones are carried out in as few batches at
// the beginning as the caps allow.
const (
	UrgentUnderMinISR int8 = iota // the partition is under its min ISR and gets a replica
	UrgentRedundancy              // the partition has more replicas afterwards
	NotUrgent
)

// PackProblem asks for moves to be put into batches. A cap that is not above 0
// does not bind.
type PackProblem struct {
	Moves             []PackMove
	Brokers           int // brokers are 0 to Brokers-1
	MaxMovesPerBroker int // copies onto or off one broker in a batch, those that it is the source of included
	MaxBatchMoves     int
	MaxBatchBytes     int64   // bytes that arrive anywhere in a batch
	Free              []int64 // bytes free on each broker, -1 unknown; nil: all unknown
	Headroom          float64 // free space wanted when a batch begins, as a multiple of what arrives
}

// PackResult is the batches, in order. Each move is in exactly one of them,
// unless Blocked is there: then the batches are those that can go before it.
type PackResult struct {
	Batches    [][]int // indices of moves, ascending
	BatchBytes []int64 // of each batch, the bytes through its busiest end (a broker's incoming or outgoing side)
	// Bound is a lower bound of the sum of BatchBytes of any packing within the
	// caps: bytes through the busiest broker, or more where the caps prove it.
	Bound       int64
	BoundBroker int // the broker that the bound comes from; -1 where nothing is copied
	// Busiest is the most bytes through any broker over all batches, and
	// BusiestBroker that broker, -1 where nothing is copied: without caps one
	// batch would take that long.
	Busiest       int64
	BusiestBroker int
	Blocked       *Blocked
	Loose         bool       // the sum of BatchBytes is over 1.1 x Busiest
	Cause         LooseCause // of Loose
}

// LooseCause is what keeps the batches from taking no longer than the busiest
// broker.
type LooseCause string

// The causes.
const (
	LooseBatchBytes  LooseCause = "max_batch_bytes"
	LooseBrokerMoves LooseCause = "max_moves_per_broker"
	LooseBatchMoves  LooseCause = "max_batch_partitions"
	LooseDisk        LooseCause = "disk"    // free space dictates the order
	LooseUrgency     LooseCause = "urgency" // there are few urgent moves, and these go first
	LooseCaps        LooseCause = "caps"    // the caps together, none by itself
)

// Blocked is a broker without the free space for any of the moves that wait for
// it, when nothing else can go either.
type Blocked struct {
	Broker int
	Free   int64 // bytes free then
	Wanted int64 // bytes wanted by the smallest move that waits, headroom included
	Moves  []int // those that wait for this broker, ascending
}

// Pack puts the moves into batches so that the busiest broker is busy
// throughout: the sum over batches of the bytes through the batch's busiest end
// is as small as a heuristic finds it, mostly within 1.1 of what is possible.
// No batch exceeds a cap, but a move that exceeds one by itself has a batch of
// its own. Before each batch every target has Headroom times the bytes that
// arrive; what a batch gives up is free after it. The same problem always has
// the same result.
func Pack(p PackProblem) PackResult {
	k := newPacker(&p)
	k.choose()
	batches := k.nonEmpty()
	blocked, cause := k.orderForDisk(&batches)
	r := PackResult{Batches: batches, Blocked: blocked}
	r.Bound, r.BoundBroker = k.bound()
	sum := int64(0)
	for _, b := range batches {
		t := k.batchTime(b)
		r.BatchBytes = append(r.BatchBytes, t)
		sum += t
	}
	if r.BusiestBroker = k.busiest(); r.BusiestBroker >= 0 {
		r.Busiest = k.ends.through(r.BusiestBroker)
	}
	if r.Loose = blocked == nil && loose(sum, r.Busiest); r.Loose {
		r.Cause = k.cause(cause, sum, r.Busiest)
	}
	return r
}
