package kafka

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/segmentio/kafka-go"
)

// deniedError says that a broker refuses our credentials.
type deniedError struct{ why string }

func (e *deniedError) Error() string { return e.why }

// tlsError is a TLS handshake that failed. It is not unwrapped: what reads the
// errors of sockets would leave the handshake out.
type tlsError struct{ err error }

func (e *tlsError) Error() string {
	text := "the TLS handshake failed: " + plainDialError(e.err).Error()
	if errors.As(e.err, new(tls.RecordHeaderError)) || errors.Is(e.err, io.EOF) || errors.Is(e.err, syscall.ECONNRESET) {
		text += " (does this listener speak TLS?)"
	}
	return text
}

// explain says what a dial that failed means.
func (s *SASL) explain(err error) error {
	var code kafka.Error
	var handshake *tlsError
	switch {
	case errors.As(err, &handshake):
		return handshake
	case s == nil || !errors.As(err, &code):
		return plainDialError(err)
	case code == kafka.SASLAuthenticationFailed && s.Mechanism == OAuthBearer:
		return &deniedError{"it refuses our token (SASL OAUTHBEARER)"}
	case code == kafka.SASLAuthenticationFailed && s.Mechanism == AWSMSKIAM:
		return &deniedError{"it refuses what IAM signed for region " + s.Region + " (does the policy allow kafka-cluster:Connect?)"}
	case code == kafka.SASLAuthenticationFailed:
		return &deniedError{fmt.Sprintf("authentication failed: it refuses user %q with this password (SASL %s)", s.Username, s.Mechanism)}
	case code == kafka.UnsupportedSASLMechanism:
		return &deniedError{fmt.Sprintf("this listener does not offer SASL %s", s.Mechanism)}
	}
	return plainDialError(err)
}
