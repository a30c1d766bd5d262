package main

import (
	"context"
	"os"
	"os/user"
	"time"

	"ballast/apply"
	"ballast/config"
	"ballast/state/sandbox"
)

// rehearsal is an embedded cluster, its clock, and a place for its journal.
type rehearsal struct {
	box   *sandbox.Sandbox
	clock apply.Clock
	dir   string
}

// makePlan plans against the live cluster, or against the rehearsal's.
func (r *applyRun) makePlan(ctx context.Context, dir string) (*made, error) {
	if err := r.startRehearsal(); err != nil {
		return nil, err
	}
	m := makePlan(ctx, r.s, r.c, dir, planning{bootstrap: r.bootstrap(), targets: targets(r.c), throttle: r.throttle})
	r.closers = append(r.closers, m.close)
	r.loaded = m.loaded
	if m.client != nil {
		r.client = m.client
	}
	return m, nil
}

// connect connects to the configuration's cluster, or to the rehearsal's.
func (r *applyRun) connect(dir string) error {
	l, err := loadedFor(r.s, r.c, dir)
	if err != nil {
		return err
	}
	r.loaded = l
	if err := r.startRehearsal(); err != nil {
		return err
	}
	ctx, stop := interruptible(r.c.Context)
	defer stop()
	client, err := dial(ctx, rehearsed(r.c, l.Desired), r.bootstrap())
	if err != nil {
		return shown(r.s, l, err)
	}
	r.closers = append(r.closers, func() { client.Close() })
	r.client = client
	return nil
}

// bootstrap are the addresses that stand in for the configured ones, or "".
func (r *applyRun) bootstrap() string {
	if r.rehearse != nil {
		return r.rehearse.bootstrap()
	}
	return r.c.String("bootstrap")
}

func (r *applyRun) clock() apply.Clock {
	if r.rehearse != nil {
		return r.rehearse.clock
	}
	return apply.WallClock{}
}

// openJournal opens the declared journal; a rehearsal's goes with it.
func (r *applyRun) openJournal(dir string) (apply.Journal, error) {
	ctx, stop := interruptible(r.c.Context)
	defer stop()
	if r.rehearse != nil {
		return openJournal(ctx, config.Journal{}, r.rehearse.dir, r.client)
	}
	return openJournal(ctx, r.loaded.Desired.Journal, dir, r.client)
}

// holder says who runs, for the lock.
func holder(verb string) apply.Holder {
	h := apply.Holder{PID: os.Getpid(), Verb: verb, Since: time.Now().UTC().Truncate(time.Second)}
	if u, err := user.Current(); err == nil {
		h.Who = u.Username
	}
	if host, err := os.Hostname(); err == nil {
		h.Host = host
	}
	return h
}
