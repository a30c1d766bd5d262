package render

import (
	"strings"
	"testing"
	"time"

	"ballast/apply"
)

// aGate is shut by two brokers, one of which holds up eight partitions.
func aGate(waited float64) apply.Event {
	var holds []apply.Hold
	for p := range int32(8) {
		holds = append(holds, apply.Hold{Topic: "orders", Partition: p, Why: "replica on broker 3 is out of sync", Do: "start broker 3"})
	}
	holds = append(holds, apply.Hold{Broker: 4, Why: "broker 4 is dead", Do: "start broker 4"})
	return apply.Event{Kind: apply.EventGateWaiting, At: time.Unix(0, 0), Holds: holds, Waited: waited, Timeout: 1800,
		Message: "reassign 8 partitions: waiting for " + strings.Repeat("long ", 60)}
}

func TestWhatHoldsAGateUpIsToldOnce(t *testing.T) {
	var b strings.Builder
	v := NewEvents(&b, EventOptions{})
	v.Event(aGate(0))
	v.Event(aGate(30))
	v.Event(aGate(60))
	want := `00:00:00  reassign 8 partitions: waiting, 0s of at most 30m
            "orders" partition 0, "orders" partition 1, "orders" partition 2, "orders" partition 3,
            "orders" partition 4 and 3 more: replica on broker 3 is out of sync
              start broker 3
            broker 4 is dead
              start broker 4
00:00:00  reassign 8 partitions: still waiting, 30s of at most 30m
00:00:00  reassign 8 partitions: still waiting, 1m of at most 30m
`
	if b.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
	}
}

func TestALaterReasonIsTold(t *testing.T) {
	var b strings.Builder
	v := NewEvents(&b, EventOptions{})
	v.Event(aGate(0))
	other := aGate(30)
	other.Holds = other.Holds[8:]
	v.Event(other)
	if got := strings.Count(b.String(), "broker 4 is dead"); got != 2 {
		t.Errorf("told %d times:\n%s", got, b.String())
	}
}
