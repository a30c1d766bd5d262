package apply

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"syscall"

	"github.com/gofrs/flock"
)

// HeldBy is the holder of the lock, nil where nobody holds it. Where the holder
// that the lock file names has died, its lock went with it and is not tried. To
// try a lock that is free takes it for an instant, shared.
func (l *Local) HeldBy(context.Context) (*Holder, error) {
	h := readHolder(l.lock.Path())
	if h.PID == 0 || diedHere(h) {
		return nil, nil
	}
	probe := flock.New(l.lock.Path(), flock.SetFlag(os.O_RDONLY))
	free, err := probe.TryRLock()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if free {
		err = errors.Join(err, probe.Unlock())
	}
	if err != nil || free {
		return nil, err
	}
	return &h, nil
}

// diedHere says whether a holder ran on this machine and does not any more.
func diedHere(h Holder) bool {
	host, err := os.Hostname()
	return err == nil && h.Host == host && errors.Is(syscall.Kill(h.PID, 0), syscall.ESRCH)
}
