package config

import "time"

// Apply is how a plan is carried out. A plan document holds it as it was
// decided, since `apply PLAN_FILE` runs by it.
type Apply struct {
	Throttle           Throttle
	ThrottleSide       ThrottleSide
	MaxMovesPerBroker  int     // replicas being copied onto or off one broker at a time
	MaxBatchPartitions int     // partitions
	MaxBatchBytes      int64   // bytes
	DiskHeadroom       float64 // free space wanted, as a multiple of what arrives
	GateTimeout        time.Duration
	GateSettle         time.Duration
	StallTimeout       time.Duration
	Elections          Elections
	ReclaimFirst       bool
	OnFailedGate       OnFailedGate
}

// Throttle is a replication rate per broker. Either nothing (no throttle), a
// fixed rate, or a climb from Start to Max of Network.
type Throttle struct {
	BytesPerSecond int64 // fixed rate; 0: none, or a climb where Network is set
	Network        int64 // bytes per second that a broker's network carries; 0: no climb
	StartPercent   int
	MaxPercent     int
}

// Limited says whether there is any throttle.
func (t Throttle) Limited() bool { return t.BytesPerSecond > 0 || t.Network > 0 }

// Highest is the highest rate in bytes per second that the throttle allows, or
// 0 where there is none.
func (t Throttle) Highest() int64 {
	if t.Network > 0 {
		return t.Network / 100 * int64(t.MaxPercent)
	}
	return t.BytesPerSecond
}

// ThrottleSide says whose traffic is throttled.
type ThrottleSide string

// The throttle's sides.
const (
	FollowerSide ThrottleSide = "follower" // the adding replicas only
	BothSides    ThrottleSide = "both"     // as kafka-reassign-partitions does
)

// Elections spaces leader changes out, so that clients are not all disturbed
// at once.
type Elections struct {
	Count int // partitions an election step
	Every time.Duration
}

// OnFailedGate says what to do when a gate stays shut.
type OnFailedGate string

// What to do when a gate stays shut.
const (
	StopOnFailedGate   OnFailedGate = "stop"
	CancelOnFailedGate OnFailedGate = "cancel" // take the batch in flight back
)

// DefaultApply has the values of a configuration without an apply block.
func DefaultApply() Apply {
	return Apply{
		Throttle:           Throttle{BytesPerSecond: 50_000_000},
		ThrottleSide:       FollowerSide,
		MaxMovesPerBroker:  5,
		MaxBatchPartitions: 200,
		MaxBatchBytes:      500_000_000_000,
		DiskHeadroom:       1.2,
		GateTimeout:        30 * time.Minute,
		GateSettle:         10 * time.Second,
		StallTimeout:       15 * time.Minute,
		Elections:          Elections{Count: 50, Every: 10 * time.Second},
		OnFailedGate:       StopOnFailedGate,
	}
}
