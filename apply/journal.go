package apply

import (
	"context"
	"fmt"
	"time"
)

// Journal is where a run leaves word of each write before it and after it, and
// the lock that keeps other runs out. A backend must have a record on stable
// storage before Append and Begin return.
type Journal interface {
	// Name is where it is, for people: a path, or a topic.
	Name() string
	// ClusterID is the cluster that it is for.
	ClusterID() string
	// Lock takes the lock, or returns a *LockedError. It doesn't wait.
	Lock(ctx context.Context, h Holder) error
	// Held returns an error where the lock is no longer ours. It is asked before
	// each write to the cluster.
	Held(ctx context.Context) error
	// Records reads all records, oldest first; none where there is no journal
	// yet. A journal that is damaged is a *DamagedError.
	Records(ctx context.Context) ([]Record, error)
	// Begin replaces all records by r, all or nothing, and sets its Seq to 1.
	Begin(ctx context.Context, r Record) error
	// Append adds r and returns its Seq.
	Append(ctx context.Context, r Record) (int64, error)
	// Close gives the lock back.
	Close() error
}

// Watched is a journal of which others can tell who holds the lock.
type Watched interface {
	// HeldBy is the holder of the lock, nil where nobody holds it. It disturbs
	// no holder and no one who tries to become one.
	HeldBy(ctx context.Context) (*Holder, error)
}

// LockedError says who holds the lock.
type LockedError struct {
	Name    string // of the journal
	Holder  Holder
	Expires time.Duration // after which a holder that died loses the lock; 0: at once
}

func (e *LockedError) Error() string {
	return fmt.Sprintf("%s is locked: %s holds it. %s", e.Name, e.Holder, e.Next())
}

// Next is what somebody can do who is kept out.
func (e *LockedError) Next() string {
	wait := "Wait for its end with -lock-timeout 10m"
	if e.Expires > 0 {
		wait += fmt.Sprintf(" (if it has died, its lock goes by itself within %s)", e.Expires)
	}
	return wait + ", or interrupt it once and go on with `ballast apply -resume`. `ballast status` shows what is in flight."
}

// DamagedError says where a journal cannot be read.
type DamagedError struct {
	Name  string
	Line  int
	Why   string
	Topic string // of a journal in the cluster, whose Line is a record's number
}

func (e *DamagedError) Error() string {
	line, away := "line", "move the file away"
	if e.Topic != "" {
		line, away = "record", fmt.Sprintf("delete the topic %q with kafka-topics", e.Topic)
	}
	return fmt.Sprintf("%s, %s %d: %s; nothing was written. See what is in flight with `ballast status`, let it end, "+
		"then %s and plan again; `ballast status` lists the throttles that are left", e.Name, line, e.Line, e.Why, away)
}
