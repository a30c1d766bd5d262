package main

import (
	"os"
	"os/signal"
	"syscall"
)

// rateSignals change the throttle of a run by a factor.
var rateSignals = map[os.Signal]float64{syscall.SIGUSR1: 0.5, syscall.SIGUSR2: 2}

// rateOnSignal gives the factors that signals ask for.
func rateOnSignal() (factors <-chan float64, stop func()) {
	out, signals, done := make(chan float64, 8), make(chan os.Signal, 8), make(chan struct{})
	signal.Notify(signals, syscall.SIGUSR1, syscall.SIGUSR2)
	go func() {
		for {
			select {
			case s := <-signals:
				select {
				case out <- rateSignals[s]:
				case <-done:
					return
				}
			case <-done:
				return
			}
		}
	}()
	return out, func() { signal.Stop(signals); close(done) }
}
