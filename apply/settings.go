package apply

import (
	"time"

	"ballast/planner"
)

// settings are a plan's, with durations as such.
type settings struct {
	limit        int64 // bytes per second and broker; 0: no throttle
	climb        climb
	bothSides    bool // throttle leaders too, as kafka-reassign-partitions does
	headroom     float64
	gateTimeout  time.Duration
	settle       time.Duration
	stall        time.Duration
	electCount   int
	electEvery   time.Duration
	cancelOnGate bool
}

func settingsOf(s planner.Settings, limit *int64) settings {
	out := settings{
		limit:        s.Throttle,
		bothSides:    s.ThrottleSide == "both",
		headroom:     s.DiskHeadroom,
		gateTimeout:  seconds(s.GateTimeout),
		settle:       seconds(s.GateSettle),
		stall:        seconds(s.StallTimeout),
		electCount:   s.ElectionsCount,
		electEvery:   seconds(s.ElectionsEvery),
		cancelOnGate: s.OnFailedGate == "cancel",
	}
	if s.ThrottleNetwork > 0 && limit == nil {
		out.climb = climb{start: s.ThrottleNetwork / 100 * int64(s.ThrottleStartPercent), max: s.ThrottleNetwork / 100 * int64(s.ThrottleMaxPercent)}
		out.limit = out.climb.start
	}
	if limit != nil {
		out.limit = *limit
	}
	if out.electCount <= 0 {
		out.electCount = defaultElections.Count
	}
	return out
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
