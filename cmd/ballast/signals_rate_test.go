package main

import (
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// SIGUSR2 doubles the throttle of moves in flight, SIGUSR1 halves it; no move
// is begun again.
func TestASignalChangesTheThrottleOfMovesInFlight(t *testing.T) {
	s := newStopped(t)
	cmd, out := s.command("apply", "-auto-approve", "-throttle", "8MB/s")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.wait("moves in flight", func() bool { return s.moving() > 0 })
	first := s.rates()
	cmd.Process.Signal(syscall.SIGUSR2)
	s.wait("rates that are doubled", func() bool { return near(s.rates(), 2*first) })
	cmd.Process.Signal(syscall.SIGUSR1)
	s.wait("rates as at first", func() bool { return near(s.rates(), first) })
	for range 5 {
		cmd.Process.Signal(syscall.SIGUSR2)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if n := strings.Count(out.String(), "moves submitted"); n != 1 {
		t.Errorf("submitted %d times\n%s", n, out)
	}
	if n := s.throttles(); n != 0 {
		t.Errorf("%d throttles are left", n)
	}
}

// rates is the sum of the followers' throttles.
func (s *stopped) rates() (sum int64) {
	for _, b := range s.box.Snapshot().Brokers {
		n, _ := strconv.ParseInt(b.Config["follower.replication.throttled.rate"].Value, 10, 64)
		sum += n
	}
	return sum
}

// near allows for what each broker's share is rounded by.
func near(got, want int64) bool { return got > 0 && got >= want-10 && got <= want+10 }
