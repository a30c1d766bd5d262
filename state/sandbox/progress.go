package sandbox

import (
	"math"
	"time"
)

// quantum is the least time between two events of copying, so that a thousand
// moves that end at nearly the same time are one event.
const quantum = time.Millisecond

// advance lets the cluster live up to a moment, event by event: a session
// expires, a broker comes back, a replica has all bytes, a replica joins.
func (c *cluster) advance(to time.Time) {
	c.settle()
	for c.now.Before(to) {
		c.shareOut()
		next := c.nextEvent(to)
		c.copyFor(next.Sub(c.now))
		c.now = next
		c.settle()
	}
}

func (c *cluster) nextEvent(to time.Time) time.Time {
	next := to
	sooner := func(t time.Time) {
		if t.After(c.now) && t.Before(next) {
			next = t
		}
	}
	for _, b := range c.brokers {
		sooner(b.fenceAt)
		sooner(b.joinAt)
		for _, d := range b.dirs {
			if free, known := d.free(); known && d.inflow > 0 {
				sooner(c.after(float64(free) / d.inflow))
			}
		}
	}
	for _, f := range c.lagging {
		if f.gone {
			continue
		}
		sooner(f.begins)
		if f.caught {
			sooner(f.joins)
		} else if net := f.rate - f.p.traffic; f.rate > 0 && net > 0 {
			sooner(c.after((float64(f.p.size) + f.p.grown - f.bytes) / net))
		}
	}
	return next
}

// after returns the moment in so many seconds, at least a quantum away.
func (c *cluster) after(seconds float64) time.Time {
	if seconds > 1e9 || math.IsNaN(seconds) {
		return noTime
	}
	return c.now.Add(max(quantum, time.Duration(math.Ceil(seconds*1e9))))
}

// copyFor lets producers produce and followers copy for d at their rates.
func (c *cluster) copyFor(d time.Duration) {
	s := d.Seconds()
	for _, p := range c.busy {
		if p.leader < 0 || !c.running(p.leader) {
			continue
		}
		p.grown += p.traffic * s
		if whole := int64(p.grown); whole > 0 {
			p.grown -= float64(whole)
			p.log.fill(whole)
			c.grow(p, whole)
		}
	}
	for _, f := range c.lagging {
		if f.gone || f.caught || f.rate <= 0 && f.bytes < float64(f.p.size) {
			continue
		}
		got := min(f.rate*s, float64(f.p.size)-f.bytes)
		f.bytes += got
		c.useDisk(f.p, f.broker, got)
		if f.bytes >= float64(f.p.size)-0.5 && c.canCopy(f) {
			f.caught, f.joins = true, c.now.Add(d+c.joinDelay)
			c.dirty = true
		}
	}
}

// settle carries out what is due by now.
func (c *cluster) settle() {
	for _, b := range c.brokers {
		if !b.fenceAt.IsZero() && !b.fenceAt.After(c.now) {
			c.fence(b)
		}
		if !b.joinAt.IsZero() && !b.joinAt.After(c.now) {
			c.unfence(b)
		}
		for _, d := range b.dirs {
			if free, known := d.free(); known && free == 0 && d.inflow > 0 {
				c.dirty = true
			}
		}
	}
	for i := 0; i < len(c.lagging); i++ {
		f := c.lagging[i]
		if !f.gone && f.caught && !f.joins.After(c.now) {
			c.joinISR(f)
		}
		if !f.begins.IsZero() && !f.begins.After(c.now) {
			f.begins, c.dirty = time.Time{}, true
		}
	}
}

// canCopy says whether a follower is able to fetch from its leader.
func (c *cluster) canCopy(f *follower) bool {
	b := c.byID[f.broker]
	if b == nil || !b.running || b.fenced || f.p.stalled || c.now.Before(f.begins) || f.p.leader < 0 || !c.running(f.p.leader) {
		return false
	}
	d := b.dir(f.p)
	if d == nil {
		return true
	}
	free, known := d.free()
	return !d.offline && (!known || free > 0 || f.bytes >= float64(f.p.size))
}
