package apply

import (
	"context"
	"errors"
	"fmt"

	"ballast/state"
)

// Codes of Kafka's that another try may not meet again.
const (
	codeLeaderNotAvailable int16 = 5
	codeNotLeader          int16 = 6
	codeRequestTimedOut    int16 = 7
	codeBrokerNotAvailable int16 = 8
	codeNetworkException   int16 = 13
	codeCoordinatorLoading int16 = 14
)

// isTransient says whether an item's error may go away by itself. One that is
// not Kafka's is an item without an answer: it may have been carried out.
func isTransient(err error) bool {
	var answered *state.Error
	if !errors.As(err, &answered) {
		return true
	}
	for _, code := range []int16{
		state.CodeNotController, state.CodeThrottlingQuota, codeLeaderNotAvailable, codeNotLeader,
		codeRequestTimedOut, codeBrokerNotAvailable, codeNetworkException, codeCoordinatorLoading,
	} {
		if hasCode(err, code) {
			return true
		}
	}
	return false
}

// retryable says whether a write has to be sent again. It gives an error where
// trying again is of no use: a signal, the journal, an item that was refused.
func (r *run) retryable(errs []error, err error, name func(int) string) (bool, error) {
	if err != nil {
		if fatal := r.fatal(err); fatal != nil {
			return false, fatal
		}
		r.emit(Event{Kind: EventRetry, Message: fmt.Sprintf("no answer, trying again: %v", err)})
		return true, nil
	}
	again := false
	for i, e := range errs {
		switch {
		case e == nil || isUnknownTopic(e):
		case isTransient(e):
			again = true
			r.emit(Event{Kind: EventRetry, Message: fmt.Sprintf("%s: %v, trying again", name(i), e)})
		default:
			return false, stopf("%s: %v", name(i), e)
		}
	}
	return again, nil
}

// fatal says whether the error of a write ends the run, and how: a signal, a
// lost lock, a journal that can't be written. Anything else is a request
// without an answer.
func (r *run) fatal(err error) error {
	var stop *stopError
	var journal *journalError
	switch {
	case errors.As(err, &stop), errors.As(err, &journal):
		return err
	}
	if stop := r.interrupted(); stop != nil {
		return stop
	}
	if errors.Is(err, context.Canceled) && r.grace.Err() != nil {
		return stopf("interrupted: stopped at once")
	}
	return nil
}

func firstError(errs []error) error {
	for _, e := range errs {
		if e != nil {
			return e
		}
	}
	return nil
}
