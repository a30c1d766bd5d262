package apply

import (
	"context"
	"fmt"
)

// Journal is where a run leaves word of each write before it and after it, and
// the lock that keeps other runs out. A backend must have a record on stable
// storage before Append and Begin return.
type Journal interface {
	// Name is where it is, for people: a path.
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

// LockedError says who holds the lock.
type LockedError struct {
	Name   string // of the journal
	Holder Holder
}

func (e *LockedError) Error() string {
	return fmt.Sprintf("%s is locked: %s holds it; wait for its end, or stop it with one interrupt and go on with `ballast apply -resume`", e.Name, e.Holder)
}

// DamagedError says where a journal cannot be read.
type DamagedError struct {
	Name string
	Line int
	Why  string
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("%s, line %d: %s; nothing was written. See what is in flight with `ballast status`, let it end, "+
		"then move the file away and plan again; `ballast status` lists the throttles that are left", e.Name, e.Line, e.Why)
}
