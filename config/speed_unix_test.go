//go:build unix && !race

package config

import (
	"syscall"
	"testing"
	"time"
)

// cpu is the processor time that this process has used.
func cpu(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestFiveThousandTopicsLoadFast: 5,000 topics in 50 files take less than a
// second. It is processor time that is measured: what else the machine does is
// nobody's fault.
func TestFiveThousandTopicsLoadFast(t *testing.T) {
	dir := thousands(t, 5000, 50)
	best := time.Hour
	for range 3 {
		began := cpu(t)
		l := Load(dir, Options{})
		best = min(best, cpu(t)-began)
		if len(l.Diagnostics) > 0 || len(l.Desired.Topics) != 5000 {
			t.Fatal("not loaded")
		}
	}
	if best >= time.Second {
		t.Errorf("took %v", best)
	}
	t.Logf("%v of processor time", best)
}
