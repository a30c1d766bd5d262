package apply

import (
	"context"
	"time"
)

// Clock is the time that apply lives in: the wall's for a real cluster, a
// faster one for a sandbox, a driven one in tests.
type Clock interface {
	Now() time.Time
	// Sleep waits for d, or until ctx is done and then returns its error.
	Sleep(ctx context.Context, d time.Duration) error
}

// WallClock is the real time.
type WallClock struct{}

// Now is time.Now.
func (WallClock) Now() time.Time { return time.Now() }

// Sleep waits for d of real time.
func (WallClock) Sleep(ctx context.Context, d time.Duration) error { return sleepReal(ctx, d) }

// ScaledClock runs Speed times as fast as the wall's clock, beside a sandbox
// of the same speed.
type ScaledClock struct {
	start time.Time
	speed float64
}

// NewScaledClock begins now and runs speed times as fast; a speed that is not
// above 0 is 1.
func NewScaledClock(speed float64) *ScaledClock {
	if speed <= 0 {
		speed = 1
	}
	return &ScaledClock{start: time.Now(), speed: speed}
}

// Now is the scaled time.
func (c *ScaledClock) Now() time.Time {
	return c.start.Add(time.Duration(float64(time.Since(c.start)) * c.speed))
}

// Sleep waits for d of scaled time.
func (c *ScaledClock) Sleep(ctx context.Context, d time.Duration) error {
	return sleepReal(ctx, time.Duration(float64(d)/c.speed))
}

func sleepReal(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
