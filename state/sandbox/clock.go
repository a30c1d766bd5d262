package sandbox

import (
	"context"
	"sync"
	"time"
)

// Clock is the time that the cluster lives by. Everything that the cluster
// does over time (copying, session timeouts, ordered delays) follows it;
// consumer groups alone live by the wall clock, as their clients do.
type Clock interface {
	Now() time.Time
	// Sleep returns when d has passed, or with the context's error before that.
	Sleep(ctx context.Context, d time.Duration) error
}

// NewScaled returns a clock that starts at the present and runs speed times
// as fast as the wall clock. A speed of 0 or less is 1.
func NewScaled(speed float64) Clock {
	if speed <= 0 {
		speed = 1
	}
	return &scaled{start: time.Now(), speed: speed}
}

type scaled struct {
	start time.Time
	speed float64
}

func (c *scaled) Now() time.Time {
	return c.start.Add(time.Duration(float64(time.Since(c.start)) * c.speed))
}

func (c *scaled) Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(time.Duration(float64(d) / c.speed))
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// Manual is a clock that moves only when it is told to. Sleepers wake when
// Advance has passed their time.
type Manual struct {
	mu      sync.Mutex
	now     time.Time
	waiting map[chan struct{}]time.Time
}

// NewManual returns a manual clock that shows start.
func NewManual(start time.Time) *Manual {
	return &Manual{now: start, waiting: map[chan struct{}]time.Time{}}
}

// Now returns the time that the clock shows.
func (c *Manual) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock on by d and wakes those whose time has come.
func (c *Manual) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	for ch, at := range c.waiting {
		if !at.After(c.now) {
			close(ch)
			delete(c.waiting, ch)
		}
	}
}

// Sleeping returns how many callers wait in Sleep.
func (c *Manual) Sleeping() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.waiting)
}

// Sleep waits until the clock has been advanced by d.
func (c *Manual) Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	ch := make(chan struct{})
	c.mu.Lock()
	c.waiting[ch] = c.now.Add(d)
	c.mu.Unlock()
	select {
	case <-ch:
		return nil
	case <-ctx.Done():
		c.mu.Lock()
		delete(c.waiting, ch)
		c.mu.Unlock()
		return ctx.Err()
	}
}

// Virtual is a clock whose Sleep does not wait: it moves the clock on by what
// was asked for. A single caller that sleeps between its polls (apply with
// this clock and a sandbox with the same) sees hours pass in no time, and the
// same ones in every run.
type Virtual struct{ Manual }

// NewVirtual returns a virtual clock that shows start.
func NewVirtual(start time.Time) *Virtual {
	return &Virtual{Manual{now: start, waiting: map[chan struct{}]time.Time{}}}
}

// Sleep moves the clock on by d.
func (c *Virtual) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if d > 0 {
		c.Advance(d)
	}
	return nil
}
