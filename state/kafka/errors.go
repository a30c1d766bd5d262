package kafka

import (
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"

	"ballast/state"
)

// UncertainError says that a write got no answer: it may have been carried out
// in full, in part or not at all. Read before you repeat it.
type UncertainError struct {
	Request string // Kafka's name of it, e.g. "CreateTopics"
	Addr    string // of the broker
	Err     error
}

func (e *UncertainError) Error() string {
	return fmt.Sprintf("%s sent to %s got no answer (%v): it may have been carried out", e.Request, e.Addr, e.Err)
}

// Unwrap gives the failure of the exchange.
func (e *UncertainError) Unwrap() error { return e.Err }

// MayBeApplied is true: see UncertainError. It lets a caller recognise the
// error without importing this package.
func (e *UncertainError) MayBeApplied() bool { return true }

// RefusedError says that an item was not sent, since a broker would misread or
// refuse it.
type RefusedError struct{ Reason string }

func (e *RefusedError) Error() string { return e.Reason }

// errNoAnswer says that a time limit of ours ended a read.
var errNoAnswer = errors.New("no answer in time")

// IsRetriable says whether the error is one that Kafka calls retriable: the
// same request may succeed later, and was not carried out.
func IsRetriable(err error) bool {
	var e *state.Error
	if !errors.As(err, &e) {
		return false
	}
	return e.Code != codeRequestTimedOut && kerr.IsRetriable(kerr.ErrorForCode(e.Code))
}

// Codes of Kafka's that this room tells apart, beside those in state.
const (
	codeNotLeader            = 6
	codeRequestTimedOut      = 7
	codeBrokerNotAvailable   = 8
	codeTopicAuthorization   = 29
	codeClusterAuthorization = 31
	codeStorageError         = 56
)

// kafkaError is the error for a code of Kafka's, nil for 0.
func kafkaError(code int16, message *string) error {
	if code == 0 {
		return nil
	}
	e := &state.Error{Code: code, Name: fmt.Sprintf("ERROR_%d", code)}
	var known *kerr.Error
	if errors.As(kerr.ErrorForCode(code), &known) && known.Code == code {
		e.Name = known.Message
	}
	if message != nil {
		e.Message = *message
	}
	return e
}

// notAlive is the error for a request that only a broker which is not there
// could answer.
func notAlive(id state.BrokerID) error {
	return &state.Error{Code: codeBrokerNotAvailable, Name: "BROKER_NOT_AVAILABLE", Message: fmt.Sprintf("broker %d is not alive", id)}
}

// isCode says whether err is Kafka's error with that code.
func isCode(err error, code int16) bool {
	var e *state.Error
	return errors.As(err, &e) && e.Code == code
}
