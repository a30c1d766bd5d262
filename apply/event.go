package apply

import (
	"time"

	"ballast/planner"
	"ballast/state"
)

// EventKind says what an Event tells.
type EventKind string

// The kinds of events.
const (
	EventStarted          EventKind = "started"           // the run has the lock and its plan is not stale
	EventStep             EventKind = "step"              // a step begins
	EventStepDone         EventKind = "step_done"         // a step was carried out and verified
	EventAlready          EventKind = "already"           // something is as wanted already: nothing was written
	EventAdopted          EventKind = "adopted"           // moves run already to what the plan wants: waited for, not submitted
	EventGateWaiting      EventKind = "gate_waiting"      // a gate is shut: see Holds
	EventGateOpen         EventKind = "gate_open"         // a gate that was shut has opened
	EventSubmitted        EventKind = "submitted"         // moves were submitted
	EventProgress         EventKind = "progress"          // of a batch in flight: see Progress
	EventElected          EventKind = "elected"           // preferred leaders lead
	EventThrottleSet      EventKind = "throttle_set"      // throttles are on and were read back
	EventThrottleRestored EventKind = "throttle_restored" // throttles are as they were before
	EventThrottleLeft     EventKind = "throttle_left"     // somebody changed it meanwhile: theirs
	EventSkipped          EventKind = "skipped"           // something is not done on purpose, e.g. a dead broker's throttle
	EventDeferred         EventKind = "deferred"          // put off to the end of the run
	EventFailed           EventKind = "failed"            // a topic cannot go on; others do
	EventRetry            EventKind = "retry"             // a request is repeated after its effect was read
	EventCanceled         EventKind = "canceled"          // moves were taken back
	EventDrained          EventKind = "drained"           // a drained broker's log dirs were looked at
	EventWarning          EventKind = "warning"
	EventStopped          EventKind = "stopped" // the run stops before its end
	EventDone             EventKind = "done"    // all is as planned
)

// Event is something that happens while a plan is carried out. It is plain
// data; only the parts that Kind speaks of are set.
type Event struct {
	At         time.Time              `json:"at"`
	Kind       EventKind              `json:"event"`
	Message    string                 `json:"message"`              // one sentence that says all of it
	Step       int                    `json:"step,omitempty"`       // its place in the plan, from 1
	Steps      int                    `json:"steps,omitempty"`      // how many the plan has
	StepKind   planner.Kind           `json:"step_kind,omitempty"`  //
	Topic      string                 `json:"topic,omitempty"`      //
	Partitions []state.TopicPartition `json:"partitions,omitempty"` //
	Brokers    []state.BrokerID       `json:"brokers,omitempty"`    //
	Holds      []Hold                 `json:"holds,omitempty"`      // of a gate
	Waited     float64                `json:"waited_seconds,omitempty"`
	Timeout    float64                `json:"timeout_seconds,omitempty"`
	Progress   *Progress              `json:"progress,omitempty"`
	Throttles  []ThrottleChange       `json:"throttles,omitempty"`
}

// Hold is one thing that keeps a gate shut.
type Hold struct {
	Gate      string         `json:"gate"`            // the gate's name, e.g. "under_replicated"
	Topic     string         `json:"topic,omitempty"` // "" where it is about a broker
	Partition int32          `json:"partition"`       //
	Broker    state.BrokerID `json:"broker"`          // -1 where it is about none
	Why       string         `json:"why"`             // what is wrong
	Do        string         `json:"do"`              // what an operator can do
	Seconds   float64        `json:"seconds"`         // for how long it has held the gate
}

// Progress is how far a batch, and the whole plan, have come.
type Progress struct {
	Moves     int     `json:"moves"`      // of this batch
	MovesDone int     `json:"moves_done"` //
	Bytes     int64   `json:"bytes"`      // to copy in this batch, 0 where unknown
	BytesDone int64   `json:"bytes_done"` //
	Rate      float64 `json:"rate"`       // bytes per second over the last seconds
	Left      float64 `json:"left"`       // seconds of this batch, -1 where unknown
	PlanBytes int64   `json:"plan_bytes"` // to copy in the whole plan, adopted moves included
	PlanDone  int64   `json:"plan_done"`  // of these, never more
	Elapsed   float64 `json:"elapsed"`    // seconds of this run
}

// ThrottleChange is a throttle that was set or put back.
type ThrottleChange struct {
	Resource state.ConfigResource `json:"resource"`
	Name     string               `json:"name"`
	Before   *string              `json:"before"` // nil: no value of the resource's own
	After    *string              `json:"after"`
}
