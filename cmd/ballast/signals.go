package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// endings are the signals that ask the process to end.
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM}

// interruptible is a context that ends with the first signal.
func interruptible(parent context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(parent, endings...)
}

// stopOnSignal gives a channel that closes with the first signal, and a
// context that ends with the second.
func stopOnSignal(parent context.Context, first func()) (context.Context, <-chan struct{}, context.CancelFunc) {
	ctx, cancel := context.WithCancel(parent)
	signals, stop := make(chan os.Signal, 2), make(chan struct{})
	signal.Notify(signals, endings...)
	go func() {
		select {
		case <-signals:
			first()
			close(stop)
		case <-ctx.Done():
			return
		}
		select {
		case <-signals:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, stop, func() { signal.Stop(signals); cancel() }
}
