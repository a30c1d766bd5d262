package apply

import (
	"time"

	"github.com/cenkalti/backoff/v5"
)

// The longest waits between two looks.
const (
	quickWait   = 5 * time.Millisecond
	firstWait   = 100 * time.Millisecond
	pollMaxWait = 2 * time.Second
	readMaxWait = 10 * time.Second
)

// newPoll grows so slowly that a batch's end is seen within a twentieth of the
// time that it took.
func newPoll() *backoff.ExponentialBackOff {
	b := newBackoff(pollMaxWait)
	b.Multiplier = 1.05
	return b
}

// newQuick looks again at once after a write that takes a broker no time, such
// as a topic's creation: a plan may have thousands of them, one by one.
func newQuick() *backoff.ExponentialBackOff {
	b := newBackoff(readMaxWait)
	b.InitialInterval, b.Multiplier = quickWait, 2
	b.Reset()
	return b
}

// newBackoff grows from 100 ms to longest, without jitter: one run alone asks.
func newBackoff(longest time.Duration) *backoff.ExponentialBackOff {
	b := &backoff.ExponentialBackOff{
		InitialInterval: firstWait,
		Multiplier:      1.3,
		MaxInterval:     longest,
	}
	b.Reset()
	return b
}
