package apply

import (
	"context"
	"errors"
	"time"
)

// lockPoll is how often a lock that another holds is tried again.
const lockPoll = time.Second

// Patient is a journal whose Lock waits for another holder, up to a time. Each
// holder that it waits for is told, once.
func Patient(j Journal, clock Clock, upTo time.Duration, tell func(*LockedError)) Journal {
	return &patient{Journal: j, clock: clock, upTo: upTo, tell: tell}
}

type patient struct {
	Journal
	clock Clock
	upTo  time.Duration
	tell  func(*LockedError)
}

// Lock tries until it has the lock, fails for another reason, or has waited
// for long enough.
func (p *patient) Lock(ctx context.Context, h Holder) error {
	began, told := p.clock.Now(), Holder{}
	for {
		err := p.Journal.Lock(ctx, h)
		var held *LockedError
		if !errors.As(err, &held) || p.clock.Now().Sub(began)+lockPoll > p.upTo {
			return err
		}
		if held.Holder != told {
			told = held.Holder
			p.tell(held)
		}
		if stopped := p.clock.Sleep(ctx, lockPoll); stopped != nil {
			return err
		}
	}
}
