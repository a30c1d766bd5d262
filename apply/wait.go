package apply

import (
	"time"

	"github.com/cenkalti/backoff/v5"
)

// The longest waits between two looks.
const (
	firstWait   = 100 * time.Millisecond
	pollMaxWait = 2 * time.Second
	readMaxWait = 10 * time.Second
)

// newBackoff grows from 100 ms to longest, without jitter: one run polls, and
// a batch's end is to be seen soon after it.
func newBackoff(longest time.Duration) *backoff.ExponentialBackOff {
	b := &backoff.ExponentialBackOff{
		InitialInterval: firstWait,
		Multiplier:      1.3,
		MaxInterval:     longest,
	}
	b.Reset()
	return b
}
