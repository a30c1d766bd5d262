package apply

import (
	"fmt"
	"strings"
	"time"

	"ballast/planner"
	"ballast/state"
)

// Options is what Run needs.
type Options struct {
	Plan        *planner.Plan   // nil where Resume is set: the journal holds it
	Resume      bool            // go on with the journal's plan
	Cluster     Cluster         //
	Journal     Journal         // not locked yet; Run locks it and leaves it locked
	Clock       Clock           // nil: WallClock
	Stop        <-chan struct{} // closed, or sent to, at the first signal; nil: never
	Events      func(Event)     // nil: nobody listens. Called from one goroutine
	Rate        <-chan float64  // factors by which the throttle of a run at work is changed; nil: never
	Throttle    *int64          // bytes per second in place of the plan's; 0: none
	MaxDuration time.Duration   // starts no batch that cannot end in time; 0: no bound
	Holder      Holder          // who runs, for the lock
}

// Exit is a run's exit status.
type Exit int

// The exit statuses of a run.
const (
	ExitDone    Exit = 0 // all is as planned
	ExitRefused Exit = 1 // nothing of this run is half done
	ExitStopped Exit = 3 // stopped part way; the journal says where
)

// Result is how a run ended.
type Result struct {
	Exit    Exit            `json:"exit"`
	Counts  planner.Summary `json:"counts"`          // what was carried out by this plan's runs
	Already planner.Summary `json:"already"`         // what was as wanted before
	Elapsed float64         `json:"elapsed_seconds"` // that this plan's runs were at work
	Plan    *planner.Plan   `json:"-"`               // that was carried out: with Resume the journal's

	Reason    string                      `json:"reason,omitempty"`     // why it stopped
	Holds     []Hold                      `json:"holds,omitempty"`      // what held it up
	Left      []Left                      `json:"left,omitempty"`       // steps, or parts of them, that did not begin
	InFlight  []state.OngoingReassignment `json:"in_flight,omitempty"`  // moves of ours that go on
	Deferred  []Left                      `json:"deferred,omitempty"`   // put off and still not possible
	Failed    []Left                      `json:"failed,omitempty"`     // topics that could not go on
	Throttles []ThrottleChange            `json:"throttles,omitempty"`  // ours that stay on, with what was Before
	CanResume bool                        `json:"can_resume,omitempty"` // `apply -resume` goes on
	CanCancel bool                        `json:"can_cancel,omitempty"` // `cancel` takes back what is in flight
}

// Left is a part of the plan that was not carried out.
type Left struct {
	Step       int          `json:"step"`
	Kind       planner.Kind `json:"kind"`
	Topic      string       `json:"topic,omitempty"`
	Partitions []int32      `json:"partitions,omitempty"`
	Why        string       `json:"why,omitempty"`
}

// Refusal is an error by which nothing was written: exit 1.
type Refusal struct {
	Code    string   // stable, e.g. "stale_plan", "locked", "other_cluster"
	Summary string   // one line, what is wrong
	Items   []string // one line each, what exactly
	Next    string   // what to do, or to type
}

func (r *Refusal) Error() string {
	var b strings.Builder
	b.WriteString(r.Summary)
	for _, item := range r.Items {
		fmt.Fprintf(&b, "\n  %s", item)
	}
	if r.Next != "" {
		fmt.Fprintf(&b, "\n%s", r.Next)
	}
	return b.String()
}
