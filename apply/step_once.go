package apply

import (
	"context"
	"fmt"

	"ballast/planner"
)

// untilDone carries out a step of one topic: look whether it is done, else
// send it, and look again before it is sent again. An answer with the code
// fine says that it is done already, by a request whose answer was lost.
func (r *run) untilDone(step planner.Step, done func(tried bool) (bool, error), send func(context.Context) ([]error, error), w Write, fine int16) error {
	began := r.clock.Now()
	tried := false
	for wait := newQuick(); ; {
		ok, err := done(tried)
		if err != nil || ok {
			return err
		}
		if tried && r.clock.Now().Sub(began) > r.set.gateTimeout {
			return stopf("%s: it has not shown for %s", describeStep(step), round(r.clock.Now().Sub(began)))
		}
		if !tried {
			sent, err := r.sendOnce(step, send, w, fine)
			if err != nil {
				return err
			}
			if r.failed[step.Topic] != "" {
				return nil
			}
			tried = sent
		}
		if err := r.sleep(wait.NextBackOff()); err != nil {
			return err
		}
		if !tried {
			if err := r.sleep(settleRead); err != nil {
				return err
			}
		}
	}
}

// sendOnce says whether the request was taken. Without an answer, or with one
// that another try may not meet again, it was not as far as is known.
func (r *run) sendOnce(step planner.Step, send func(context.Context) ([]error, error), w Write, fine int16) (bool, error) {
	errs, err := r.write(w, send)
	if err != nil {
		if fatal := r.fatal(err); fatal != nil {
			return false, fatal
		}
		r.emit(Event{Kind: EventRetry, Topic: step.Topic, Message: fmt.Sprintf("%s: no answer, reading before trying again: %v", describeStep(step), err)})
		return false, nil
	}
	switch e := firstError(errs); {
	case e == nil, hasCode(e, fine):
		return true, nil
	case isTransient(e):
		r.emit(Event{Kind: EventRetry, Topic: step.Topic, Message: fmt.Sprintf("%s: %v, trying again", describeStep(step), e)})
		return false, nil
	default:
		r.fail(step.Topic, fmt.Sprintf("%s: %v", describeStep(step), e))
		return false, nil
	}
}
